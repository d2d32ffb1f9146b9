#pragma once

#include "engine/plan/memory.h"

#include <cstdint>
#include <vector>

namespace hilda {

/// Stands before every input that moves something: what a robot gets has passed here, in simulation too. A NaN never
/// passes; the last good value is held and the stage latches.
class SafetyStage {
public:
  /// Puts a buffer of its own between each actuation input and its source.
  void bind(const System& system, Memory& memory);

  /// [loop] Checks and copies what wire `wire` brings.
  void pass(int wire) noexcept;
  bool tripped() const noexcept { return tripped_ >= 0; }
  /// The wire that tripped the stage, or -1.
  int culprit() const noexcept { return tripped_; }

  /// For checkpoints: what was sent last. `load` takes its part from `at` on and moves it.
  void save(std::vector<unsigned char>& bytes) const;
  bool load(const std::vector<unsigned char>& bytes, std::size_t& at);

private:
  struct Gate {
    const unsigned char* source = nullptr;
    std::size_t bytes = 0;
    bool numbers = false;
    std::vector<double> passed; ///< what the reader sees
  };
  std::vector<int> gate_of_; ///< by wire
  std::vector<Gate> gates_;
  int tripped_ = -1;
};

} // namespace hilda
