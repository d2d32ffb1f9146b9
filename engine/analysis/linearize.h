// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/analysis/detail/state_space/linear_model.h"
#include "engine/modules.h"
#include "engine/run/runtime.h"

#include <optional>
#include <string>
#include <vector>

namespace hilda::analysis {

struct LinearizeOptions {
  std::vector<std::string> from, to; ///< signals, see find_elements: "arm.torque", "arm.q[2]", "rig.wrench.force.x"
  double time = 0;                   ///< s: how long the system runs before; 0: about its initial state
  double step = 1e-4;    ///< the largest of the differences, relative to max(1, |x|); smaller ones are tried
  std::string loop = {}; ///< instead of both signals: one number, which is the input and, behind it, the output
};

/// A system linearized about the state that it has reached.
struct Linearization {
  double time = 0;      ///< s: when
  LinearModel discrete; ///< from one common multiple of the sample times between to the next, u held in between
  std::optional<LinearModel> continuous; ///< dx/dt, where nothing that matters happens at ticks alone
  std::vector<std::string> held;         ///< states that are not real numbers; they stay constant
  std::vector<std::string> moving;       ///< those of them that reach an output and do not stay, see moving_states
  std::vector<std::string> counting;     ///< likewise, but they never come to rest
  std::vector<std::string> at_limit;     ///< outputs on the way that are at a limit, see limits_reached
  /// Of a loop: holding its signal for a period changes nothing, so that the discrete model may be opened. Not so where
  /// the signal comes and acts several times in a period.
  bool signal_holds = true;
  /// Where not, and ticks are not too many: from the signal's addend at each tick of a period to the signal at each.
  std::optional<LinearModel> by_ticks;
  /// Of a loop: L itself, discrete and continuous as above, of the system in which it is opened at the signal, whose
  /// readers see what is sent there. -L is what comes back per what is sent, so that L belongs to negative feedback as
  /// margins have it. The others are of the closed loop.
  std::optional<LinearModel> opened_discrete, opened_continuous;
};

/// Linearises a simulation about its state at `time`, by central differences of the engine's own state.
///
/// An input is a number that is added to a signal for everybody who reads it; loops around it stay closed. States that
/// reach no output signal are left out, and so are those that no input moves where their sample time is none of the
/// model's. All errors go to `diagnostics`. Every entry comes with an estimate of its
/// error, and entries at which the slopes of both sides differ (the edge of a contact, a limit that is just reached)
/// are named.
std::optional<Linearization> linearize(System system, const LinearizeOptions& options, Diagnostics& diagnostics);

} // namespace hilda::analysis
