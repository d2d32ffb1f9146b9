#include "engine/xml/attributes.h"

#include "engine/model/complaint.h"
#include "engine/xml/document.h"

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
  return name != nullptr ? tag + " " + hilda::quoted(name) : tag;
}

AttributeReader::AttributeReader(const XmlContext& context, const tinyxml2::XMLElement& element,
                                 std::span<const Known> known, Others others)
    : context_(context), element_(element), known_(known) {
  int count = 0;
  for (const tinyxml2::XMLAttribute* at = element.FirstAttribute(); at != nullptr; at = at->Next()) {
    if (++count > XmlLimits::attributes) {
      context_.diagnostics->error("too-many-attributes", context_.at(at->GetLineNum()),
                                  element_label(element) + " has more than " + std::to_string(XmlLimits::attributes) +
                                      " attributes",
                                  "put long tables into a file, or into one parameter as a matrix");
      break;
    }
    place(at->Name(), at->Value(), at->GetLineNum(), others);
  }
  if (others_.size() > 1) check_duplicates();
  for (std::size_t i = 0; i < known_.size(); ++i) {
    if (!known_[i].required || given(i)) continue;
    adopt_slip(i);
    if (given(i)) continue;
    context_.diagnostics->error("missing-attribute", context_.at(element.GetLineNum()),
                                element_label(element) + " has no attribute " + hilda::quoted(known_[i].name),
                                "add " + std::string(known_[i].name) + "=\"...\"");
  }
}

void AttributeReader::place(const char* name, const char* value, int line, Others others) {
  const std::string_view wanted(name);
  for (std::size_t i = 0; i < known_.size(); ++i)
    if (known_[i].name == wanted && keep(i, value, line)) return;
  if (wanted.substr(0, 3) == "ui.") return;
  if (others == Others::kept) {
    others_.push_back({std::string(wanted), value, context_.at(line)});
    return;
  }
  const std::vector<std::string> names = names_of(known_);
  const std::string near = context_.suggestions->near(std::string(wanted), names);
  context_.diagnostics->error(
      "unknown-attribute", context_.at(line), element_label(element_) + " knows no attribute " + hilda::quoted(wanted),
      near.empty() ? "it may have: " + listed(names) : "did you mean " + hilda::quoted(near) + "?");
  const auto meant = std::find(names.begin(), names.end(), near);
  const auto index = static_cast<std::size_t>(meant - names.begin());
  if (!near.empty() && !given(index)) keep(index, value, line);
}

/// Stores the value of a known attribute, or reports it as a duplicate.
bool AttributeReader::keep(std::size_t index, const char* value, int line) {
  if (given(index)) {
    refuse_duplicate(known_[index].name, line, lines_[index]);
    return true;
  }
  values_[index] = value;
  lines_[index] = line;
  return true;
}

/// Where a required attribute is missing and one that would otherwise be a parameter looks like it, that one is meant.
void AttributeReader::adopt_slip(std::size_t index) {
  const std::string name(known_[index].name);
  for (auto other = others_.begin(); other != others_.end(); ++other) {
    if (nearest(other->name, {name}).empty()) continue;
    context_.diagnostics->error("unknown-attribute", other->where,
                                element_label(element_) + " has no attribute " + hilda::quoted(name) + " but " +
                                    hilda::quoted(other->name),
                                "did you mean " + hilda::quoted(name) + "?");
    // The value outlives the attribute: it lies in the parsed file.
    values_[index] = element_.Attribute(other->name.c_str());
    lines_[index] = other->where.line;
    others_.erase(other);
    return;
  }
}

void AttributeReader::refuse_duplicate(std::string_view name, int line, int first) {
  context_.diagnostics->error("duplicate-attribute", context_.at(line),
                              element_label(element_) + " has the attribute " + hilda::quoted(name) + " twice",
                              "keep one", {{context_.at(first), "first given here"}});
}

void AttributeReader::check_duplicates() {
  constexpr std::size_t few = 12;
  const auto occurs_twice = [&](auto at) {
    return std::any_of(others_.begin(), at, [&](const Attribute& before) { return before.name == at->name; });
  };
  if (others_.size() <= few) {
    bool twice = false;
    for (auto at = others_.begin() + 1; at != others_.end(); ++at) twice = twice || occurs_twice(at);
    if (!twice) return;
  }
  std::vector<std::size_t> order(others_.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return others_[a].name < others_[b].name; });
  std::vector<bool> dropped(others_.size());
  for (std::size_t i = 1; i < order.size(); ++i) {
    const Attribute& before = others_[order[i - 1]];
    const Attribute& at = others_[order[i]];
    if (at.name != before.name) continue;
    refuse_duplicate(at.name, at.where.line, before.where.line);
    dropped[order[i]] = true;
  }
  std::size_t kept = 0;
  for (std::size_t i = 0; i < others_.size(); ++i)
    if (!dropped[i]) {
      if (kept != i) others_[kept] = std::move(others_[i]);
      ++kept;
    }
  others_.resize(kept);
}

} // namespace hilda
