// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/session/output.h"
#include "engine/session/tuning.h"
#include "tools/modules.h"

#include <cstdint>
#include <deque>
#include <hilda/embed.h>
#include <memory>
#include <string>
#include <vector>

namespace hilda::embed {

/// The inputs and outputs that a program has found. A handle is a number with the simulation that it is of and the
/// loading of its diagram, so that one of another simulation or of an earlier diagram is refused and never followed.
/// The fault is thrown as Failure.
class Handles {
public:
  Handles();

  /// Another diagram is loaded: all handles so far are gone.
  void renew();

  hilda_sim_input find_input(Tuning& tuning, const std::string& path, hilda_sim_shape* shape);
  hilda_sim_output find_output(const Runtime& runtime, const std::string& path, hilda_sim_shape* shape);
  Input& input(hilda_sim_input handle) const { return *inputs_[place(handle.number, inputs_.size(), "input")]; }
  const Output& output(hilda_sim_output handle) const {
    return outputs_[place(handle.number, outputs_.size(), "output")].output;
  }

private:
  struct FoundOutput {
    Output output;
    std::string unit;
  };
  std::uint64_t handle(std::size_t index) const;
  /// Where it is among the inputs or outputs.
  std::size_t place(std::uint64_t handle, std::size_t count, const char* kind) const;
  [[noreturn]] void refuse(std::uint64_t handle, std::size_t count, const std::string& kind) const;

  const std::uint64_t serial_;   ///< of the simulation, in this process
  std::uint64_t generation_ = 0; ///< of what is loaded
  std::vector<std::shared_ptr<Input>> inputs_;
  std::deque<FoundOutput> outputs_; ///< texts of their units stay where they are
};

} // namespace hilda::embed
