// SPDX-License-Identifier: BSD-3-Clause
#include <hilda/block.h>

namespace hilda {
namespace {

/// Undoes a sensor's pure delay: y = u + tau du/dt in contact, 0 outside (He and Shen 2022, Eq. 6, printed inverted).
/// Without the gate, the jump at the onset of contact would look like a wall many times too stiff.
struct PhaseLead : Block {
  Input<Wrench> measured{*this, "measured", "Wrench from the sensor"};
  Input<bool> in_contact{
      *this, "in_contact",
      "Whether it counts; where nothing drives it, always: the jump at the onset of contact then looks like "
      "a wall many times too stiff",
      optional, expected};
  Output<Wrench> led{*this, "led", "Wrench with the delay undone"};

  Parameter<double> time_constant{*this, "time_constant", "s", "Delay to undo", live, at_least(0.0), by_default("0 s")};
  State<Wrench> previous{*this, "previous", "The measured wrench one tick ago, in contact or not"};

  [[gnu::flatten]] void output(const Tick& t) override {
    const Wrench now = *measured;
    led = in_contact.value_or(true) ? Wrench(now + *time_constant / t.period() * (now - *previous)) : Wrench();
  }
  void update(const Tick&) override { previous = *measured; }
};
HILDA_BLOCK(PhaseLead, "Undoes a sensor's pure delay by a first-order lead: y = u + tau du/dt "
                       "(He and Shen 2022, Eq. 6, printed inverted).")

} // namespace
} // namespace hilda
