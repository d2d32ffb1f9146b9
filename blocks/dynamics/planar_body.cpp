// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <cmath>
#include <hilda/block.h>
#include <hilda/frames.h>

namespace hilda {
namespace {

constexpr const char* planar_body_doc =
    "A body that floats on air pads over a table: it moves in the table's plane and turns about the normal. The pads "
    "have Coulomb and viscous friction; where the table is tilted, gravity pulls the body down the slope.";

/// The pads lie around the centre of mass and bear equal loads. A tick: wrench and thrust change the velocities, then
/// gravity along the slope and friction. The path is the mean velocity of that second step, so that a parabola is exact
/// and the work of friction is what kinetic and potential energy miss. Coulomb's friction is found as the impulse of
/// each pad that stops it or, on its limit, opposes its motion: a body comes to rest, and stays so on a slope that
/// friction can hold.
struct PlanarBody : Block {
  Input<Wrench> wrench{*this, "wrench", "On B: force in W axes, torque about B's origin in B axes", in_update};
  Input<Wrench> thrust{*this, "thrust", "Of the body's own drives, in the same way", in_update, optional};
  Input<Pose> start_pose{*this, "start_pose", "Where B begins; the table lies in this height and attitude", primes,
                         in_update};
  Input<Twist> start_twist{*this, "start_twist", "How B begins to move; what leaves the plane does not count", primes,
                           in_update};
  Output<Pose> pose{*this, "pose", "B in W", from_state};
  Output<Twist> twist{*this, "twist", "v of B's origin in W axes, w in B axes", from_state};
  Output<double> kinetic_energy{*this, "kinetic_energy", "J", "In W", from_state};
  Output<double> potential_energy{*this, "potential_energy", "J", "On the slope; 0 at the start", from_state};
  Output<double> lost{*this, "lost", "J", "What friction has taken", from_state};

  Parameter<double> mass{*this, "mass", "kg", "Of the body", above(0.0)};
  Parameter<double> inertia{*this,      "inertia", "kg m2", "About the normal through the centre of mass",
                            rotational, above(0.0)};
  Parameter<Vector3> centre{*this, "centre", "m", "Centre of mass from B's origin, B axes", by_default("0 0 0")};
  Parameter<Vector3> normal{*this, "normal", "", "Of the table, W axes; scaled to length 1", by_default("0 0 1")};
  Parameter<double> tilt{
      *this, "tilt", "rad", "Of the table against the horizontal", between(0.0, 1.5), by_default("0 rad")};
  Parameter<Vector3> downhill{*this, "downhill", "",
                              "Direction in which the table falls, W axes; its part in the plane", by_default("1 0 0")};
  Parameter<double> gravity{*this, "gravity", "m/s2", "Acceleration", at_least(0.0), by_default("9.81")};
  Parameter<Matrix> pads{*this, "pads", "n 3", "m", "Centres of the pads, one row each, B axes", by_default("0 0 0;")};
  Parameter<double> coulomb{*this,         "coulomb",      "", "Coefficient of Coulomb's friction of the pads",
                            at_least(0.0), by_default("0")};
  Parameter<double> viscous{*this,         "viscous",      "N s/m", "Viscous friction of all pads together",
                            at_least(0.0), by_default("0")};

  State<Vector3> x{*this, "x", "m", "Centre of mass"};
  State<Vector3> v{*this, "v", "m/s", "Of the centre of mass, in the plane"};
  State<double> yaw{*this, "yaw", "rad", "About the normal, since the start"};
  State<double> w{*this, "w", "rad/s", "About the normal"};
  State<Quaternion> attitude{*this, "attitude", "B axes to W axes at the start"};
  State<Vector3> origin{*this, "origin", "m", "Centre of mass at the start"};
  State<double> taken{*this, "taken", "J", "By friction"};

  void configure(const Instance& self) override {
    if ((*normal).norm() < 1e-9) self.report("normal", "has no length; give the direction of the table's normal");
    const Vector3 n = (*normal).normalized();
    if (*tilt > 0.0 && Vector3(*downhill - n * n.dot(*downhill)).norm() < 1e-9)
      self.report("downhill", "has no part in the plane of the table; give the direction in which the table falls");
  }

  void prepare(const Instance&) override {
    n_ = (*normal).normalized();
    const Vector3 down = in_plane(*downhill);
    slope_ = *tilt > 0.0 ? Vector3(down.normalized() * (*gravity * std::sin(*tilt))) : Vector3(Vector3::Zero());
  }

  void prime(const Tick& t) override {
    const Pose begin = *start_pose;
    const Twist motion = *start_twist;
    attitude = begin.orientation.normalized();
    const Vector3 arm = *attitude * *centre;
    yaw = 0.0, w = n_.dot(*attitude * Vector3(motion.angular()));
    origin = Vector3(begin.position + arm), x = *origin;
    v = Vector3(in_plane(motion.linear()) + *w * n_.cross(arm));
    taken = 0.0;
    const Vector3 middle = Vector3((*pads).colwise().mean().transpose()) - *centre;
    const double off = in_plane(*attitude * middle).norm();
    if ((*coulomb > 0.0 || *viscous > 0.0) && off > 1e-6)
      t.fail("the pads do not lie around the centre of mass and would not bear equal loads; their middle is off by (m)",
             off);
  }

