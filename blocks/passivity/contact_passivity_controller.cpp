// SPDX-License-Identifier: BSD-3-Clause
#include "blocks/passivity/contact_energy.h"
#include <hilda/block.h>

namespace hilda {
namespace {

/// Energy observer and controller along a contact, updated in the step in which the force acts: adds to the wrench on
/// the wall what cancels the energy that the loop's delay has made since the contact began (He and Shen 2022, Eq. 14 to
/// 20, 29 and 30). The added force acts along the contact force at the commanded tip, whose velocity holds w x r
/// already; its moment is (p_des - p_s) x F_added.
struct ContactPassivityController : Block {
  enum class Observer { paper, work };

  Input<Wrench> wrench{*this, "wrench", "On the wall: W axes, moment about the sensor's origin"};
  Input<Vector3> position{*this, "position", "m", "Tip as commanded, W axes"};
  Input<Vector3> velocity{*this, "velocity", "m/s", "Tip as commanded, W axes"};
  Input<Vector3> direction{*this, "direction", "", "Unit vector along the contact force, W axes"};
  Input<double> damping{*this, "damping", "N s/m", "What it takes counts as dissipated, not as made"};
  Input<bool> in_contact{*this, "in_contact", "Whether there is contact; the energy begins at 0 with each one"};
  Output<Wrench> controlled{*this, "controlled", "To move the bodies with, in the same frame"};
  Output<Wrench> added{*this, "added", "F_alpha and its moment: controlled less given"};
  Output<double> energy{*this, "energy", "J", "Observed, before this tick's added force"};

  Parameter<Observer> observer{*this, "observer",
                               "The paper's sum (Eq. 15 and 16), or the work done by the held force, to rounding",
                               by_default("paper")};
  Parameter<Vector3> sensor_origin{*this, "sensor_origin", "m", "About which moments are given, W axes",
                                   by_default("0 0 0")};

  State<double> stored{*this, "stored", "J", "Observed one tick ago; 0 outside contact"};
  State<Vector3> last_force{*this, "last_force", "N", "One tick ago, in contact or not"};
  State<Vector3> last_damping{*this, "last_damping", "N", "Counted as dissipating one tick ago; 0 outside contact"};
  State<Vector3> last_velocity{*this, "last_velocity", "m/s", "One tick ago, in contact or not"};
  State<Vector3> last_added{*this, "last_added", "N", "One tick ago"};
  State<Vector3> last_elastic{*this, "last_elastic", "N", "One tick ago; 0 outside contact"};

  [[gnu::flatten]] void output(const Tick& t) override {
    const ContactEnergy::Result r = observed(now(t.period()));
    const Wrench extra(r.added, (*position - *sensor_origin).cross(r.added));
    energy = r.energy;
    added = extra;
    controlled = Wrench(*wrench + extra);
  }

  [[gnu::flatten]] void update(const Tick& t) override {
    const ContactEnergy::Now n = now(t.period());
    const ContactEnergy::Result r = observed(n);
    stored = r.energy;
    last_force = n.force;
    last_velocity = n.velocity;
    last_added = r.added;
    last_damping = n.in_contact ? r.damping_force : Vector3(Vector3::Zero());
    last_elastic = n.in_contact ? r.elastic : Vector3(Vector3::Zero());
  }

private:
  ContactEnergy::Now now(double period) const {
    ContactEnergy::Now n;
    n.force = (*wrench).force();
    n.velocity = *velocity;
    n.e = *direction;
    n.damping = *damping;
    n.in_contact = *in_contact;
    n.period = period;
    return n;
  }
  ContactEnergy::Result observed(const ContactEnergy::Now& n) const {
    const ContactEnergy::Before b{.energy = *stored,
                                  .force = *last_force,
                                  .damping_force = *last_damping,
                                  .velocity = *last_velocity,
                                  .added = *last_added,
                                  .elastic = *last_elastic};
    return *observer == Observer::paper ? ContactEnergy::paper(n, b) : ContactEnergy::work(n, b);
  }
};
HILDA_BLOCK(
    ContactPassivityController,
    "Energy observer and controller along a contact, reset with each one (He and Shen 2022, Eq. 14 to 20, 29 and 30).")

} // namespace
} // namespace hilda
