// SPDX-License-Identifier: BSD-3-Clause
#include "benchmarks/hand/arm_maths.h"
#include "benchmarks/hand/kernels.h"

#include <string>

namespace hand::HAND {
namespace {

using namespace arm;

/// Along z, from 80 mm below the ring to 15 mm above it.
struct Profile {
  double position = 0, velocity = 0, acceleration = 0;
  void at(double time) {
    constexpr double start = -0.08, way = 0.095, duration = 10;
    const double u = std::min(time / duration, 1.0);
    position = start + way * u * u * u * (10 + u * (-15 + 6 * u));
    velocity = way / duration * 30 * u * u * (1 - u) * (1 - u);
    acceleration = way / (duration * duration) * 60 * u * (1 - u) * (1 - 2 * u);
  }
};

struct Pid {
  Joints kp, ki, integral = Joints::Zero(), previous = Joints::Zero(), torque = Joints::Zero();
  Pid() {
    kp << 140, 210, 140, 105, 105, 21, 21;
    ki << 10, 10, 10, 1, 1, 1, 1;
  }
  void control(const Joints& error, double time) {
    if (time == 0) previous = error;
    torque = std::min(time * time, 1.0) *
             (kp.cwiseProduct(error) + ki.cwiseProduct(integral) + 0.01 / period * (error - previous));
    integral += period * error;
    previous = error;
  }
};

struct Figures {
  Joints torque = Joints::Zero();
  double peak = 0, impulse = 0, linear = 0, angular = 0, residual = 0;
};

struct Values {
  State x;
  Model model;
  Ring ring;
  Kinematics seen;
  Profile profile;
  Vector3d force;
  Vector6 reference = Vector6::Zero();
  Joints wanted;
  Pid pid;
  Figures figures;
  Inverse method = Inverse::svd;
  std::size_t tick = 0;
};

// The parts of a tick, in their order.

inline void look(Values& v) { v.seen = kinematics(v.model, v.ring, v.x); }
inline void touch(Values& v) { v.force = v.ring.force(v.x.p + v.model.body[links - 1].end); }
inline void guide(Values& v) { v.profile.at(static_cast<double>(v.tick) * period); }
inline void invert(Values& v) {
  Vector6 in_tool;
  in_tool << v.seen.tool.transpose() * v.reference.head<3>(), v.seen.tool.transpose() * v.reference.tail<3>();
  v.wanted = shortest(v.seen.D, in_tool, v.method);
}
inline void turn(Values& v) { v.pid.control(v.wanted - v.x.nu.tail<7>(), static_cast<double>(v.tick) * period); }
inline void give_way(Values& v) {
  Vector6 push;
  push << v.force, Vector3d::Zero();
  Vector6 wanted = Vector6::Zero(), speed = wanted, acceleration = wanted;
  wanted[2] = v.profile.position, speed[2] = v.profile.velocity, acceleration[2] = v.profile.acceleration;
  push += 500 * (speed - v.seen.V) + 600 * (wanted - v.seen.X);
  v.reference += period * (acceleration + push / 800);
}
inline void note(Values& v) {
  Figures& f = v.figures;
  f.torque = f.torque.cwiseMax(v.pid.torque.cwiseAbs());
  f.peak = std::max(f.peak, v.force.norm());
  f.impulse += period * v.force.norm();
  f.linear = std::max(f.linear, v.seen.linear.norm());
  f.angular = std::max(f.angular, v.seen.angular.norm());
  f.residual = std::max({f.residual, (v.seen.linear - v.x.impulse).lpNorm<Eigen::Infinity>(),
                         (v.seen.angular - v.x.turning_impulse).lpNorm<Eigen::Infinity>()});
}
inline void carry(Values& v) {
  constexpr double h = period;
  const State x = v.x;
  const auto at = [&v](const State& s) { return rates(v.model, v.ring, s, v.pid.torque); };
  const Rates a = at(x), b = at(moved(x, a, h / 2)), c = at(moved(x, b, h / 2)), d = at(moved(x, c, h));
  v.x = moved(moved(moved(moved(x, a, h / 6), b, h / 3), c, h / 3), d, h / 6);
  v.x.turn.normalize();
  ++v.tick;
}

using Part = void (*)(Values&);
template <Part part> [[gnu::noinline]] void call(Values& v) { part(v); }

class ForceTorque : public Kernel {
public:
  explicit ForceTorque(Inverse method) {
    v_.method = method;
    v_.x.q << 2.196, -2.386, -2.011, 2.595, 2.558, 0.756, 0.949;
    v_.model.place(v_.x);
    const Model::Body& end = v_.model.body[links - 1];
    v_.ring.axes = end.axes;
    v_.ring.place = end.end + end.axes * Vector3d(0, 0, 0.08);
  }
  void fused(std::size_t ticks) override {
    for (; ticks > 0; --ticks) {
      begin();
      look(v_), touch(v_), guide(v_), invert(v_), turn(v_), give_way(v_), note(v_);
      carry(v_);
    }
  }
  void blocks(std::size_t ticks) override {
    for (; ticks > 0; --ticks) {
      begin();
      call<look>(v_), call<touch>(v_), call<guide>(v_), call<invert>(v_), call<turn>(v_), call<give_way>(v_);
      call<note>(v_);
      call<carry>(v_);
    }
  }
  std::vector<double> result() const override {
    std::vector<double> all(v_.pid.torque.begin(), v_.pid.torque.end());
    all.insert(all.end(), joints_before_.begin(), joints_before_.end());
    all.insert(all.end(), v_.seen.X.begin(), v_.seen.X.end());
    all.insert(all.end(), v_.force.begin(), v_.force.end());
    return all;
  }

private:
  void begin() { joints_before_ = v_.x.q; }
  Values v_;
  Joints joints_before_; ///< those that the tick began with
};

} // namespace

std::unique_ptr<Kernel> force_torque(const char* pseudo_inverse) {
  const std::string name = pseudo_inverse;
  return std::make_unique<ForceTorque>(name == "svd"          ? Inverse::svd
                                       : name == "orthogonal" ? Inverse::orthogonal
                                                              : Inverse::normal);
}

} // namespace hand::HAND
