#include "blocks/contact/undelayed_plant.h"
#include <bit>
#include <hilda/block.h>

namespace hilda {
namespace {

/// The same scenario without any delay, in continuous time: what the contacts of a loop are measured against.
/// Runge-Kutta with the walls evaluated at every stage, steps of T/20 while something touches (T in free flight, where
/// no force acts), and every change of contact located by bisection; error below 1e-5 a contact.
/// It runs ahead of the loop on demand: a loop that gains energy has its n-th contact before the ideal one, so `wanted`
/// says which contact's figures are to stand at the outputs, and the run goes on until it has had that one.
struct IdealRun : Block {
  Input<Matrix> walls{*this,     "walls", "m 11", "", "Contact elements of the simulated environment, W axes",
                      in_update, optional};
  Input<std::int64_t> wanted{*this, "wanted", "Number of the contact that is asked for, from 1", in_update};
  Output<std::int64_t> contact{*this, "contact",
                               "Number of the contact whose figures stand here; 0: none yet; -1: there will be none",
                               from_state};
  Output<double> speed_before{*this, "speed_before", "m/s", "Approach, along the struck wall's normal", from_state};
  Output<double> speed_after{*this, "speed_after", "m/s", "Rebound, against it", from_state};
  Output<double> peak_force{*this, "peak_force", "N", "Largest normal force of that contact", from_state};

  Parameter<double> service_mass{*this, "service_mass", "kg", "Of the tool's body", above(0.0)};
  Parameter<Matrix3> service_inertia{*this, "service_inertia", "kg m2", "Body axes", by_default("1"), rotational};
  Parameter<double> target_mass{*this, "target_mass", "kg", "Of the walls' body; inf for one that nothing moves",
                                above(0.0)};
  Parameter<Matrix3> target_inertia{*this, "target_inertia", "kg m2", "Body axes", by_default("1"), rotational};
  Parameter<Vector3> service_offset{*this, "service_offset", "m", "Tool frame from the centre of mass",
                                    by_default("0 0 0")};
  Parameter<Vector3> target_offset{*this, "target_offset", "m", "W from the centre of mass", by_default("0 0 0")};
  Parameter<Vector3> velocity{*this, "velocity", "m/s", "Of the tool's origin at tick 0, inertial axes"};
  Parameter<Vector3> angular_velocity{*this, "angular_velocity", "rad/s", "Of the tool's body, body axes",
                                      by_default("0 0 0")};
  Parameter<Vector3> target_velocity{*this, "target_velocity", "m/s", "Of the target's centre of mass",
                                     by_default("0 0 0")};
  Parameter<Vector3> target_angular_velocity{*this, "target_angular_velocity", "rad/s", "Body axes",
                                             by_default("0 0 0")};
  Parameter<double> horizon{*this,      "horizon",
                            "s",        "How far ahead it looks before it says that there is no such contact",
                            above(0.0), by_default("240 s")};

  State<Fixed<13>> service{*this, "service", "", "x, v, L, q (w x y z) of the tool's body"};
  State<Fixed<13>> target{*this, "target", "", "The same of the walls' body"};
  State<std::uint64_t> pressed{*this, "pressed", "Bit i: element i is touched"};
  State<double> elapsed{*this, "elapsed", "s", "Time of the ideal run"};
  State<std::int64_t> finished{*this, "finished", "Contacts so far"};
  State<std::int64_t> struck{*this, "struck", "First element of the contact under way"};
  State<double> approach{*this, "approach", "m/s", "Of the contact under way or the last one"};
  State<double> rebound{*this, "rebound", "m/s", "Of the last contact"};
  State<double> peak{*this, "peak", "N", "Of the contact under way or the last one"};

  void prepare(const Instance&) override {
    plant_.tool = model(*service_mass, *service_inertia, *service_offset, *angular_velocity);
    plant_.world = model(*target_mass, *target_inertia, *target_offset, *target_angular_velocity);
  }

  void initialize(const Instance&) override {
    plant_.tool_body.q = plant_.world_body.q = Quaternion::Identity();
    plant_.tool_body.x = -*service_offset;
    plant_.world_body.x = -*target_offset;
    plant_.tool_body.v = *velocity - (*angular_velocity).cross(*service_offset);
    plant_.world_body.v = *target_velocity;
    plant_.tool_body.L =
        std::isinf(*service_mass) ? Vector3(Vector3::Zero()) : Vector3(*service_inertia * *angular_velocity);
    plant_.world_body.L =
        std::isinf(*target_mass) ? Vector3(Vector3::Zero()) : Vector3(*target_inertia * *target_angular_velocity);
    keep();
    struck = std::int64_t{-1};
  }

