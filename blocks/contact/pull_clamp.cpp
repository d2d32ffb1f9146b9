// SPDX-License-Identifier: BSD-3-Clause
#include <hilda/block.h>

namespace hilda {
namespace {

/// A wall cannot pull: sets force and moment to 0 where the force points against the measured one (F.F_measured <= 0).
/// PIDA and DAC need it; PIC stays bounded because it pulls after release.
struct PullClamp : Block {
  Input<Wrench> wrench{*this, "wrench", "On the wall"};
  Input<Wrench> measured{*this, "measured", "On the wall, as measured"};
  Output<Wrench> clamped{*this, "clamped", "On the wall"};

  Parameter<bool> enabled{*this, "enabled", "Passes the wrench unchanged where off", live, by_default("on")};

  [[gnu::flatten]] void output(const Tick&) override {
    const Wrench given = *wrench;
    const bool pulls = given.force().dot((*measured).force()) <= 0.0;
    clamped = *enabled && pulls ? Wrench() : given;
  }
};
HILDA_BLOCK(PullClamp, "Sets a wrench to zero where it would pull.")

} // namespace
} // namespace hilda
