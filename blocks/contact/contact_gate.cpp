// SPDX-License-Identifier: BSD-3-Clause
#include <hilda/block.h>

namespace hilda {
namespace {

/// Detects contact by the size of the measured force. With noise the threshold should be at least six standard
/// deviations of one axis: the force is the norm of three.
struct ContactGate : Block {
  Input<Wrench> measured{*this, "measured", "Measured wrench"};
  Output<bool> in_contact{*this, "in_contact", "|F| is above the threshold"};
  Output<std::int64_t> ticks{*this, "ticks", "For how many ticks on end, this one included"};

  Parameter<double> threshold{*this,         "threshold",        "N", "Smallest force that counts as contact", live,
                              at_least(0.0), by_default("0.5 N")};
  State<std::int64_t> before{*this, "before", "Ticks in contact up to the tick before"};

  void output(const Tick&) override {
    const bool touching = (*measured).force().norm() > *threshold;
    in_contact = touching;
    ticks = touching ? *before + 1 : std::int64_t{0};
  }
  void update(const Tick&) override { before = *ticks; }
};
HILDA_BLOCK(ContactGate, "Detects contact by the size of the measured force, and counts its ticks.")

} // namespace
} // namespace hilda
