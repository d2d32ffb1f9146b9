// SPDX-License-Identifier: BSD-3-Clause
#include <Eigen/Cholesky>
#include <Eigen/LU>
#include <hilda/block.h>
#include <hilda/frames.h>

namespace hilda {
namespace {

/// A free body in an inertial frame, 6 degrees of freedom. The wrench is held over the tick in inertial axes. The
/// rotational state is the inertial angular momentum about the centre of mass: it changes by torque alone, so the
/// momentum of bodies that push each other is conserved to rounding, whatever their inertia. With euler it is the
/// angular velocity (De Stefano, Balachandran and Secchi 2020, Eq. 5 and 8), whose error in energy is known in closed
/// form.
///   zoh         x += v T + a T^2/2, v += a T, q = q exp(w T + dw/dt T^2/2): exact translation
///   variational v += a T, then x += v T; L += M T, then q = q exp(phi), J_r^-1(phi) I phi = T q* L: the discrete
///               Euler-Lagrange equation of a free body on the rotation group (Bou-Rabee and Marsden 2009), symplectic
///               in translation and rotation; with all moments of inertia alike it is the next one, to the bit
///   symplectic  v += a T, then x += v T; L += M T, then q = q exp(w T): semi-implicit Euler, which is symplectic in
///               translation alone
///   euler       x += v T, q = q exp(w T), then v += a T, w += I^-1 (M + (I w) x w) T
///   rk4         translation as zoh; dq/dt = q (0, w)/2 with w from L(t), classical Runge-Kutta
/// An infinite mass moves on as it began.
struct RigidBody : Block {
  enum class Integrator { zoh, symplectic, euler, rk4, variational };
  enum class VelocityOf { frame, centre };

  Input<Wrench> wrench{*this, "wrench",
                       "Force, inertial axes; torque about the centre of mass, body axes at the "
                       "beginning of a tick",
                       in_update};
  Output<Pose> pose{*this, "pose", "Centre of mass, inertial; body axes to inertial axes", from_state};
  Output<Twist> twist{*this, "twist", "v of the centre of mass, inertial axes; w in body axes", from_state};
  Output<double> kinetic_energy{*this, "kinetic_energy", "J",
                                "Of translation and rotation; 0 where the mass is infinite", from_state};
  Output<Vector3> momentum{*this, "momentum", "kg m/s", "Linear, inertial axes; 0 where the mass is infinite",
                           from_state};
  Output<Vector3> angular_momentum{*this,      "angular_momentum",
                                   "kg m2/s",  "About the inertial origin, inertial axes; 0 where the mass is infinite",
                                   from_state, rotational};

  Parameter<double> mass{*this, "mass", "kg", "Mass; inf for a body that nothing moves", above(0.0)};
  Parameter<Matrix3> inertia{*this,           "inertia",
                             "kg m2",         "About the centre of mass, body axes; unused for an infinite mass",
                             by_default("1"), rotational};
  Parameter<Integrator> integrator{*this, "integrator", "How a tick is integrated", by_default("variational")};
  Parameter<Vector3> position{*this, "position", "m", "Of the point `frame` at the start, inertial",
                              by_default("0 0 0")};
  Parameter<Quaternion> orientation{*this, "orientation", "Body axes to inertial axes at the start",
                                    by_default("1 0 0 0")};
  Parameter<Vector3> velocity{*this, "velocity", "m/s", "At the start, inertial axes, of what velocity_of says",
                              by_default("0 0 0")};
  Parameter<Vector3> angular_velocity{*this, "angular_velocity", "rad/s", "At the start, body axes",
                                      by_default("0 0 0")};
  Parameter<Vector3> frame{*this, "frame", "m", "A point of the body from its centre of mass, body axes",
                           by_default("0 0 0")};
  Parameter<VelocityOf> velocity_of{*this, "velocity_of", "Which point `velocity` is that of", by_default("frame")};

  State<Vector3> x{*this, "x", "m", "Centre of mass"};
  State<Quaternion> q{*this, "q", "Body axes to inertial axes"};
  State<Vector3> v{*this, "v", "m/s", "Of the centre of mass"};
  State<Vector3> w{*this, "w", "rad/s", "euler: angular velocity, body axes"};
  State<Vector3> L{*this, "L", "kg m2/s", "Angular momentum about the centre of mass, inertial axes", rotational};

  void configure(const Instance& instance) override {
    if (std::abs((*orientation).norm() - 1.0) > 1e-6)
      instance.report("orientation", "is not a unit quaternion; scale it to length 1");
    if (std::isinf(*mass)) return;
    const Matrix3 I = *inertia;
    if (!I.isApprox(I.transpose(), 1e-9))
      instance.report("inertia", "is not symmetric; give both halves of the matrix the same values");
    else if (I.llt().info() != Eigen::Success)
      instance.report("inertia", "is not positive definite; check the signs and the order of its elements");
  }

  void prepare(const Instance&) override {
    free_ = std::isinf(*mass);
    inverse_mass_ = 1.0 / *mass;
    if (free_)
      inverse_.setZero();
    else
      inverse_ = (*inertia).inverse();
  }

  void initialize(const Instance&) override {
    const Quaternion attitude = (*orientation).normalized();
    const Vector3 arm = attitude * *frame;
    const Vector3 spin = *angular_velocity;
    q = attitude;
    x = Vector3(*position - arm);
    v = *velocity_of == VelocityOf::frame ? Vector3(*velocity - (attitude * spin).cross(arm)) : *velocity;
    w = spin;
    L = free_ ? Vector3(Vector3::Zero()) : Vector3(attitude * Vector3(*inertia * spin));
  }

