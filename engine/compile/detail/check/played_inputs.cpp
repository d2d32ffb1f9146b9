// SPDX-License-Identifier: BSD-3-Clause
#include "engine/compile/detail/check/played_inputs.h"

#include "engine/base/error.h"
#include "engine/log/recording.h"
#include "engine/quantity/value.h"

#include <algorithm>
#include <cmath>

namespace hilda::compile {
namespace {

/// What numbers a path takes.
struct Taker {
  Extent extent;
  Unit unit;
};

Unit unit_of(const System& system, const BlockParameter& which) {
  const SystemBlock& block = system.blocks[which.block];
  const SignalType& type = block.slot_types[block.parameters[which.index].slot];
  return type.kind == HILDA_PLAIN && type.unit ? *type.unit : Unit();
}

/// A named parameter takes what the first block takes that gets it, as an input does.
Taker taker_of(const System& system, const ParameterText& found) {
  const std::optional<BlockParameter> which = first_follower(system, found);
  if (!which) return {system.parameters[found.parameter].value.extent, Unit()};
  return {system.blocks[which->block].parameters[which->index].value.extent, unit_of(system, *which)};
}

std::string shape_text(std::int64_t rows, std::int64_t cols) {
  if (cols == 1) return std::to_string(rows) + (rows == 1 ? " number" : " numbers");
  return std::to_string(rows) + "x" + std::to_string(cols) + " numbers";
}

/// One <play> into the changes.
class Player {
public:
  Player(const System& system, const PlayedSetting& played, Diagnostics& diagnostics)
      : system_(system), played_(played), diagnostics_(diagnostics),
        name_(in_quotes(played.signal) + " of " + played.file.text) {}

  void add_to(std::vector<TimedChange>& changes) {
    const std::optional<ParameterText> found = find_parameter(system_, played_.path.text);
    if (!found) return unknown();
    if (played_.found.empty())
      return diagnostics_.error(played_.missing.code.c_str(), played_.file.where, played_.missing.what,
                                played_.missing.help);
    RecordingFault fault;
    const std::optional<Recording> recording = read_recording(
        {.file = played_.found, .signal = played_.signal, .time = played_.time, .unit = played_.unit}, fault);
    if (!recording)
      return refuse("play-file", std::string(fault.word) + ": " + fault.text, "play a signal that the file has");
    if (fits(taker_of(system_, *found), *recording)) add_samples(*recording, changes);
  }

private:
  void refuse(const char* code, const std::string& what, const std::string& help) {
    diagnostics_.error(code, played_.file.where, what, help);
  }

  void unknown() {
    const std::string near = nearest(played_.path.text, parameter_paths(system_));
    diagnostics_.error("unknown-setting", played_.path.where, "there is no parameter " + in_quotes(played_.path.text),
                       near.empty() ? "a path is that of a block and its parameter, or of a <parameter> or <input>"
                                    : "did you mean " + in_quotes(near) + "?");
  }

  bool fits(const Taker& taker, const Recording& recording) {
    const std::string path = in_quotes(played_.path.text);
    if (recording.rows != taker.extent.rows || recording.cols != taker.extent.cols) {
      refuse("play-shape",
             path + " takes " + shape_text(taker.extent.rows, taker.extent.cols) + ", and " + name_ + " has " +
                 shape_text(recording.rows, recording.cols) + " a sample",
             "play a signal of that shape");
      return false;
    }
    const Result<UnitReading> unit = parse_unit(recording.unit);
    if (unit && (unit->unit == taker.unit || recording.unit == taker.unit.text())) return true;
    const auto told = [](const Unit& of, const std::string& text) {
      return of.dimensionless() ? std::string("a pure number") : "in " + text;
    };
    refuse("play-unit",
           path + " is " + told(taker.unit, taker.unit.text()) + ", and " + name_ + " is " +
               told(unit ? unit->unit : Unit(), recording.unit),
           "play a signal of that unit");
    return false;
  }

  void add_samples(const Recording& recording, std::vector<TimedChange>& changes) {
    const double base = system_.base.value();
    for (std::size_t i = 0; i < recording.times.size(); ++i) {
      const double ticks = recording.times[i] / base, tick = std::round(ticks);
      if (!(tick >= 0 && tick < latest_tick) || std::abs(ticks - tick) > tick_slack)
        return refuse("play-time",
                      "sample " + std::to_string(i) + " of " + name_ + " is at " + decimal(recording.times[i]) +
                          " s, and that is not a tick of " + system_.base.text() + " s",
                      "play what was recorded with this period, or use sources/RecordedSignal");
      const auto from = recording.values.begin() + static_cast<std::ptrdiff_t>(i * recording.width());
      samples_.push_back({static_cast<std::int64_t>(tick),
                          {},
                          {{played_.path.text, {from, from + static_cast<std::ptrdiff_t>(recording.width())}}},
                          played_.path.where});
    }
    merge(changes);
  }

  /// Both are in the order of ticks.
  void merge(std::vector<TimedChange>& changes) {
    std::vector<TimedChange> all;
    auto change = changes.begin();
    for (TimedChange& sample : samples_) {
      for (; change != changes.end() && change->tick < sample.tick; ++change) all.push_back(std::move(*change));
      TimedChange* const there = change != changes.end() && change->tick == sample.tick ? &*change
                                 : !all.empty() && all.back().tick == sample.tick       ? &all.back()
                                                                                        : nullptr;
      if (there == nullptr) {
        all.push_back(std::move(sample));
        continue;
      }
      if (there->played.empty()) there->played_where = sample.played_where;
      there->played.push_back(std::move(sample.played.front()));
    }
    std::move(change, changes.end(), std::back_inserter(all));
    changes = std::move(all);
  }

  const System& system_;
  const PlayedSetting& played_;
  Diagnostics& diagnostics_;
  const std::string name_;
  std::vector<TimedChange> samples_;
};

} // namespace

void add_played(const System& system, const std::vector<PlayedSetting>& played, std::vector<TimedChange>& changes,
                Diagnostics& diagnostics) {
  for (const PlayedSetting& each : played) Player(system, each, diagnostics).add_to(changes);
}

} // namespace hilda::compile
