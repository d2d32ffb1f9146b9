#include "blocks/passivity/contact_energy.h"
#include "blocks/passivity/port_energy.h"
#include <hilda/block.h>

namespace hilda {
namespace {

/// Energy observer and controller, updated together in the step in which the force acts.
///   grouping contact    along the contact force, at the commanded contact point, reset with each contact: adds to the
///                       wrench on the wall what cancels the energy made (He and Shen 2022, Eq. 14 to 20, 29 and 30)
///   grouping axis|port  scales the wrench on the tool so that no axis, or the port as a whole, gives out more energy
///                       than it took in (De Stefano, Balachandran and Secchi 2020, Eq. 13, 17 and 18)
struct PassivityController : Block {
  Input<Wrench> wrench{*this, "wrench",
                       "contact: on the wall, W axes, moment about W's origin; axis|port: on the tool"};
  Input<Vector3> position{*this, "position", "m", "contact: tip as commanded, W axes", optional};
  Input<Vector3> velocity{*this, "velocity", "m/s", "contact: tip as commanded, W axes; holds w x r", optional};
  Input<Vector3> direction{*this, "direction", "", "contact: unit vector along the contact force, W axes", optional};
  Input<double> damping{*this, "damping", "N s/m", "contact: what it takes counts as dissipated, not as made",
                        optional};
  Input<bool> in_contact{*this, "in_contact", "contact: whether there is one", optional};
  Input<Twist> twist{*this, "twist", "axis|port: twist sent to the robot", optional};
  Output<Wrench> controlled{*this, "controlled", "The wrench to go on with, in the frame of the one given"};
  Output<Wrench> added{*this, "added", "Controlled less given"};
  Output<double> energy{*this, "energy", "J", "Observed, before this tick's control"};
  Output<double> energy_after{*this, "energy_after", "J", "axis|port: after it"};
  Output<Vector6> axis_energy{*this, "axis_energy", "J", "axis|port: each axis before control"};
  Output<Vector6> axis_energy_after{*this, "axis_energy_after", "J", "axis|port: each axis after control"};

  Parameter<Choice> grouping{*this, "grouping", "contact|axis|port", "What is kept passive", by_default("contact")};
  Parameter<Choice> observer{*this, "observer", "paper|work",
                             "contact: the paper's sum, or the work done by the held force, to rounding",
                             by_default("paper")};
  Parameter<bool> enabled{*this, "enabled", "axis|port: off observes without control", by_default("on")};
  Parameter<Vector3> sensor_origin{*this, "sensor_origin", "m", "contact: about which moments are given",
                                   by_default("0 0 0")};
  Parameter<Vector6> initial_energy{*this, "initial_energy", "J", "axis|port: held at the start",
                                    by_default("0 0 0 0 0 0")};

  State<double> stored{*this, "stored", "J", "contact, port: energy at the last tick, after control"};
  State<Vector6> stored_axis{*this, "stored_axis", "J", "axis|port: the same of each axis"};
  State<Vector3> last_force{*this, "last_force", "N", "contact: one tick ago"};
  State<Vector3> last_damping{*this, "last_damping", "N", "contact: force counted as dissipating one tick ago"};
  State<Vector3> last_velocity{*this, "last_velocity", "m/s", "contact: one tick ago"};
  State<Vector3> last_added{*this, "last_added", "N", "contact: one tick ago"};
  State<Vector3> last_elastic{*this, "last_elastic", "N", "contact: one tick ago"};

  void configure(const Instance& instance) override {
    const bool contact = *grouping == 0;
    const auto need = [&](bool wanted, bool connected, const char* port) {
      if (wanted && !connected) instance.report(port, "must be wired for this grouping");
    };
    need(contact, position.connected(), "position");
    need(contact, velocity.connected(), "velocity");
    need(contact, direction.connected(), "direction");
    need(contact, damping.connected(), "damping");
    need(contact, in_contact.connected(), "in_contact");
    need(!contact, twist.connected(), "twist");
  }

  void initialize(const Instance&) override {
    stored_axis = *initial_energy;
    stored = (*initial_energy).sum();
  }

  void output(const Tick& t) override {
    if (*grouping == 0)
      control_contact(t.period());
    else
      control_port(t.period());
  }

  void update(const Tick& t) override {
    if (*grouping != 0) {
      stored_axis = *axis_energy_after;
      stored = *energy_after;
      return;
    }
    const ContactEnergy::Now n = now(t.period());
    const ContactEnergy::Result r = observed(n);
    stored = n.in_contact ? r.energy : 0.0;
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
    const ContactEnergy::Before b{*stored, *last_force, *last_damping, *last_velocity, *last_added, *last_elastic};
    return *observer == 0 ? ContactEnergy::paper(n, b) : ContactEnergy::work(n, b);
  }

  void control_contact(double period) {
    const ContactEnergy::Result r = observed(now(period));
    const Wrench extra(r.added, (*position - *sensor_origin).cross(r.added));
    energy = energy_after = r.energy;
    added = extra;
    controlled = Wrench(*wrench + extra);
  }

  void control_port(double period) {
    const Vector6 given = *wrench, moving = *twist;
    const PortEnergy::Result r = *grouping == 1 ? PortEnergy::by_axis(given, moving, period, *stored_axis)
                                                : PortEnergy::whole(given, moving, period, *stored_axis, *stored);
    axis_energy = r.before;
    energy = r.total_before;
    axis_energy_after = *enabled ? r.after : r.before;
    energy_after = *enabled ? r.total_after : r.total_before;
    controlled = *enabled ? Wrench(r.wrench) : Wrench(given);
    added = *enabled ? Wrench(r.wrench - given) : Wrench();
  }
};
HILDA_PLUGIN(PassivityController,
             "Energy observer and controller in one step: along a contact, per axis, or of a whole port.")

} // namespace
} // namespace hilda
