// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "tests/tdpa/tdpa_run.h"

namespace hilda::test {

/// A rule that a run broke, and by how much (relative to what is compared).
struct Broken {
  std::string rule;
  double by;
};

/// What must hold at every step of a loop of TDPA, from the signals that were sent (De Stefano, Balachandran and Secchi
/// 2020). Rules:
///   account       the controller's W is E0 - T sum F_c.V_c, each axis, or the port
///   passive       that sum is never below 0 (controller on)
///   share         0 <= F_c/F <= 1; F_c = F to the bit with the controller off
///   dissipation   (F - F_c).V_c >= 0
///   translation, rotation   H(k) - H(k-1) = T V_s(k-1).F_c(k-1) + dH(k)
///   momentum      M (v_s(k) - v_s(0)) = T sum f_c
///   half_step     v_c is (v_s(k) + v_s(k-1))/2, or (3 v_s(k) - v_s(k-1))/2 with sign -1; V_c = V_s to the bit with it
///   off half_turn     w_c = w_s -+ dH_r/(T |chi|^2) chi delay         V_r(k) = V_c(k - mu) to the bit pose x(k) -
///   x(k-1) = T v_r of this tick (backward) or the last (forward) sensor        without noise F is the room's to the
///   bit
std::vector<Broken> broken_rules(const TdpaRun& run, double tolerance = 1e-12);

/// Does the list hold this rule?
bool breaks(const std::vector<Broken>& broken, const std::string& rule);
std::string text(const std::vector<Broken>& broken);

} // namespace hilda::test
