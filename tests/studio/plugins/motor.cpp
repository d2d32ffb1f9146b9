// SPDX-License-Identifier: BSD-3-Clause
#include <hilda/block.h>

#include <algorithm>

namespace hilda::test {
namespace {

/// A block of someone else: its limits have other names than ours, and one of them is the negative of a parameter.
struct Motor : Block {
  Input<double> current{*this, "current", "A", "Demanded current"};
  Output<double> torque{*this, "torque", "N m", "Torque within the limits", between("-torque_limit", "torque_limit")};
  Output<double> heat{*this, "heat", "W", "Loss, which nothing limits"};
  Parameter<double> constant{*this, "constant", "N m/A", "Torque constant"};
  Parameter<double> torque_limit{*this, "torque_limit", "N m", "Largest torque either way", live, above(0.0)};

  void output(const Tick&) override {
    torque = std::clamp(*constant * *current, -*torque_limit, *torque_limit);
    heat = *current * *current;
  }
};
HILDA_BLOCK(Motor, "A motor whose torque follows its current within a limit.")

} // namespace
} // namespace hilda::test
