// SPDX-License-Identifier: BSD-3-Clause
#include "engine/catalogue/detail/types/slot_reading.h"

#include "engine/base/characters.h"
#include "engine/base/error.h"
#include "engine/catalogue/shape_text.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <hilda/flags.h>
#include <string_view>
#include <utility>

namespace hilda::catalogue {
namespace {

struct FlagRule {
  std::uint32_t flag;
  const char* name;
  std::uint32_t roles; ///< bit 1 << role
};

constexpr std::uint32_t in = 1u << HILDA_INPUT, out = 1u << HILDA_OUTPUT, parameter = 1u << HILDA_PARAMETER,
                        state = 1u << HILDA_STATE, work = 1u << HILDA_WORK;

constexpr std::array<FlagRule, 25> flag_rules{{{HILDA_OPTIONAL, "OPTIONAL", in},
                                               {HILDA_IN_UPDATE, "IN_UPDATE", in},
                                               {HILDA_CONDITIONAL, "CONDITIONAL", in | out},
                                               {HILDA_PRIMES, "PRIMES", in},
                                               {HILDA_STATE_OUTPUT, "STATE_OUTPUT", out},
                                               {HILDA_ACTUATION, "ACTUATION", in},
                                               {HILDA_CROSSING, "CROSSING", out | work},
                                               {HILDA_CONTINUOUS, "CONTINUOUS", state},
                                               {HILDA_RING, "RING", state},
                                               {HILDA_RNG, "RNG", state},
                                               {HILDA_MODE, "MODE", state},
                                               {HILDA_BOUND, "BOUND", in | out | parameter | state | work},
                                               {HILDA_REPEATED, "REPEATED", in | out},
                                               {HILDA_ROTATIONAL, "ROTATIONAL", in | out | parameter | state | work},
                                               {HILDA_LIVE, "LIVE", parameter},
                                               {HILDA_RECONFIGURE, "RECONFIGURE", parameter},
                                               {HILDA_ABOVE, "ABOVE", parameter},
                                               {HILDA_BELOW, "BELOW", parameter},
                                               {HILDA_MEASUREMENT, "MEASUREMENT", out},
                                               {HILDA_UNRECORDED, "UNRECORDED", out},
                                               {HILDA_EXPECTED, "EXPECTED", in},
                                               {HILDA_EXPRESSION, "EXPRESSION", parameter},
                                               {HILDA_CROSSING_RATE, "CROSSING_RATE", work},
                                               {HILDA_ANY_UNIT, "ANY_UNIT", in},
                                               {HILDA_DIFFERENCE, "DIFFERENCE", parameter}}};

/// "pose", "truth.wrench"
bool port_name(std::string_view name) {
  while (true) {
    const std::size_t dot = name.find('.');
    if (!identifier(name.substr(0, dot), true)) return false;
    if (dot == std::string_view::npos) return true;
    name.remove_prefix(dot + 1);
  }
}

std::vector<std::string> split(std::string_view text, char separator) {
  std::vector<std::string> parts;
  while (true) {
    const std::size_t end = text.find(separator);
    parts.emplace_back(text.substr(0, end));
    if (end == std::string_view::npos) return parts;
    text.remove_prefix(end + 1);
  }
}

std::pair<std::int64_t, Unit> shape_and_unit(hilda_kind kind) {
  switch (kind) {
  case HILDA_WRENCH: return {6, Unit(Unit::Base::wrench)};
  case HILDA_TWIST: return {6, Unit(Unit::Base::twist)};
  case HILDA_POSE: return {7, Unit(Unit::Base::pose)};
  case HILDA_QUATERNION: return {4, Unit()};
  case HILDA_PLAIN: break;
  }
  return {1, Unit()};
}

} // namespace

bool SlotReader::known_enumerators(const hilda_slot& from) {
  if (from.role < HILDA_INPUT || from.role > HILDA_WORK)
    make_error("unknown role " + std::to_string(from.role));
  else if (from.element < HILDA_F64 || from.element > HILDA_CHOICE)
    make_error("unknown element " + std::to_string(from.element));
  else if (from.kind > HILDA_QUATERNION)
    make_error("unknown kind " + std::to_string(from.kind));
  else
    return true;
  return false;
}

std::optional<Slot> SlotReader::read(const hilda_slot& from, std::string& name) {
  if (from.size < sizeof(hilda_slot)) {
    make_error("size is less than that of this version's hilda_slot");
    return std::nullopt;
  }
  if (!known_enumerators(from)) return std::nullopt;
  Slot slot;
  slot.role = static_cast<hilda_role>(from.role);
  slot.element = static_cast<hilda_element>(from.element);
  slot.kind = static_cast<hilda_kind>(from.kind);
  if (from.name == nullptr) {
    make_error("name is null");
    return std::nullopt;
  }
  slot.name = from.name;
  name = std::string(role_name(slot.role)) + " " + in_quotes(slot.name);
  if ((from.flags & HILDA_REPEATED) != 0 && slot.name.ends_with("[]")) slot.name.resize(slot.name.size() - 2);
  if (!port_name(slot.name)) make_error("the name must consist of letters, digits, _ and inner dots");
  slot.doc = from.doc != nullptr ? from.doc : "";
  for (const char* text : {from.doc, from.shape, from.unit, from.initial, from.choices, from.count})
    if (text != nullptr && first_bad_byte(text) != std::string::npos) {
      make_error("one of its texts is not UTF-8, or holds control characters");
      return std::nullopt;
    }
  slot.flags = from.flags | ((from.flags & HILDA_REPEATED) != 0 ? std::uint32_t{HILDA_BOUND} : 0u);
  slot.minimum = from.minimum;
  slot.maximum = from.maximum;
  slot.offset = from.offset;
  slot.second_offset = from.second_offset;
  if (from.initial != nullptr) slot.initial = from.initial;
  if (from.count != nullptr) slot.count = from.count;
  check_flags(slot);
  read_shape(slot, from);
  read_unit(slot, from);
  read_choices(slot, from);
  check_range(slot);
  return slot;
}

void SlotReader::check_flags(const Slot& slot) {
  std::uint32_t known = 0;
  for (const FlagRule& rule : flag_rules) {
    known |= rule.flag;
    if (slot.is(rule.flag) && (rule.roles & (1u << slot.role)) == 0)
      make_error(std::string("HILDA_") + rule.name + " means nothing for this role");
  }
  for (std::uint32_t bit = 0; bit < 32; ++bit)
    if ((slot.flags & ~known & (1u << bit)) != 0) make_error("unknown flag 1 << " + std::to_string(bit));
  const bool real = slot.element == HILDA_F64;
  if (slot.is(HILDA_CONTINUOUS) && (!real || slot.is(HILDA_RING))) make_error("a continuous state is real and no ring");
  if (slot.is(HILDA_CROSSING_RATE) && !slot.is(HILDA_CROSSING))
    make_error("HILDA_CROSSING_RATE requires HILDA_CROSSING");
  if (slot.is(HILDA_RING) && slot.is(HILDA_BOUND)) make_error("a ring is bound in its own way: no HILDA_BOUND");
  if (slot.element >= HILDA_TEXT && slot.role != HILDA_PARAMETER)
    make_error(std::string(element_name(slot.element)) + " is for parameters alone");
  if (slot.kind != HILDA_PLAIN && !real) make_error(std::string("a ") + kind_name(slot.kind) + " has real elements");
}

void SlotReader::read_shape(Slot& slot, const hilda_slot& from) {
  slot.shape_text = from.shape != nullptr ? from.shape : "";
  if (slot.kind != HILDA_PLAIN) {
    const std::int64_t rows = shape_and_unit(slot.kind).first;
    if (!slot.shape_text.empty() && slot.shape_text != std::to_string(rows))
      make_error("the kind fixes the shape: leave it null");
    slot.shape_text = std::to_string(rows);
  }
  auto shape = parse_shape(slot.shape_text);
  if (!shape)
    return make_error("the shape " + in_quotes(slot.shape_text) +
                      " is none: write nothing for a scalar, '3', 'n', 'm n', '2*n+1', 'sum(n)' or '*s'");
  slot.shape = std::move(*shape);
  const bool scalar = slot.shape.fixed() && slot.shape.rows.constant == 1 && slot.shape.cols.constant == 1;
  if (!slot.shape.fixed() && !slot.is(HILDA_BOUND | HILDA_RING))
    make_error("the shape " + in_quotes(slot.shape_text) + " depends on the diagram: the slot must be HILDA_BOUND");
  if (slot.element >= HILDA_TEXT && (!scalar || slot.is(HILDA_BOUND)))
    make_error(std::string("a ") + element_name(slot.element) + " has no shape and is not bound");
  if (slot.is(HILDA_CROSSING) && ((!scalar && slot.role == HILDA_OUTPUT) || slot.element != HILDA_F64))
    make_error("a crossing is real, and as an output a scalar");
}

void SlotReader::read_unit(Slot& slot, const hilda_slot& from) {
  slot.unit_text = from.unit != nullptr ? from.unit : "";
  if (slot.kind != HILDA_PLAIN) {
    if (!slot.unit_text.empty()) make_error("the kind fixes the unit: leave it null");
    slot.unit.constant.unit = slot.declared.unit = shape_and_unit(slot.kind).second;
    slot.unit_text = slot.unit.constant.unit.dimensionless() ? "" : kind_name(slot.kind);
    return;
  }
  if (slot.unit_text.empty()) return;
  if (slot.element >= HILDA_U8) return make_error(std::string("a ") + element_name(slot.element) + " has no unit");
  auto unit = parse_unit_expression(slot.unit_text);
  if (!unit) return make_error("the unit " + in_quotes(slot.unit_text) + " cannot be read: " + unit.error().what);
  slot.unit = std::move(*unit);
  if (slot.is(HILDA_ROTATIONAL)) slot.unit.constant.unit = slot.unit.constant.unit.rotational();
  slot.declared = slot.unit.constant;
  const bool coherent = slot.declared.factor() == 1.0 && slot.declared.offset == 0.0;
  if (slot.role != HILDA_PARAMETER && !coherent)
    make_error("signals are in SI: " + in_quotes(slot.unit_text) + " is not a unit of SI without a factor");
  if (!slot.unit.fixed()) {
    if (!coherent) make_error("a unit with a variable has no factor");
    slot.declared = UnitReading{};
  }
}

void SlotReader::read_choices(Slot& slot, const hilda_slot& from) {
  const bool named = slot.role == HILDA_OUTPUT && slot.element == HILDA_I64 && from.choices != nullptr;
  if (slot.element != HILDA_CHOICE && !named) return;
  if (from.choices == nullptr) return make_error("choices is null");
  slot.choices = split(from.choices, '|');
  for (std::size_t i = 0; i < slot.choices.size(); ++i) {
    if (slot.choices[i].empty()) make_error("an empty word among the choices");
    if (std::find(slot.choices.begin(), slot.choices.begin() + static_cast<std::ptrdiff_t>(i), slot.choices[i]) !=
        slot.choices.begin() + static_cast<std::ptrdiff_t>(i))
      make_error("the choice " + in_quotes(slot.choices[i]) + " is there twice");
  }
  if (slot.initial && std::find(slot.choices.begin(), slot.choices.end(), *slot.initial) == slot.choices.end())
    make_error("the default " + in_quotes(*slot.initial) + " is not one of the choices");
}

void SlotReader::check_range(const Slot& slot) {
  if (slot.role != HILDA_PARAMETER) return;
  if (std::isnan(slot.minimum) || std::isnan(slot.maximum) || slot.minimum > slot.maximum)
    make_error("the range from minimum to maximum is empty");
}

} // namespace hilda::catalogue
