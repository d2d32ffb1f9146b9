// SPDX-License-Identifier: BSD-3-Clause
#include "tools/studio/detail/edit/palette.h"

#include "engine/authoring/block_search.h"

#include <cmath>
#include <sstream>

namespace hilda::studio {
namespace {

const char* parameter_type(const Slot& slot) {
  if (slot.element == HILDA_CHOICE) return "choice";
  if (slot.element == HILDA_TEXT || slot.element == HILDA_PATH) return "text";
  return element_name(slot.element);
}

Json parameter_json(const Slot& slot) {
  Json made{{"name", slot.name}, {"doc", slot.doc}, {"type", parameter_type(slot)}, {"unit", slot.unit_text}};
  made["default"] = slot.initial ? Json(*slot.initial) : Json(nullptr);
  if (!slot.choices.empty()) made["choices"] = slot.choices;
  made["minimum"] = std::isfinite(slot.minimum) ? Json(slot.minimum) : Json(nullptr);
  made["maximum"] = std::isfinite(slot.maximum) ? Json(slot.maximum) : Json(nullptr);
  return made;
}

Json port_json(const Slot& slot) {
  const std::string kind = kind_name(slot.kind);
  return {{"name", slot.name},
          {"doc", slot.doc},
          {"kind", kind.empty() ? slot.shape_text : kind},
          {"unit", slot.unit_text},
          {"optional", slot.is(HILDA_OPTIONAL)},
          {"repeated", slot.is(HILDA_REPEATED)}};
}

} // namespace

Json palette_json(const Catalogue& catalogue) {
  Json all = Json::array();
  for (const BlockType* type : catalogue.all()) {
    Json inputs = Json::array(), outputs = Json::array(), parameters = Json::array();
    for (const Slot& slot : type->slots) {
      if (slot.role == HILDA_INPUT) inputs.push_back(port_json(slot));
      if (slot.role == HILDA_OUTPUT) outputs.push_back(port_json(slot));
      if (slot.role == HILDA_PARAMETER) parameters.push_back(parameter_json(slot));
    }
    all.push_back({{"type", type->name},
                   {"doc", type->doc},
                   {"inputs", std::move(inputs)},
                   {"outputs", std::move(outputs)},
                   {"parameters", std::move(parameters)}});
  }
  return all;
}

Json palette_names(const Catalogue& catalogue, const std::string& words) {
  std::istringstream stream(words);
  std::vector<std::string> list;
  for (std::string word; stream >> word;) list.push_back(word);
  Json names = Json::array();
  for (const BlockType* type : list.empty() ? catalogue.all() : search_blocks(catalogue, list))
    names.push_back(type->name);
  return names;
}

} // namespace hilda::studio
