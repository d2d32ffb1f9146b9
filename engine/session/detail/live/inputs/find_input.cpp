// SPDX-License-Identifier: BSD-3-Clause
#include "engine/session/find_input.h"

#include "engine/base/error.h"
#include "engine/catalogue/driven_type.h"
#include "engine/plugin/parameter_record.h"
#include "engine/quantity/value.h"

#include <algorithm>
#include <cfloat>
#include <cmath>
#include <cstring>
#include <set>

namespace hilda::session {
namespace {

constexpr double largest_whole = 9007199254740992.0; // 2^53: up to here a number is itself

/// Looks from a path to the blocks that it reaches.
class Finder {
public:
  Finder(const System& system, const Memory& memory, const std::string& path, Diagnostics& diagnostics, Location where)
      : system_(system), memory_(memory), path_(path), diagnostics_(diagnostics), where_(where) {}

  std::optional<FoundInput> find() {
    const std::optional<ParameterText> found = find_parameter(system_, path_);
    if (!found) return unknown();
    std::vector<BlockParameter> reached;
    if (found->parameter.valid()) {
      if (!follow(found->parameter, reached)) return std::nullopt;
    } else {
      reached.push_back(found->in_block);
    }
    for (const BlockParameter& each : reached)
      if (!add(each)) return std::nullopt;
    find_rate(*found, reached);
    if (!readable(*found)) return std::nullopt;
    return std::move(input_);
  }

private:
  bool refuse(const char* code, const std::string& what, const std::string& help, std::vector<Note> notes = {}) {
    diagnostics_.error(code, where_, what, help, std::move(notes));
    return false;
  }
  std::string by_texts() const { return "give " + in_quotes(path_) + " texts: set, or Tuning::set"; }

  std::nullopt_t unknown() {
    const std::string near = nearest(path_, parameter_paths(system_));
    refuse("unknown-setting", "there is no parameter " + in_quotes(path_),
           near.empty() ? "a path is that of a block and its parameter, or of a <parameter> or <input>"
                        : "did you mean " + in_quotes(near) + "?");
    return std::nullopt;
  }

  /// A named parameter: every block that gets it, each as it is.
  bool follow(ParameterIndex parameter, std::vector<BlockParameter>& reached) {
    const Dependents dependents = ParameterDependencies(system_).of({parameter});
    if (!dependents.settled.empty())
      return refuse("live-settled", "what depends on " + in_quotes(path_) + " counts once, before the first tick",
                    "restart with --set " + path_ + "=...",
                    {{system_.parameters.settled()[dependents.settled.front()].where, "it is used here"}});
    if (dependents.blocks.empty())
      return refuse("live-unused", "no running block depends on " + in_quotes(path_),
                    "it counts before the first tick, or not at all: restart with --set");
    named_.insert(dependents.parameters.begin(), dependents.parameters.end());
    for (const ParameterIndex each : dependents.parameters) {
      const NamedParameter& named = system_.parameters[each];
      if (each != parameter && !names_one(named.given.text, named.scope))
        return computed(named.path, named.given.text, named.given.where);
    }
    for (const BlockParameter& each : dependents.blocks) {
      const ParameterValue& value = value_of(each);
      if (!names_one(value.text, value.scope)) return computed(name_of(each), value.text, value.where);
      reached.push_back(each);
    }
    return true;
  }

  /// Is a text nothing but the name of one of those that depend on it?
  bool names_one(std::string text, ScopeIndex scope) const {
    const auto blank = [](char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; };
    std::erase_if(text, blank);
    if (!text.starts_with("${") || !text.ends_with('}')) return false;
    return named_.contains(system_.parameters.find(scope, text.substr(2, text.size() - 3)));
  }

  bool computed(const std::string& name, const std::string& text, Location where) {
    return refuse("input-computed",
                  in_quotes(name) + " is computed of " + in_quotes(path_) + ": " + text +
                      "; an input gives its numbers as they are",
                  by_texts(), {{where, "it is computed here"}});
  }

