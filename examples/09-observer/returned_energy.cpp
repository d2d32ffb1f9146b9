#include <hilda/block.h>

namespace {
using namespace hilda;

/// Gives a contact back no more energy than it took: observes the work that the applied force has done on the wall
/// since the contact began, and weakens the force where it would make that negative within this tick,
///   E(k) = E(k-1) + F(k-1) . (v(k-1) + v(k)) / 2 T,   F(k) = min(1, E(k) / (-F_measured(k) . v(k) T)) F_measured(k).
struct ReturnedEnergy : Block {
  Input<Wrench> wrench{*this, "wrench", "Measured, on the wall: W axes"};
  Input<Vector3> velocity{*this, "velocity", "m/s", "Tip as commanded, W axes"};
  Input<bool> in_contact{*this, "in_contact", "Whether there is contact; the energy begins at 0 with each one"};
  Output<Wrench> controlled{*this, "controlled", "To move the bodies with, in the same frame"};
  Output<double> energy{*this, "energy", "J", "That the wall holds"};
  Output<double> share{*this, "share", "1", "Of the measured wrench that is let through"};

  State<double> held{*this, "held", "J", "Energy one tick ago; 0 outside contact"};
  State<Vector3> last_force{*this, "last_force", "N", "Applied one tick ago"};
  State<Vector3> last_velocity{*this, "last_velocity", "m/s", "One tick ago"};

  void output(const Tick& t) override {
    const double work = (*last_force).dot(*last_velocity + *velocity) / 2 * t.period();
    energy = *in_contact ? *held + work : 0.0;
    const double wanted = -(*wrench).force().dot(*velocity) * t.period(); // that this tick would give back
    const double available = *energy > 0 ? double{*energy} : 0.0;
    share = *in_contact && wanted > available ? available / wanted : 1.0;
    controlled = Wrench(*share * *wrench);
  }
  void update(const Tick&) override {
    held = *energy;
    last_force = Vector3(*in_contact ? Vector3((*controlled).force()) : Vector3::Zero());
    last_velocity = *velocity;
  }
};
HILDA_BLOCK(ReturnedEnergy, "Gives a contact back no more energy than it took.")

} // namespace