  void state_output(const Tick&) override {
    const bool there = *finished > 0 && *pressed == 0;
    contact = *elapsed >= *horizon ? std::int64_t{-1} : there ? *finished : std::int64_t{0};
    speed_before = there ? *approach : 0.0;
    speed_after = there ? *rebound : 0.0;
    peak_force = there ? *peak : 0.0;
  }

  void update(const Tick& t) override {
    if (!walls.connected() || *finished >= *wanted || *elapsed >= *horizon) return;
    recall();
    // A bounded share of the search each tick; a contact of the loop lasts longer than the search for the ideal one.
    for (int i = 0; i < steps_a_tick && *finished < *wanted && *elapsed < *horizon; ++i) step(t.period());
    keep();
  }

private:
  static constexpr int steps_a_tick = 2000;

  static BodyModel model(double mass, const Matrix3& inertia, const Vector3& offset, const Vector3& w) {
    BodyModel m;
    m.free = std::isinf(mass);
    m.inverse_mass = 1.0 / mass;
    if (!m.free) m.inverse_inertia = inertia.inverse();
    m.offset = offset, m.w = w;
    return m;
  }

  void step(double T) {
    const BodyState a = plant_.tool_body, b = plant_.world_body;
    const double h = plant_.pressed != 0 ? T / 20.0 : T;
    plant_.advance(h);
    const std::uint64_t now = plant_.touching();
    if (now == plant_.pressed) {
      elapsed = *elapsed + h;
      watch_force();
      return;
    }
    double without = 0.0, with = h; // the change lies in between
    for (int i = 0; i < 48; ++i) {
      const double middle = 0.5 * (without + with);
      plant_.tool_body = a, plant_.world_body = b;
      plant_.advance(middle);
      (plant_.touching() == plant_.pressed ? without : with) = middle;
    }
    plant_.tool_body = a, plant_.world_body = b;
    plant_.advance(with);
    elapsed = *elapsed + with;
    change(plant_.touching());
  }

  /// Normal speed into the element that was struck first.
  double speed_into_struck() const {
    const UndelayedPlant::Seen s = plant_.seen();
    return touch(plant_.element(static_cast<int>(*struck)), s.pose, s.twist).rate;
  }

  void change(std::uint64_t now) {
    const std::uint64_t before = plant_.pressed;
    plant_.pressed = now;
    if (before == 0) {
      struck = static_cast<std::int64_t>(std::countr_zero(now));
      approach = speed_into_struck();
      peak = 0.0;
    }
    watch_force();
    if (now != 0) return;
    rebound = -speed_into_struck();
    finished = *finished + 1;
  }

  void watch_force() {
    if (plant_.pressed == 0) return;
    const UndelayedPlant::Seen s = plant_.seen();
    for (int i = 0; i < plant_.element_count; ++i)
      if ((plant_.pressed >> i & 1U) != 0 && !plant_.element(i).rotation)
        peak = std::max(*peak, touch(plant_.element(i), s.pose, s.twist).force);
  }

  static Fixed<13> packed(const BodyState& b) {
    Fixed<13> p;
    p << b.x, b.v, b.L, b.q.w(), b.q.vec();
    return p;
  }
  static BodyState unpacked(const Fixed<13>& p) {
    BodyState b;
    b.x = p.segment<3>(0), b.v = p.segment<3>(3), b.L = p.segment<3>(6);
    b.q = Quaternion(p[9], p[10], p[11], p[12]);
    return b;
  }
  void keep() {
    service = packed(plant_.tool_body);
    target = packed(plant_.world_body);
    pressed = plant_.pressed;
  }
  void recall() {
    plant_.tool_body = unpacked(*service);
    plant_.world_body = unpacked(*target);
    plant_.pressed = *pressed;
    plant_.element_count = static_cast<int>(std::min<Eigen::Index>((*walls).rows(), UndelayedPlant::most_elements));
    for (int i = 0; i < plant_.element_count; ++i)
      plant_.elements[static_cast<std::size_t>(i)] = ContactElement::from((*walls).row(i));
  }

  UndelayedPlant plant_; // bodies from the parameters, by prepare; the rest is taken from the state in update
};
HILDA_PLUGIN(IdealRun, "The same scenario without delay: what the contacts of a loop are measured against.")

} // namespace
} // namespace hilda
