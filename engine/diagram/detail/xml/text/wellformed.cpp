// SPDX-License-Identifier: BSD-3-Clause
#include "engine/diagram/detail/xml/text/wellformed.h"

#include "engine/base/error.h"
#include "engine/diagram/document.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>
#include <string_view>

namespace hilda::diagram {
namespace {

/// As find_first_of, which calls a function of the C library for each character.
template <char... letters> std::size_t first_of(std::string_view text, std::size_t from = 0) {
  static constexpr std::array<bool, 256> wanted = [] {
    std::array<bool, 256> table{};
    ((table[static_cast<unsigned char>(letters)] = true), ...);
    return table;
  }();
  for (std::size_t i = from; i < text.size(); ++i)
    if (wanted[static_cast<unsigned char>(text[i])]) return i;
  return std::string_view::npos;
}

/// Goes through the tags of a text; a tag that is not well-formed ends the walk, and the parser reports it.
class Tags {
public:
  explicit Tags(std::string_view text) : text_(text) {}

  /// `attribute(before, value, place)` for each, where `before` ends with its name; `tag(place)` where one begins.
  /// Either ends the walk by false.
  template <class Tag, class Attribute> void walk(Tag&& tag, Attribute&& attribute) {
    for (std::size_t at = text_.find('<'); at != std::string_view::npos; at = text_.find('<', at)) {
      if (const std::size_t behind = skip(at); behind != at) {
        at = behind;
        continue;
      }
      if (!tag(at) || !attributes(at, attribute)) return;
    }
  }

private:
  /// Behind a comment, declaration, CDATA section or closing tag that begins here; else `at` itself.
  std::size_t skip(std::size_t at) const {
    if (const char next = at + 1 < text_.size() ? text_[at + 1] : ' '; next != '!' && next != '?' && next != '/')
      return at;
    constexpr std::array<std::array<std::string_view, 2>, 5> kinds = {
        {{"<!--", "-->"}, {"<![CDATA[", "]]>"}, {"<?", "?>"}, {"<!", ">"}, {"</", ">"}}};
    for (const auto& [begin, end] : kinds) {
      if (text_.substr(at, begin.size()) != begin) continue;
      const std::size_t found = text_.find(end, at + begin.size());
      return found == std::string_view::npos ? text_.size() : found + end.size();
    }
    return at;
  }

  /// Moves behind the tag.
  template <class Attribute> bool attributes(std::size_t& at, Attribute&& attribute) const {
    while (true) {
      const std::size_t next = first_of<'=', '>', '"', '\''>(text_, at + 1);
      if (next == std::string_view::npos) return false;
      if (text_[next] == '>') {
        at = next;
        return true;
      }
      if (text_[next] != '=') return false;
      const std::size_t open = text_.find_first_not_of(" \t\r\n", next + 1);
      if (open == std::string_view::npos || (text_[open] != '"' && text_[open] != '\'')) return false;
      const std::size_t close = text_.find(text_[open], open + 1);
      if (close == std::string_view::npos) return false;
      if (!attribute(text_.substr(at + 1, next - at - 1), text_.substr(open + 1, close - open - 1), open)) return false;
      at = close;
    }
  }

  std::string_view text_;
};

std::string_view last_word(std::string_view before) {
  const std::size_t end = before.find_last_not_of(" \t\r\n");
  if (end == std::string_view::npos) return {};
  const std::size_t begin = before.find_last_of(" \t\r\n", end);
  return before.substr(begin == std::string_view::npos ? 0 : begin + 1, end - begin);
}

int line_at(std::string_view text, std::size_t at) {
  return 1 + static_cast<int>(std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(at), '\n'));
}

/// The number of "&#27;" or "&#x1b;", without its "&#" and ';'.
std::optional<std::uint32_t> character_number(std::string_view digits) {
  const bool hexadecimal = !digits.empty() && digits[0] == 'x';
  if (hexadecimal) digits.remove_prefix(1);
  std::uint32_t number = 0;
  const auto [end, error] =
      std::from_chars(digits.data(), digits.data() + digits.size(), number, hexadecimal ? 16 : 10);
  if (error != std::errc{} || end != digits.data() + digits.size() || digits.empty()) return std::nullopt;
  return number;
}

bool is_control(std::uint32_t character) {
  return (character < 0x20 && character != '\t' && character != '\n' && character != '\r') ||
         (character >= 0x7F && character <= 0x9F);
}

struct Fault {
  std::string what, help;
};

/// The fault of a reference that begins at '&'.
std::optional<Fault> reference_fault(std::string_view rest) {
  const std::size_t end = rest.substr(0, 12).find(';');
  const std::string_view name = end == std::string_view::npos ? std::string_view() : rest.substr(1, end - 1);
  for (const std::string_view known : {"lt", "gt", "amp", "quot", "apos"})
    if (name == known) return std::nullopt;
  if (!name.empty() && name[0] == '#') {
    const std::optional<std::uint32_t> number = character_number(name.substr(1));
    if (number && *number <= 0x10FFFF && (*number < 0xD800 || *number > 0xDFFF) && *number < 0xFFFE) {
      if (!is_control(*number)) return std::nullopt;
      return Fault{"is a control character, " + std::string(rest.substr(0, end + 1)), "remove it"};
    }
    if (number && *number > 0xFFFF && *number <= 0x10FFFF) return std::nullopt;
    return Fault{"is not a character, " + std::string(rest.substr(0, end + 1)), "write the character itself"};
  }
  return Fault{"is a '&' that begins no '&lt;', '&gt;', '&amp;', '&quot;' or '&apos;'",
               "in XML write '&amp;' for '&', and so '&amp;&amp;' for '&&'"};
}

std::optional<Fault> value_fault(std::string_view value) {
  for (std::size_t at = first_of<'<', '&'>(value); at != std::string_view::npos;
       at = first_of<'<', '&'>(value, at + 1)) {
    if (value[at] == '<') return Fault{"is a raw '<'", "in XML write '&lt;' for '<', and so '&lt;=' for '<='"};
    if (std::optional<Fault> fault = reference_fault(value.substr(at))) return fault;
  }
  return std::nullopt;
}

} // namespace

bool check_attribute_counts(const Sources::File& file, Diagnostics& diagnostics, bool& doubtful) {
  int count = 0;
  bool good = true;
  Tags(file.text).walk(
      [&count](std::size_t) {
        count = 0;
        return true;
      },
      [&](std::string_view, std::string_view value, std::size_t at) {
        doubtful = doubtful || first_of<'<', '&'>(value) != std::string_view::npos;
        constexpr int bearable = 4096; // smaller counts are reported elsewhere, with the element's name
        good = ++count <= bearable;
        if (!good)
          diagnostics.error("too-many-attributes", {&file.name, line_at(file.text, at)},
                            "an element has more than " + std::to_string(XmlLimits::attributes) + " attributes",
                            "put long tables into a file, or into one parameter as a matrix");
        return good;
      });
  return good;
}

bool check_values(const Sources::File& file, Diagnostics& diagnostics) {
  constexpr int most = 20;
  int faults = 0;
  Tags(file.text).walk([](std::size_t) { return true; },
                       [&](std::string_view before, std::string_view value, std::size_t at) {
                         const std::optional<Fault> fault = value_fault(value);
                         if (!fault) return true;
                         diagnostics.error("xml-syntax", {&file.name, line_at(file.text, at)},
                                           "in the value of " + hilda::base::in_quotes(last_word(before)) + " " +
                                               fault->what,
                                           fault->help);
                         return ++faults < most;
                       });
  return faults == 0;
}

} // namespace hilda::diagram
