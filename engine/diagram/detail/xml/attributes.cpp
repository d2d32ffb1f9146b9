// SPDX-License-Identifier: BSD-3-Clause
#include "engine/diagram/attributes.h"

#include "engine/base/error.h"
#include "engine/diagram/document.h"

#include <algorithm>

namespace hilda::diagram {
namespace {

std::vector<std::string> names_of(std::span<const Known> known) {
  std::vector<std::string> names;
  names.reserve(known.size());
  for (const Known& one : known) names.emplace_back(one.name);
  return names;
}

} // namespace

std::string element_label(const ParsedNode& element) {
  const ParsedAttribute* name = element.attribute("name");
  const std::string tag = "<" + std::string(element.name) + ">";
  return name != nullptr ? tag + " " + hilda::base::in_quotes(name->value) : tag;
}

AttributeReader::AttributeReader(const XmlContext& context, const ParsedNode& element, Others others,
                                 std::span<const Known> known)
    : context_(context), element_(element), known_(known) {
  int count = 0;
  for (const ParsedAttribute& at : element.attributes) {
    if (++count > XmlLimits::attributes) {
      context_.diagnostics->error("too-many-attributes", context_.at(at.line),
                                  element_label(element) + " has more than " + std::to_string(XmlLimits::attributes) +
                                      " attributes",
                                  "put long tables into a file, or into one parameter as a matrix");
      others_.clear();
      break;
    }
    place(at, others);
  }
  for (std::size_t i = 0; i < known_.size(); ++i) {
    if (!known_[i].required || given(i) || refused_as_empty(i)) continue;
    adopt_slip(i);
    if (given(i) || refused_as_empty(i)) continue;
    context_.diagnostics->error("missing-attribute", context_.at(element.line),
                                element_label(element) + " has no attribute " + hilda::base::in_quotes(known_[i].name),
                                "add " + std::string(known_[i].name) + "=\"...\"");
  }
}

void AttributeReader::place(const ParsedAttribute& attribute, Others others) {
  const std::string_view wanted = attribute.name;
  for (std::size_t i = 0; i < known_.size(); ++i)
    if (known_[i].name == wanted) return keep(i, attribute);
  if (wanted.substr(0, 3) == "ui.") return;
  if (others == Others::kept) {
    others_.push_back({std::string(wanted), std::string(attribute.value), context_.at(attribute.line)});
    return;
  }
  const std::vector<std::string> names = names_of(known_);
  const std::string near = context_.suggestions->near(std::string(wanted), names);
  const std::string parameter = element_.name != "diagram"
                                    ? ""
                                    : "; a parameter of the diagram is an element: <parameter name=\"" +
                                          std::string(wanted) + "\" value=\"...\"/>";
  context_.diagnostics->error("unknown-attribute", context_.at(attribute.line),
                              element_label(element_) + " knows no attribute " + hilda::base::in_quotes(wanted),
                              near.empty() ? "it may have: " + listed(names) + parameter
                                           : "did you mean " + hilda::base::in_quotes(near) + "?");
  const auto meant = std::find(names.begin(), names.end(), near);
  const auto index = static_cast<std::size_t>(meant - names.begin());
  if (!near.empty() && !given(index)) keep(index, attribute);
}

void AttributeReader::keep(std::size_t index, const ParsedAttribute& attribute) {
  lines_[index] = attribute.line;
  const Known& known = known_[index];
  if (known.may_be_empty || attribute.value.find_first_not_of(" \t\r\n") != std::string_view::npos) {
    values_[index] = attribute.value;
    return;
  }
  context_.diagnostics->error("empty-attribute", context_.at(attribute.line),
                              element_label(element_) + " has nothing in " + std::string(known.name) + "=\"\"",
                              known.required ? "write " + std::string(known.name) + "=\"...\""
                                             : "give it a value, or leave it out");
}

/// Where a required attribute is missing and one that would otherwise be a parameter looks like it, that one is meant.
void AttributeReader::adopt_slip(std::size_t index) {
  const std::string name(known_[index].name);
  for (auto other = others_.begin(); other != others_.end(); ++other) {
    if (nearest(other->name, {name}).empty()) continue;
    context_.diagnostics->error("unknown-attribute", other->where,
                                element_label(element_) + " has no attribute " + hilda::base::in_quotes(name) +
                                    " but " + hilda::base::in_quotes(other->name),
                                "did you mean " + hilda::base::in_quotes(name) + "?");
    // The value outlives the attribute: it lies in the parsed file.
    keep(index, *element_.attribute(other->name));
    others_.erase(other);
    return;
  }
}

} // namespace hilda::diagram
