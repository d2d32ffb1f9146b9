// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/modules.h"
#include "engine/run/call_observer.h"
#include "engine/session/detail/machine/latency_histogram.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace hilda::session {

/// What one block works, or all blocks of a type or below a subsystem.
struct ProfileShare {
  std::string name, type; ///< path and type of a block; of others the name alone
  std::int64_t calls = 0;
  double time = 0;        ///< s, of all steps together
  LatencyHistogram steps; ///< how long in one step, over the steps in which it ran
};

/// What a profile has found.
struct ProfileFigures {
  std::int64_t steps = 0;
  LatencyHistogram step;                               ///< one step, without the reads of the clock
  std::vector<ProfileShare> blocks, types, subsystems; ///< those that ran, the longest first
  double loop = 0;                ///< s: order of calls, conditions, the look for NaN, the solver's own arithmetic
  double others = 0;              ///< s: who looks between the halves of a step, so the log
  double total = 0;               ///< s: blocks, loop and others
  std::int64_t reads = 0;         ///< calls around which the clock was read
  double inside = 0, outside = 0; ///< s a call: what the reads add to a block's time and to the loop's; left out above
};

/// Measures how long blocks work, step by step, minor steps of the solver with them. Nothing is allocated in the loop.
///
/// The clock is read before and after each call. What that costs is measured on a call that does nothing, and left out.
class LoopProfile : public CallObserver {
public:
  /// Before the first tick.
  void bind(const System& system);

  void call(const Call& call, const hilda_tick* tick) override { measure(call, tick); }
  void minor_call(const Call& call, const hilda_tick* tick) override { measure(call, tick); }
  void mark(StepMark place) noexcept override;
  /// [loop] A call of this block, the clock read before and after it, took so many ns.
  void add(BlockIndex block, std::int64_t ns) noexcept;

  ProfileFigures figures() const;

private:
  /// A block, a type or a subsystem.
  struct Part {
    std::int64_t step_ns = 0, step_calls = 0; ///< of the step that runs
    std::int64_t ns = 0, calls = 0;           ///< of those before
    LatencyHistogram steps;
  };

  void measure(const Call& call, const hilda_tick* tick);
  void measure_clock();
  void close_step(std::int64_t took, std::int64_t others) noexcept;
  void close_part(Part& part) noexcept;
  std::int64_t without_reads(const Part& part) const noexcept;
  std::size_t group(const std::string& name);
  ProfileShare share(std::size_t part) const;
  std::vector<ProfileShare> shares(std::size_t from, std::size_t to) const;

  std::vector<Part> parts_;          ///< blocks, then types, then subsystems
  std::vector<std::string> names_;   ///< of all of them
  std::vector<std::string> of_type_; ///< of the blocks
  std::size_t blocks_ = 0, types_end_ = 0;
  std::vector<std::size_t> groups_, first_group_; ///< parts that a block belongs to, from first_group_[block] on
  std::vector<std::size_t> ran_;                  ///< blocks of the step that runs
  std::size_t ran_count_ = 0;
  bool in_step_ = false;
  std::int64_t begun_ = 0, first_half_ = 0, computed_ = 0, others_in_step_ = 0; ///< ns
  double inside_ = 0, outside_ = 0;                                             ///< ns a call
  std::int64_t steps_ = 0, others_ = 0;
  double loop_ = 0; ///< ns
  LatencyHistogram step_;
};

} // namespace hilda::session