  const ParameterValue& value_of(const BlockParameter& which) const {
    return system_.blocks[which.block].parameters[which.index];
  }
  std::string name_of(const BlockParameter& which) const {
    const SystemBlock& block = system_.blocks[which.block];
    return block.path + "." + block.type->slots[value_of(which).slot].name;
  }

  bool may_change(const BlockParameter& which, const Slot& slot) {
    const std::string name = in_quotes(name_of(which));
    const ParameterValue& value = value_of(which);
    if (is_driven(*system_.blocks[which.block].type, value.slot))
      return refuse("live-driven", name + " is " + value.value.text + ", which gives it a value at every tick",
                    "set what drives it");
    if (slot.is(HILDA_RECONFIGURE))
      return refuse("live-paused", name + " can only be changed while the loop is paused",
                    "in a simulation: set it by a text; the diagram is then rebuilt and keeps its states");
    if (!slot.is(HILDA_LIVE))
      return refuse("live-fixed", name + " is fixed while the diagram runs",
                    "restart with --set " + path_ + "=..." + (slot.doc.empty() ? "" : "; it is: " + slot.doc));
    if (slot.element == HILDA_TEXT || slot.element == HILDA_PATH || slot.element == HILDA_CHOICE ||
        slot.is(HILDA_EXPRESSION))
      return refuse("live-text", name + " is not a number: it takes a text", by_texts());
    return true;
  }

  bool add(const BlockParameter& which) {
    const SystemBlock& block = system_.blocks[which.block];
    const ParameterValue& value = value_of(which);
    const BlockType& layout = memory_.layout(which.block);
    const Slot& slot = layout.slots[value.slot];
    if (!may_change(which, slot)) return false;
    const SignalType& type = block.slot_types[value.slot];
    const Span span = memory_.span(which.block, value.slot);
    const bool plain = type.kind == HILDA_PLAIN && type.unit && !type.unit->dimensionless();
    const std::string unit = plain && slot.element != HILDA_U8 ? type.unit->text() : "";
    const int rows = value.value.extent.rows, cols = value.value.extent.cols;
    if (input_.targets.empty()) {
      input_.rows = rows, input_.cols = cols, input_.unit = unit, input_.element = slot.element;
      input_.least = -DBL_MAX, input_.most = DBL_MAX;
      first_ = which;
    } else if (rows != input_.rows || cols != input_.cols || unit != input_.unit || slot.element != input_.element) {
      return refuse("input-apart",
                    in_quotes(name_of(first_)) + " takes " + told(input_.rows, input_.cols, input_.unit) + ", and " +
                        in_quotes(name_of(which)) + " takes " + told(rows, cols, unit) + ": both are " +
                        in_quotes(path_),
                    by_texts());
    }
    narrow(slot);
    input_.targets.push_back({which, value.slot, span, layout.abi->prepare != nullptr});
    return true;
  }

  static std::string told(int rows, int cols, const std::string& unit) {
    return (cols == 1 ? std::to_string(rows) : std::to_string(rows) + "x" + std::to_string(cols)) +
           (rows == 1 && cols == 1 ? " number" : " numbers") + (unit.empty() ? " without a unit" : " in " + unit);
  }

  /// To what every block takes.
  void narrow(const Slot& slot) {
    double least = slot.declared.to_si(slot.minimum), most = slot.declared.to_si(slot.maximum);
    if (slot.is(HILDA_ABOVE)) least = std::nextafter(least, HUGE_VAL);
    if (slot.is(HILDA_BELOW)) most = std::nextafter(most, -HUGE_VAL);
    if (slot.element == HILDA_U8) least = 0, most = 1;
    if (slot.element == HILDA_I64) least = std::max(least, -largest_whole), most = std::min(most, largest_whole);
    if (slot.element == HILDA_U64) least = std::max(least, 0.0), most = std::min(most, largest_whole);
    if (input_.range.empty() || least > input_.least || most < input_.most) input_.range = range_text(slot);
    input_.least = std::max(input_.least, least), input_.most = std::min(input_.most, most);
  }

