#pragma once

#include "engine/plan/memory.h"
#include "engine/run/motion_gate.h"

#include <string>
#include <vector>

namespace hilda {

/// Stands before every input that moves something: what a robot gets has passed here, in simulation too.
///
/// A value that is not finite never passes; limits (`<limits on="robot.command_pose" speed="0.2 m/s"/>`) default to
/// none in simulation. The first violation latches: from then on every gate ramps to rest, and the run ends as failed.
class SafetyStage {
public:
  /// Puts a buffer of its own between each actuation input and its source.
  void bind(const System& system, Memory& memory);

  /// [loop] Checks and passes on what wire `wire` brings, or takes a sample of the ramp.
  void pass(int wire) noexcept;
  /// [loop] Latches for a reason of its own (an operator, a lost device).
  void stop() noexcept;
  bool tripped() const noexcept { return stopping_; }
  bool at_rest() const noexcept;
  /// The wire that tripped the stage, or -1.
  int culprit() const noexcept { return culprit_; }
  /// What was wrong with it, for people.
  std::string reason() const;

  /// For checkpoints: what was sent and how the ramp stands. `load` takes its part from `at` on and moves it.
  void save(std::vector<unsigned char>& bytes) const;
  bool load(const std::vector<unsigned char>& bytes, std::size_t& at);

private:
  struct Gate {
    int wire = -1;
    const unsigned char* source = nullptr;
    std::size_t bytes = 0;
    bool numbers = false; ///< others (booleans, integers) pass unchecked and hold while stopping
    MotionGate motion;
    std::vector<double> held;
  };
  std::vector<int> gate_of_; ///< by wire
  std::vector<Gate> gates_;
  bool stopping_ = false;
  int culprit_ = -1;
};

} // namespace hilda
