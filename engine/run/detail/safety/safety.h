// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/modules.h"
#include "engine/run/detail/safety/cadence.h"
#include "engine/run/detail/safety/motion_gate.h"
#include "engine/run/detail/schedule/guards.h"
#include "engine/run/memory.h"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace hilda::run {

/// A gate as others see it.
struct GateView {
  std::string input; ///< "rig.robot.command_pose"
  BlockIndex block{};
  std::span<const double> sent; ///< what passed last; empty where the input takes no real numbers
  std::span<const double> rest; ///< where it started from: on hardware the device's rest value, else the first sample
};

/// Precedes every input that moves something: what a robot gets has passed here, in simulation too.
///
/// A value that is not finite never passes; limits (`<limits on="robot.command_pose" speed="0.2 m/s"/>`) default to
/// none in simulation. The first violation latches: from then on every gate ramps to rest, and the run ends as failed.
/// On hardware a gate starts at rest where its device is, so that its first sample has to keep every limit too.
class SafetyStage {
public:
  /// Puts its own buffer between each actuation input and its source.
  void bind(const System& system, Memory& memory, bool hardware);

  /// [loop] Before tick 0 on hardware, after an acquire: every gate takes the rest value of its device. False: a device
  /// does not know it yet, or gave what is not a value to rest at (then `tripped`).
  bool hold() noexcept;
  /// Instead of hold: where the gate before `input` starts from. False: no such gate, another size, or no value to
  /// rest at.
  bool set_rest(std::string_view input, std::span<const double> value);
  /// May this block be sent something? Not on hardware before its rest is known.
  bool ready(BlockIndex block) const noexcept { return unready_[block] == 0; }
  std::vector<GateView> gates() const;

  /// [loop] After acquire: each gate starts from what its device says that it has. Where a device does not know, it
  /// gets nothing in this tick. `pace`: what the clock says of devices that say nothing; null: nothing.
  void settle(bool cycle_lost, const Pace* pace = nullptr) noexcept;
  /// Is this block sent nothing in this tick, since it is not known what its device has, or since it had a sample just
  /// now?
  bool withheld(BlockIndex block) const noexcept { return any_withheld_ && block_withheld(block); }
  /// There is a device of which it is not known what it has.
  bool withheld() const noexcept { return any_unknown_; }
  /// Does this block move something at times of the clock?
  bool times(BlockIndex block) const noexcept { return timed_[block] != 0; }
  /// Is what this block sends by so many base periods too late taken by its device in another cycle? False too where
  /// the device has its own clock.
  bool too_late(BlockIndex block, std::int64_t overdue) const noexcept;
  /// The first block that moves something at times of the clock and not of its device; none: there is none.
  BlockIndex timed() const noexcept;

  /// [loop] Checks and passes on what wire `wire` brings, or takes a sample of the ramp. Where its device lost this
  /// cycle, the gate is at rest.
  void pass(WireIndex wire, bool cycle_lost) noexcept;
  /// [loop] Latches for its own reason (an operator, a lost device).
  void stop() noexcept;
  bool tripped() const noexcept { return stopping_; }
  /// [loop] Where this block moves something at times of the clock: a velocity or a force is zero at once. False: it
  /// has none.
  bool let_go(BlockIndex block) noexcept;
  /// [loop] What has passed to this block has been sent, where it moves something at times of the clock.
  void sent(BlockIndex block) noexcept;
  /// The last sample that such a device was sent is a velocity or a force that is not zero.
  bool rolls() const noexcept;
  /// Gates of blocks that do not run count as resting: their devices are sent nothing.
  bool at_rest(const GuardStates& guards) const noexcept;
  bool at_rest() const noexcept;
  /// The wire that tripped the stage, or none.
  WireIndex culprit() const noexcept { return culprit_; }
  /// What was wrong with it, for people.
  std::string reason() const;

  /// For checkpoints: what was sent and how the ramp is. `load` takes its part from `at` on and moves it.
  void save(std::vector<unsigned char>& bytes) const;
  bool load(const std::vector<unsigned char>& bytes, std::size_t& at);
  /// What gates before the same inputs have sent; the inputs of gates that restart.
  std::vector<std::string> take_over(const SafetyStage& from);

private:
  struct Gate {
    WireIndex wire{};
    BlockIndex block{};
    GuardIndex guard{};
    const unsigned char* source = nullptr;
    std::size_t bytes = 0;
    bool numbers = false;  ///< others (booleans, integers) pass unchecked and hold while stopping
    bool pacing = false;   ///< of the block whose device paces the loop
    bool timed = false;    ///< something real takes its samples at times of the clock
    bool withheld = false; ///< in this tick nothing is sent
    bool flows = false;    ///< timed, and its value is a velocity or a force: it continues by itself
    bool rolls = false;    ///< flows, and what was sent last is not zero
    /// And its device is known to be.
    bool at_rest() const noexcept { return motion.at_rest() && !(timed && withheld); }
    Cadence cadence;
    int32_t (*fate)(const void* record, const char* input) = nullptr; ///< null: its device does not say
    MotionGate motion;
    std::vector<double> held;
    std::vector<double> rest;                     ///< as the device gives it
    const hilda_actuation_1* actuation = nullptr; ///< null: rests at zero
    const void* record = nullptr;
    std::string input, name; ///< "rig.robot.command_pose", "command_pose"
  };
  bool rest_at(Gate& gate, const double* value) noexcept;
  static void settle_by_clock(Gate& gate, const Pace& pace) noexcept;
  bool block_withheld(BlockIndex block) const noexcept;
  void mark_ready() noexcept;

  using GateIndex = Index<Gate>;
  Indexed<WireIndex, GateIndex> gate_of_;
  Indexed<GateIndex, Gate> gates_;
  Indexed<BlockIndex, unsigned char> unready_, timed_;
  bool hardware_ = false;
  bool any_withheld_ = false, any_unknown_ = false;
  bool stopping_ = false;
  WireIndex culprit_{};
};

} // namespace hilda::run
