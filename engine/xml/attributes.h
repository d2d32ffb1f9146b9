#pragma once

#include "engine/model/diagram.h"
#include "engine/xml/suggestion.h"

#include <array>
#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tinyxml2 {
class XMLElement;
}

namespace hilda {

/// What the readers of a file share.
struct XmlContext {
  const Sources::File* file = nullptr;
  Diagnostics* diagnostics = nullptr;
  Suggestions* suggestions = nullptr;

  Location at(int line) const { return {&file->name, line}; }
};

/// An attribute that an element may have.
struct Known {
  std::string_view name;
  bool required = false;
};

/// The attributes of one element: those of `known` by index, the others kept as they are. Attributes that begin with
/// `ui.` belong to editors and are skipped.
///
/// Codes: missing-attribute, unknown-attribute, too-many-attributes. A misspelt attribute counts
/// as the one that was meant, so that it is reported once.
class AttributeReader {
public:
  static constexpr std::size_t most = 16;
  enum class Others { refused, kept };

  /// Of `known` the first `used`.
  template <std::size_t Count>
  AttributeReader(const XmlContext& context, const tinyxml2::XMLElement& element, const std::array<Known, Count>& known,
                  Others others, std::size_t used = Count)
      : AttributeReader(context, element, others, std::span(known).first(used)) {
    static_assert(Count <= most, "raise AttributeReader::most");
  }

  bool given(std::size_t index) const { return values_[index] != nullptr; }
  std::string text(std::size_t index) const { return given(index) ? values_[index] : ""; }
  std::string_view view(std::size_t index) const { return given(index) ? values_[index] : std::string_view(); }
  Location where(std::size_t index) const { return context_.at(lines_[index]); }
  std::vector<Attribute> take_others() { return std::move(others_); }

private:
  AttributeReader(const XmlContext& context, const tinyxml2::XMLElement& element, Others others,
                  std::span<const Known> known);
  void place(const char* name, const char* value, int line, Others others);
  void keep(std::size_t index, const char* value, int line);
  void adopt_slip(std::size_t index);

  const XmlContext& context_;
  const tinyxml2::XMLElement& element_;
  std::span<const Known> known_;
  std::array<const char*, most> values_{};
  std::array<int, most> lines_{};
  std::vector<Attribute> others_;
};

/// "<block> 'lead'", or "<connect>" where the element has no name.
std::string element_label(const tinyxml2::XMLElement& element);

} // namespace hilda
