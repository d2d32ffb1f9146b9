#include "engine/xml/attributes.h"

#include "engine/diagnostics/complaint.h"
#include "engine/xml/text/document.h"

#include <algorithm>
#include <tinyxml2.h>

namespace hilda {
namespace {

std::vector<std::string> names_of(std::span<const Known> known) {
  std::vector<std::string> names;
  names.reserve(known.size());
  for (const Known& one : known) names.emplace_back(one.name);
  return names;
}

} // namespace

std::string element_label(const tinyxml2::XMLElement& element) {
  const char* name = element.Attribute("name");
  const std::string tag = std::string("<") + element.Name() + ">";
  return name != nullptr ? tag + " " + hilda::in_quotes(name) : tag;
}

AttributeReader::AttributeReader(const XmlContext& context, const tinyxml2::XMLElement& element, Others others,
                                 std::span<const Known> known)
    : context_(context), element_(element), known_(known) {
  int count = 0;
  for (const tinyxml2::XMLAttribute* at = element.FirstAttribute(); at != nullptr; at = at->Next()) {
    if (++count > XmlLimits::attributes) {
      context_.diagnostics->error("too-many-attributes", context_.at(at->GetLineNum()),
                                  element_label(element) + " has more than " + std::to_string(XmlLimits::attributes) +
                                      " attributes",
                                  "put long tables into a file, or into one parameter as a matrix");
      others_.clear();
      break;
    }
    place(at->Name(), at->Value(), at->GetLineNum(), others);
  }
  for (std::size_t i = 0; i < known_.size(); ++i) {
    if (!known_[i].required || given(i)) continue;
    adopt_slip(i);
    if (given(i)) continue;
    context_.diagnostics->error("missing-attribute", context_.at(element.GetLineNum()),
                                element_label(element) + " has no attribute " + hilda::in_quotes(known_[i].name),
                                "add " + std::string(known_[i].name) + "=\"...\"");
  }
}

void AttributeReader::place(const char* name, const char* value, int line, Others others) {
  const std::string_view wanted(name);
  for (std::size_t i = 0; i < known_.size(); ++i)
    if (known_[i].name == wanted) return keep(i, value, line);
  if (wanted.substr(0, 3) == "ui.") return;
  if (others == Others::kept) {
    others_.push_back({std::string(wanted), value, context_.at(line)});
    return;
  }
  const std::vector<std::string> names = names_of(known_);
  const std::string near = context_.suggestions->near(std::string(wanted), names);
  context_.diagnostics->error("unknown-attribute", context_.at(line),
                              element_label(element_) + " knows no attribute " + hilda::in_quotes(wanted),
                              near.empty() ? "it may have: " + listed(names)
                                           : "did you mean " + hilda::in_quotes(near) + "?");
  const auto meant = std::find(names.begin(), names.end(), near);
  const auto index = static_cast<std::size_t>(meant - names.begin());
  if (!near.empty() && !given(index)) keep(index, value, line);
}

void AttributeReader::keep(std::size_t index, const char* value, int line) {
  values_[index] = value;
  lines_[index] = line;
}

/// Where a required attribute is missing and one that would otherwise be a parameter looks like it, that one is meant.
void AttributeReader::adopt_slip(std::size_t index) {
  const std::string name(known_[index].name);
  for (auto other = others_.begin(); other != others_.end(); ++other) {
    if (nearest(other->name, {name}).empty()) continue;
    context_.diagnostics->error("unknown-attribute", other->where,
                                element_label(element_) + " has no attribute " + hilda::in_quotes(name) + " but " +
                                    hilda::in_quotes(other->name),
                                "did you mean " + hilda::in_quotes(name) + "?");
    // The value outlives the attribute: it lies in the parsed file.
    values_[index] = element_.Attribute(other->name.c_str());
    lines_[index] = other->where.line;
    others_.erase(other);
    return;
  }
}

} // namespace hilda