  void state_output(const Tick&) override {
    const Quaternion q = turned();
    const Vector3 arm = q * *centre;
    pose = Pose{Vector3(*x - arm), q};
    twist = Twist(Vector3(*v - *w * n_.cross(arm)), Vector3(q.conjugate() * Vector3(*w * n_)));
    kinetic_energy = kinetic(*v, *w);
    potential_energy = potential();
    lost = *taken;
  }

  void update(const Tick& t) override {
    const double T = t.period();
    const Wrench pushed = *wrench + thrust.value_or(Wrench());
    const Quaternion q = turned();
    const Vector3 arm = q * *centre, force = pushed.force();
    Vector3 velocity = *v + in_plane(force) * (T / *mass);
    double spin = *w + n_.dot(q * Vector3(pushed.torque()) - arm.cross(force)) * (T / *inertia);
    const Vector3 before = velocity;
    const double spin_before = spin;
    velocity += slope_ * T;
    rub(q, T, velocity, spin);
    const Vector3 way = 0.5 * T * (before + velocity);
    x = *x + way;
    yaw = *yaw + 0.5 * T * (spin_before + spin);
    taken = *taken + *mass * slope_.dot(way) + kinetic(before, spin_before) - kinetic(velocity, spin);
    v = velocity, w = spin;
  }

  double stored_energy() const override { return kinetic(*v, *w) + potential(); }

  void summarize(const Summary& summary) const override {
    summary.number("table.lost", *taken, "J");
    summary.number("table.kinetic", kinetic(*v, *w), "J");
  }

private:
  static constexpr int most_rounds = 60;

  Vector3 in_plane(const Vector3& a) const { return a - n_ * n_.dot(a); }
  Quaternion turned() const { return (rotation_exp(n_ * *yaw) * *attitude).normalized(); }
  double kinetic(const Vector3& velocity, double spin) const {
    return 0.5 * *mass * velocity.squaredNorm() + 0.5 * *inertia * spin * spin;
  }
  double potential() const { return -*mass * slope_.dot(*x - *origin); }

  /// Pad `i` from the centre of mass, W axes, in the plane.
  Vector3 pad(const Quaternion& q, Eigen::Index i) const {
    return in_plane(q * Vector3(Vector3((*pads).row(i).transpose()) - *centre));
  }

  void rub(const Quaternion& q, double T, Vector3& velocity, double& spin) {
    const Eigen::Index count = pads.rows();
    const double each = 1.0 / static_cast<double>(count);
    if (*viscous > 0.0) {
      double square = 0.0;
      for (Eigen::Index i = 0; i < count; ++i) square += each * pad(q, i).squaredNorm();
      velocity *= std::exp(-*viscous * T / *mass);
      spin *= std::exp(-*viscous * square * T / *inertia);
    }
    if (!(*coulomb > 0.0)) return;
    const double most = *coulomb * *mass * *gravity * std::cos(*tilt) * T * each;
    start_impulses(q, most, velocity, spin);
    double change = 1.0;
    for (int round = 0; round < most_rounds && change > 1e-14 * most; ++round) {
      change = 0.0;
      for (Eigen::Index i = 0; i < count; ++i) change = std::max(change, stop_pad(q, i, most, velocity, spin));
    }
  }

  /// Those that would stop the body if each pad could bear its share, cut to what it bears.
  void start_impulses(const Quaternion& q, double most, Vector3& velocity, double& spin) {
    const Eigen::Index count = pads.rows();
    double square = 0.0;
    for (Eigen::Index i = 0; i < count; ++i) square += pad(q, i).squaredNorm();
    const Vector3 shift = velocity * (-*mass / static_cast<double>(count));
    const double turn = square > 0.0 ? -*inertia * spin / square : 0.0;
    for (Eigen::Index i = 0; i < count; ++i) {
      const Vector3 r = pad(q, i), given = within(shift + turn * n_.cross(r), most);
      (*impulses).row(i) = given.transpose();
      push(r, given, velocity, spin);
    }
  }
  static Vector3 within(const Vector3& a, double most) {
    const double size = a.norm();
    return size > most ? Vector3(a * (most / size)) : a;
  }
  void push(const Vector3& r, const Vector3& impulse, Vector3& velocity, double& spin) const {
    velocity += impulse / *mass;
    spin += n_.dot(r.cross(impulse)) / *inertia;
  }

  /// One round of one pad: its impulse towards the one that stops it, within its limit. Returns how far it changed.
  double stop_pad(const Quaternion& q, Eigen::Index i, double most, Vector3& velocity, double& spin) {
    const Vector3 r = pad(q, i), slip = velocity + spin * n_.cross(r);
    const double resists = 1.0 / (1.0 / *mass + r.squaredNorm() / *inertia);
    const Vector3 was = (*impulses).row(i).transpose();
    const Vector3 wanted = within(was - resists * slip, most), more = wanted - was;
    (*impulses).row(i) = wanted.transpose();
    push(r, more, velocity, spin);
    return more.norm();
  }

  Work<Matrix> impulses{*this, "impulses", "n 3", "N s", "Of each pad in this tick"};
  // from the parameters, by prepare
  Vector3 n_ = Vector3::UnitZ(), slope_ = Vector3::Zero();
};
HILDA_BLOCK(PlanarBody, planar_body_doc)

} // namespace
} // namespace hilda
