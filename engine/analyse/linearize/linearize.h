#pragma once

#include "engine/analyse/state_space/linear_model.h"
#include "engine/loop/runtime.h"

#include <optional>
#include <string>
#include <vector>

namespace hilda {

struct LinearizeOptions {
  std::vector<std::string> from, to; ///< signals, see find_elements: "arm.torque", "arm.q[2]", "rig.wrench.force.x"
  double time = 0;                   ///< s: how long the system runs before; 0: about its initial state
  double step = 1e-4;    ///< the largest of the differences, relative to max(1, |x|); smaller ones are tried
  std::string loop = {}; ///< in place of both signals: one number, which is the input and, behind it, the output
};

/// What is known of a system about the state it has come to.
struct Linearization {
  double time = 0;      ///< s: when
  LinearModel discrete; ///< from one hyperperiod (all sample times' common multiple) to the next, u held in between
  std::optional<LinearModel> continuous; ///< dx/dt, where nothing that matters happens at ticks alone
  std::vector<std::string> held;         ///< states that are no real numbers and stay as they are
  std::vector<std::string> moving;       ///< those of them that reach an output and do not stay, see moving_states
  std::vector<std::string> at_limit;     ///< outputs on the way that stand at a limit, see limits_reached
};

/// Linearises a simulation about its state at `time`, by central differences of the engine's own state.
///
/// An input is a number that is added to a signal for everybody who reads it; loops around it stay closed. States that
/// reach no output signal are left out. All errors go to `diagnostics`. Every entry comes with an estimate of its
/// error, and entries at which the slopes of both sides differ (the edge of a contact, a limit that is just reached)
/// are named.
std::optional<Linearization> linearize(System system, const LinearizeOptions& options, Diagnostics& diagnostics);

} // namespace hilda