  [[gnu::flatten]] void state_output(const Tick&) override {
    const Vector3 spin = turning();
    pose = Pose{*x, *q};
    twist = Twist(*v, spin);
    kinetic_energy = kinetic(spin);
    momentum = free_ ? Vector3(Vector3::Zero()) : Vector3(*mass * *v);
    angular_momentum = free_ ? Vector3(Vector3::Zero()) : Vector3((*x).cross(*mass * *v) + *L);
  }

  [[gnu::flatten]] void update(const Tick& t) override {
    const double T = t.period();
    const Wrench on = *wrench;
    const Quaternion attitude = *q;
    const Vector3 a = on.force() * inverse_mass_, torque = attitude * Vector3(on.torque());
    Vector3 grown = free_ ? *L : Vector3(*L + torque * T);
    switch (*integrator) {
    case Integrator::zoh: {
      const Vector3 spin = angular(attitude, *L);
      const Vector3 acceleration = angular_acceleration(spin, on.torque());
      x = *x + *v * T + a * (T * T / 2.0);
      v = *v + a * T;
      q = (attitude * rotation_exp(spin * T + acceleration * (T * T / 2.0))).normalized();
      break;
    }
    case Integrator::symplectic:
      v = *v + a * T;
      x = *x + *v * T;
      q = (attitude * rotation_exp(angular(attitude, grown) * T)).normalized();
      break;
    case Integrator::variational:
      v = *v + a * T;
      x = *x + *v * T;
      q = (attitude * rotation_exp(turn(attitude, grown, T))).normalized();
      break;
    case Integrator::euler:
      x = *x + *v * T;
      v = *v + a * T;
      q = (attitude * rotation_exp(turning() * T)).normalized();
      w = *w + T * angular_acceleration(*w, on.torque());
      if (!free_) grown = *q * Vector3(*inertia * *w);
      break;
    default:
      x = *x + *v * T + a * (T * T / 2.0);
      v = *v + a * T;
      q = turned(attitude, *L, torque, T);
    }
    L = grown;
  }

  double stored_energy() const override { return kinetic(turning()); }

private:
  Vector3 turning() const { return *integrator == Integrator::euler ? *w : angular(*q, *L); }
  Vector3 angular_acceleration(const Vector3& spin, const Vector3& torque) const {
    return inverse_ * Vector3(torque + (*inertia * spin).cross(spin));
  }
  [[gnu::always_inline]] Vector3 angular(const Quaternion& attitude, const Vector3& momentum_now) const {
    return free_ ? *angular_velocity : Vector3(inverse_ * Vector3(attitude.conjugate() * momentum_now));
  }
  double kinetic(const Vector3& spin) const {
    return free_ ? 0.0 : 0.5 * *mass * (*v).squaredNorm() + 0.5 * spin.dot(*inertia * spin);
  }
  /// phi of the variational integrator, by Newton's method with the Jacobian of the terms up to the second order: three
  /// rounds for a small turn. A turn that the tick does not resolve, of a radian and more, has no solution that could
  /// be relied on: then it is that of `symplectic`.
  [[gnu::noinline]] Vector3 turn(const Quaternion& attitude, const Vector3& momentum_now, double T) const {
    const Vector3 plain = angular(attitude, momentum_now) * T;
    if (free_) return plain;
    const Vector3 wanted = T * Vector3(attitude.conjugate() * momentum_now);
    const Matrix3 I = *inertia;
    Vector3 phi = plain;
    bool close = false;
    for (int i = 0; i < 12 && phi.squaredNorm() < 1.0; ++i) {
      const Vector3 momentum_of = I * phi;
      const Vector3 off = inverse_right_jacobian(phi, momentum_of) - wanted;
      if (off.squaredNorm() <= 1e-30 * wanted.squaredNorm()) return phi;
      close = off.squaredNorm() <= 1e-24 * wanted.squaredNorm();
      const Matrix3 slope = I + 0.5 * (cross(phi) * I - cross(momentum_of));
      phi -= slope.inverse() * off;
    }
    return close ? phi : plain;
  }
  static Matrix3 cross(const Vector3& a) {
    Matrix3 m;
    m << 0.0, -a.z(), a.y(), a.z(), 0.0, -a.x(), -a.y(), a.x(), 0.0;
    return m;
  }

  /// The attitude after `T`, with the torque held in inertial axes.
  [[gnu::noinline]] Quaternion turned(const Quaternion& from, const Vector3& L0, const Vector3& torque,
                                      double T) const {
    using Rate = Eigen::Matrix<double, 4, 1, Eigen::DontAlign>;
    const auto rate = [&](const Quaternion& at, double after) -> Rate {
      const Vector3 spin = angular(at, L0 + torque * after);
      return 0.5 * (at * Quaternion(0.0, spin.x(), spin.y(), spin.z())).coeffs();
    };
    const auto moved = [&](const Rate& by) { return Quaternion(Rate(from.coeffs() + by)); };
    const Rate k1 = rate(from, 0.0), k2 = rate(moved(k1 * (T / 2.0)), T / 2.0);
    const Rate k3 = rate(moved(k2 * (T / 2.0)), T / 2.0), k4 = rate(moved(k3 * T), T);
    return moved((k1 + 2.0 * k2 + 2.0 * k3 + k4) * (T / 6.0)).normalized();
  }

  // from the parameters, by prepare
  bool free_ = false;
  double inverse_mass_ = 0.0;
  Matrix3 inverse_ = Matrix3::Zero();
};
HILDA_BLOCK(RigidBody,
            "A free rigid body: 6 degrees of freedom, variational, symplectic, zoh, euler or rk4 (De "
            "Stefano, Balachandran and Secchi 2020, Eq. 5 and 8). Except with euler, a torque is turned into inertial "
            "axes at the beginning of a tick and held there: one that is constant in body axes is right to the first "
            "order of the period alone.")

} // namespace
} // namespace hilda