  /// The lowest of the rates that <live> gives to anything that it reaches.
  void find_rate(const ParameterText& found, const std::vector<BlockParameter>& reached) {
    for (const LiveRate& rate : system_.live_rates) {
      const bool its = rate.parameter.valid() ? named_.contains(rate.parameter) || rate.parameter == found.parameter
                                              : std::find(reached.begin(), reached.end(),
                                                          BlockParameter{rate.block, rate.index}) != reached.end();
      if (!its) continue;
      input_.rate = input_.rated.empty() ? rate.rate : std::min(input_.rate, rate.rate);
      input_.rated.push_back(rate.path);
    }
  }

  /// What was written is read again as a text, by a replay of a log that begins within the run and by `reload`.
  bool readable(const ParameterText& found) {
    for (const double number : value_of(first_).value.numbers) input_.words.push_back(word_of(input_.element, number));
    ParameterText text = found;
    text.given = {path_, setting_text(input_, input_.words), where_};
    Diagnostics unheard;
    const std::optional<ParameterChange> change = change_parameters(system_, {text}, unheard);
    const auto same = [&](const ParameterChange::InBlock& each) {
      return same_numbers(each.value, value_of(each.parameter).value);
    };
    if (change && std::all_of(change->blocks.begin(), change->blocks.end(), same)) return true;
    return refuse("input-computed",
                  in_quotes(path_) + " has no text that gives its numbers again: " + in_quotes(text.given.text) +
                      " is read as others",
                  by_texts());
  }

  const System& system_;
  const Memory& memory_;
  const std::string& path_;
  Diagnostics& diagnostics_;
  const Location where_;
  std::set<ParameterIndex> named_;
  FoundInput input_;
  BlockParameter first_;
};

std::string number_text(hilda_element element, std::uint64_t word) {
  switch (element) {
  case HILDA_U8: return word != 0 ? "true" : "false";
  case HILDA_I64: return std::to_string(static_cast<std::int64_t>(word));
  case HILDA_U64: return std::to_string(word);
  default: return decimal(std::bit_cast<double>(word));
  }
}

} // namespace

std::optional<FoundInput> find_input(const System& system, const Memory& memory, const std::string& path,
                                     Diagnostics& diagnostics, Location where) {
  return Finder(system, memory, path, diagnostics, where).find();
}

std::string setting_text(int rows, int cols, hilda_element element, const std::string& unit,
                         std::span<const std::uint64_t> words) {
  std::string text;
  const auto r = static_cast<std::size_t>(rows), c = static_cast<std::size_t>(cols);
  for (std::size_t row = 0; row < r; ++row) {
    for (std::size_t col = 0; col < c; ++col)
      text += (row + col == 0 ? "" : " ") + number_text(element, words[row + col * r]);
    if (c > 1 && (row + 1 < r || r == 1)) text += ";";
  }
  return unit.empty() ? text : text + " " + unit;
}

std::string setting_text(const FoundInput& input, std::span<const std::uint64_t> words) {
  return setting_text(input.rows, input.cols, input.element, input.unit, words);
}

std::uint64_t word_of(hilda_element element, double number) noexcept {
  switch (element) {
  case HILDA_I64: return static_cast<std::uint64_t>(static_cast<std::int64_t>(number));
  case HILDA_U64:
  case HILDA_U8: return static_cast<std::uint64_t>(number);
  default: return std::bit_cast<std::uint64_t>(number);
  }
}

double number_of(hilda_element element, std::uint64_t word) noexcept {
  switch (element) {
  case HILDA_F64: return std::bit_cast<double>(word);
  case HILDA_I64: return static_cast<double>(static_cast<std::int64_t>(word));
  default: return static_cast<double>(word);
  }
}

void read_words(const Span& span, std::span<std::uint64_t> words) noexcept {
  for (std::size_t i = 0; i < words.size() && i < span.count; ++i) {
    words[i] = 0;
    std::memcpy(&words[i], span.at(i), span.width());
  }
}

} // namespace hilda::session
