// SPDX-License-Identifier: BSD-3-Clause
#include "tools/cli/block_text.h"

#include "engine/base/diagnostic.h"
#include "engine/base/word_list.h"
#include "engine/catalogue/output_limits.h"
#include "engine/catalogue/port_parts.h"
#include "engine/quantity/value.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <hilda/flags.h>
#include <vector>

namespace hilda::cli {
namespace {

std::string joined(const std::vector<std::string>& parts, const char* separator) {
  std::string text;
  for (const std::string& part : parts) text += (text.empty() ? "" : separator) + part;
  return text;
}

/// "wrench", "scalar", "3", "m x n", "any shape s", "boolean n"
std::string shape_of(const Slot& slot) {
  if (slot.kind != HILDA_PLAIN) return kind_name(slot.kind);
  if (slot.element == HILDA_CHOICE) return joined(slot.choices, " | ");
  if (slot.element == HILDA_TEXT || slot.element == HILDA_PATH) return slot.element == HILDA_PATH ? "file" : "text";
  std::string shape = slot.shape_text;
  if (!shape.empty() && shape.front() == '*')
    shape = "any shape " + shape.substr(1);
  else if (const auto blank = shape.find(' '); blank != std::string::npos)
    shape.replace(blank, 1, " x ");
  if (slot.element == HILDA_F64) return shape.empty() ? "scalar" : shape;
  return shape.empty() ? element_name(slot.element) : std::string(element_name(slot.element)) + " " + shape;
}

/// A named shape has its own units.
std::string unit_of(const Slot& slot) { return slot.kind == HILDA_PLAIN ? slot.unit_text : ""; }

std::string name_of(const Slot& slot) { return slot.is(HILDA_REPEATED) ? slot.name + "[]" : slot.name; }

std::string input_traits(const Slot& slot) {
  std::string traits;
  if (slot.is(HILDA_IN_UPDATE))
    add_word(traits, "breaks loops");
  else if (slot.is(HILDA_CONDITIONAL))
    add_word(traits, "feeds through, depending on parameters");
  else
    add_word(traits, "feeds through");
  if (slot.is(HILDA_OPTIONAL)) add_word(traits, "optional");
  if (slot.is(HILDA_ANY_UNIT)) add_word(traits, "of any unit");
  if (slot.is(HILDA_PRIMES)) add_word(traits, "read first at the start and after a reset");
  if (slot.is(HILDA_ACTUATION)) add_word(traits, "moves something: guarded by the safety stage");
  return traits;
}

/// "between lower and upper", "at most upper"; empty where nothing limits it
std::string limits_text(const BlockType& type, const Slot& slot) {
  std::vector<std::string> told_when_loaded;
  const auto text = [&type](const OutputLimits::Limit& limit) {
    return (limit.negative ? "-" : "") + type.slots[limit.parameter].name;
  };
  for (const auto& [output, lower, upper] : output_limits(type, told_when_loaded)) {
    if (&type.slots[output] != &slot) continue;
    if (!lower.parameter.valid()) return "at most " + text(upper);
    return upper.parameter.valid() ? "between " + text(lower) + " and " + text(upper) : "at least " + text(lower);
  }
  return {};
}

std::string output_traits(const BlockType& type, const Slot& slot) {
  std::string traits = limits_text(type, slot);
  if (slot.is(HILDA_STATE_OUTPUT))
    add_word(traits, slot.is(HILDA_CONDITIONAL) ? "from state, depending on parameters" : "from state");
  if (slot.is(HILDA_MEASUREMENT)) add_word(traits, "measured");
  if (slot.is(HILDA_CROSSING)) add_word(traits, "its sign changes are located");
  if (slot.is(HILDA_UNRECORDED)) add_word(traits, "not in the log unless asked for");
  return traits;
}

/// "at least 0", "above 0, at most 1"
std::string range_of(const Slot& slot) {
  std::string range;
  if (std::isfinite(slot.minimum))
    add_word(range, (slot.is(HILDA_ABOVE) ? "above " : "at least ") + decimal(slot.minimum));
  if (std::isfinite(slot.maximum))
    add_word(range, (slot.is(HILDA_BELOW) ? "below " : "at most ") + decimal(slot.maximum));
  return range;
}

std::string parameter_traits(const Slot& slot) {
  std::string traits;
  if (!slot.initial)
    add_word(traits, "must be given");
  else
    add_word(traits, slot.initial->empty() ? "default: empty" : "default " + *slot.initial);
  if (slot.element == HILDA_F64 || slot.element == HILDA_I64 || slot.element == HILDA_U64)
    add_word(traits, range_of(slot));
  if (slot.is(HILDA_LIVE))
    add_word(traits, "may change while it runs");
  else if (slot.is(HILDA_RECONFIGURE))
    add_word(traits, "may change while the loop is paused");
  return traits;
}

std::string state_traits(const Slot& slot) {
  std::string traits;
  if (slot.is(HILDA_CONTINUOUS)) add_word(traits, "continuous");
  if (slot.is(HILDA_RING)) add_word(traits, "delay line");
  if (slot.is(HILDA_RNG)) add_word(traits, "random generator");
  if (slot.is(HILDA_MODE)) add_word(traits, "mode");
  return traits;
}

std::string traits_of(const BlockType& type, const Slot& slot) {
  switch (slot.role) {
  case HILDA_INPUT: return input_traits(slot);
  case HILDA_OUTPUT: return output_traits(type, slot);
  case HILDA_PARAMETER: return parameter_traits(slot);
  case HILDA_STATE: return state_traits(slot);
  case HILDA_WORK: break;
  }
  return {};
}

/// The slots of one role as a table, the sentence of each below it.
std::string section(const BlockType& type, const std::string& title, hilda_role role) {
  std::vector<const Slot*> slots;
  std::size_t names = 0, shapes = 0, units = 0;
  for (const Slot& slot : type.slots) {
    if (slot.role != role) continue;
    slots.push_back(&slot);
    names = std::max(names, name_of(slot).size());
    shapes = std::max(shapes, shape_of(slot).size());
    units = std::max(units, unit_of(slot).size());
  }
  if (slots.empty()) return {};
  std::string text = "\n" + title + "\n";
  for (const Slot* slot : slots) {
    std::string line = fmt::format("  {:<{}}  {:<{}}  {:<{}}  {}", name_of(*slot), names, shape_of(*slot), shapes,
                                   unit_of(*slot), units, traits_of(type, *slot));
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + "\n";
    if (!slot->doc.empty()) text += "      " + slot->doc + "\n";
  }
  return text;
}

/// What the signs in shapes, units and names mean, where there are any.
std::string legend_of(const BlockType& type) {
  bool unit_variables = false, sizes = false, repeated = false;
  for (const Slot& slot : type.slots) {
    if (slot.role == HILDA_WORK) continue;
    unit_variables = unit_variables || slot.unit_text.find('@') != std::string::npos;
    sizes = sizes || !slot.shape.fixed();
    repeated = repeated || slot.is(HILDA_REPEATED);
  }
  std::string text;
  if (unit_variables) text += "  @u is any unit; it is the same wherever the name occurs in the block.\n";
  if (sizes) text += "  A letter is any size or shape, the same wherever it occurs; wires and parameters decide it.\n";
  if (repeated) text += "  name[] is wired as name[0], name[1] ..., as often as needed.\n";
  for (const std::string& line : parted_port_texts(type)) text += "  " + line + "\n";
  return text.empty() ? text : "\n" + text;
}

} // namespace

std::vector<std::string> parted_port_texts(const BlockType& type) {
  std::vector<std::string> lines;
  for (const PartedPort& port : parted_ports(type)) {
    const bool input = port.role == HILDA_INPUT;
    lines.push_back(port.name + (input ? " is an input" : " is an output") + " with the parts " +
                    joined(port.parts, ", ") + ": a wire " + (input ? "drives" : "takes") +
                    " all of them, as a bus, or one.");
  }
  return lines;
}

std::string subject_of(const BlockType& type) { return type.name.substr(0, type.name.find('/')); }

std::string first_sentence(const std::string& doc) {
  const auto ends_here = [&doc](std::size_t dot) {
    if (dot > 0 && doc[dot - 1] == '.') return false; // "..."
    if (dot + 1 == doc.size()) return true;
    return doc[dot + 1] == '\n' ||
           (doc[dot + 1] == ' ' && dot + 2 < doc.size() && doc[dot + 2] >= 'A' && doc[dot + 2] <= 'Z');
  };
  for (std::size_t dot = doc.find('.'); dot != std::string::npos; dot = doc.find('.', dot + 1))
    if (ends_here(dot)) return doc.substr(0, dot + 1);
  return doc;
}

SlotText slot_text(const BlockType& type, const Slot& slot) {
  return {name_of(slot), shape_of(slot), unit_of(slot), traits_of(type, slot)};
}

std::string block_text(const BlockType& type, const std::function<std::string(const std::string&)>& title) {
  const auto set = [&title](const char* text) { return title ? title(text) : std::string(text); };
  std::string text = set(type.name.c_str()) + "\n  " + type.doc + "\n";
  text += section(type, set("Inputs"), HILDA_INPUT);
  text += section(type, set("Outputs"), HILDA_OUTPUT);
  text += section(type, set("Parameters"), HILDA_PARAMETER);
  text += section(type, set("States"), HILDA_STATE);
  text += legend_of(type);
  if ((type.abi->flags & HILDA_REALTIME_UNSAFE) != 0)
    text += "\n  Not for real time: it may allocate or wait in the loop.\n";
  if ((type.abi->flags & HILDA_EXTERNAL_STATE) != 0) text += "\n  Keeps state outside of the engine's memory.\n";
  return text + "\n  from " + type.plugin + "\n";
}

const BlockType* find_block(const Catalogue& catalogue, const std::string& name, std::string& problem) {
  if (const BlockType* type = catalogue.find(name)) return type;
  std::vector<std::string> candidates = catalogue.names();
  const BlockType* found = nullptr;
  for (const BlockType* type : catalogue.all()) {
    const std::string bare = type->name.substr(type->name.find('/') + 1);
    candidates.push_back(bare);
    if (bare != name) continue;
    if (found != nullptr)
      problem += " " + type->name;
    else
      found = type;
  }
  if (found != nullptr && problem.empty()) return found;
  if (found != nullptr) {
    problem = hilda::base::in_quotes(name) + " may be one of: " + found->name + problem;
    return nullptr;
  }
  const std::string near = nearest(name, candidates);
  problem = "there is no block " + hilda::base::in_quotes(name) +
            (near.empty() ? "" : "; did you mean '" + near + "'?") + "\nhelp: hilda blocks " +
            name.substr(name.rfind('/') + 1) + " looks for it in names and descriptions";
  return nullptr;
}

} // namespace hilda::cli
