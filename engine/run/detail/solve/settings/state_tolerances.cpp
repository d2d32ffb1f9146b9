// SPDX-License-Identifier: BSD-3-Clause
#include "engine/run/detail/solve/settings/state_tolerances.h"

#include "engine/base/word_list.h"

#include <fmt/format.h>

namespace hilda::run {
namespace {

/// Where a state lies among all of them.
struct StateRange {
  std::string name;
  std::size_t first = 0, count = 0;
  const SignalType* type = nullptr;
  bool only = false; ///< of its block
  std::string block;
};

std::vector<StateRange> state_ranges(const System& system, const Schedule& schedule) {
  std::vector<StateRange> made;
  std::size_t first = 0;
  for (const Integrated& s : schedule.integrated) {
    const SystemBlock& block = system.blocks[s.block];
    if (!made.empty() && made.back().block == block.path) made.back().only = false;
    const bool only = made.empty() || made.back().block != block.path;
    made.push_back({.name = block.path + "." + block.type->slots[s.slot].name,
                    .first = first,
                    .count = s.count,
                    .type = &block.slot_types[s.slot],
                    .only = only,
                    .block = block.path});
    first += s.count;
  }
  return made;
}

const StateRange* find(const std::vector<StateRange>& all, const std::string& path) {
  for (const StateRange& range : all)
    if (range.name == path || (range.only && range.block == path)) return &range;
  return nullptr;
}

} // namespace

std::optional<Tolerances> state_tolerances(const System& system, const Schedule& schedule,
                                           const SolverSettings& settings, Diagnostics& diagnostics) {
  const std::size_t errors_before = diagnostics.errors();
  const std::vector<StateRange> all = state_ranges(system, schedule);
  Tolerances made{.relative = settings.rtol, .absolute = {}};
  if (!all.empty()) made.absolute.assign(all.back().first + all.back().count, settings.atol);
  for (const StateTolerance& each : settings.states) {
    const StateRange* range = find(all, each.path);
    if (range == nullptr) {
      std::string names;
      for (std::size_t i = 0; i < all.size() && i < 12; ++i) add_word(names, all[i].name);
      diagnostics.error("unknown-state", settings.where, "atol names no continuous state: " + in_quotes(each.path),
                        names.empty() ? "this diagram has none"
                                      : "the continuous states are: " + names + (all.size() > 12 ? " ..." : ""));
      continue;
    }
    Wanted wanted;
    wanted.extent = Extent::scalar();
    if (range->type->unit)
      wanted.unit = UnitReading{*range->type->unit, 1, 0, 0, false}, wanted.unit_text = range->type->unit->text();
    const Result<Shaped> fitted = fit(each.given, wanted);
    if (!fitted) {
      const Error& why = fitted.error();
      diagnostics.error(why.code.c_str(), settings.where, "atol of " + in_quotes(each.path) + ": " + why.what,
                        why.help);
      continue;
    }
    const double value = fitted->numbers.at(0);
    if (!(value > 0))
      diagnostics.error(
          "bad-tolerance", settings.where,
          fmt::format("atol of {} is {}, and an error of nothing is never met", in_quotes(each.path), decimal(value)),
          "give it above zero: the error that does not matter");
    for (std::size_t i = 0; i < range->count; ++i) made.absolute[range->first + i] = value;
  }
  if (diagnostics.errors() != errors_before) return std::nullopt;
  return made;
}

} // namespace hilda::run
