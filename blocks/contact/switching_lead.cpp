// SPDX-License-Identifier: BSD-3-Clause
#include <hilda/block.h>

namespace hilda {
namespace {

constexpr const char* switching_lead_doc =
    "Undoes the delay of a contact force by a lead whose gain an energy observer switches: F + gain time_constant F'. "
    "Observed is the energy that the contact has made since it began: what the force gave to the moving body, plus "
    "what "
    "a spring of the given stiffness holds at the force led by a gain of 1. The gain is low where none was made, high "
    "from band on, and "
    "linear between; a band of 0 switches. It is after the switching compensator of the space instable target "
    "simulator "
    "(Actuators 13(4) 123, 2024), of which the abstract alone was read: the law is a guess.";

struct SwitchingLead : Block {
  Input<Wrench> wrench{*this, "wrench", "On the wall as measured, W axes, moment about the sensor's origin"};
  Input<Vector3> rate{*this, "rate", "N/s", "Of change of the force, as from discrete/TrackingDifferentiator"};
  Input<bool> in_contact{*this, "in_contact", "Where false the output is 0 and the energy starts again"};
  Input<double> stiffness{*this, "stiffness", "N/m", "Of the contact; 0: not known yet, the gain is low"};
  Input<Vector3> position{*this, "position", "m", "Tip as measured, W axes"};
  Input<Vector3> velocity{*this, "velocity", "m/s", "Tip as commanded, W axes"};
  Output<Wrench> led{*this, "led", "With the delay undone, in the frame of the measured one"};
  Output<double> gain{*this, "gain", "1", "That was used"};
  Output<double> energy{*this, "energy", "J", "That the contact has made since it began"};

  Parameter<double> time_constant{*this, "time_constant", "s", "Delay to undo at a gain of 1", live, at_least(0.0)};
  Parameter<double> low{*this, "low", "1", "Gain where no energy was made", live, at_least(0.0), by_default("1")};
  Parameter<double> high{*this, "high", "1", "Gain where energy was made", live, at_least(0.0), by_default("2")};
  Parameter<double> band{*this,         "band",           "J", "Energy at which the gain is high; 0: any", live,
                         at_least(0.0), by_default("0 J")};
  Parameter<Vector3> sensor_origin{*this, "sensor_origin", "m", "About which the moment is given, W axes",
                                   by_default("0 0 0")};
  State<double> given{*this, "given", "J", "Work on the body since the contact began, up to this tick"};
  State<Vector3> held{*this, "held", "N", "Force since the last tick"};
  State<Vector3> before{*this, "before", "m/s", "Tip as commanded at the last tick"};

  [[gnu::flatten]] void output(const Tick& t) override {
    const Wrench measured = *wrench;
    const Vector3 now = measured.force(), more = *time_constant * *rate;
    const double work = work_until_now(t.period());
    const double made = *in_contact && *stiffness > 0.0 ? work + (now + more).squaredNorm() / (2.0 * *stiffness) : 0.0;
    const double share = made <= 0.0 ? 0.0 : *band > 0.0 ? std::fmin(made / *band, 1.0) : 1.0;
    energy = made;
    gain = *low + share * (*high - *low);
    led = Wrench();
    if (!*in_contact) return;
    const Vector3 added = *gain * more;
    led = Wrench(now + added, Vector3(measured.torque()) + (*position - *sensor_origin).cross(added));
  }
  void update(const Tick& t) override {
    given = work_until_now(t.period());
    held = (*led).force();
    before = *velocity;
  }

private:
  /// A held force on a free body does its mean velocity's work.
  double work_until_now(double T) const {
    return *in_contact ? *given - 0.5 * T * (*held).dot(*velocity + *before) : 0.0;
  }
};
HILDA_BLOCK(SwitchingLead, switching_lead_doc)

} // namespace
} // namespace hilda
