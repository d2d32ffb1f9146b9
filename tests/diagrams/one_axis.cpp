// SPDX-License-Identifier: BSD-3-Clause
#include "tests/diagrams/one_axis.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <random>

namespace hilda::test {
namespace {

/// Stiffness and damping from the increments of force and motion (Sage and Husa).
struct Filter {
  double k = 0, c = 0, p11 = 1e12, p12 = 0, p22 = 1e8, r = 100, n = 0;

  void learn(double dx, double dv, double df) {
    const double y = df - dx * k - dv * c, h1 = p11 * dx + p12 * dv, h2 = p12 * dx + p22 * dv, s = dx * h1 + dv * h2;
    const double d = 0.02 / (1.0 - std::pow(0.98, n + 1));
    r = (1 - d) * r + d * (y * y + s);
    const double k1 = h1 / (s + r), k2 = h2 / (s + r);
    k += k1 * y, c += k2 * y, n += 1;
    const double a11 = 1 - k1 * dx, a12 = -k1 * dv, a21 = -k2 * dx, a22 = 1 - k2 * dv;
    const double b11 = a11 * p11 + a12 * p12, b12 = a11 * p12 + a12 * p22;
    const double b21 = a21 * p11 + a22 * p12, b22 = a21 * p12 + a22 * p22;
    p11 = b11 * a11 + b12 * a12 + k1 * r * k1;
    p12 = b11 * a21 + b12 * a22 + k1 * r * k2;
    p22 = b21 * a21 + b22 * a22 + k2 * r * k2;
  }
};

double restitution_of(double m, double k, double c) {
  const double z = c / (2 * std::sqrt(k * m));
  return std::exp(-z * (std::numbers::pi - 2 * std::asin(z)) / std::sqrt(1 - z * z));
}

/// Of all samples of one contact: force and place, at the ends of ticks.
struct Samples {
  std::vector<double> force, place;
  double before = 0; ///< place one tick before the first

  struct Line {
    double k = 0, c = 0;
  };
  Line fitted(double T) const {
    const std::size_t n = force.size() - 1;
    double mx = 0, mv = 0, mf = 0, xx = 0, xv = 0, vv = 0, xf = 0, vf = 0;
    const auto x = [&](std::size_t i) { return (place[i] + place[i + 1]) / 2; };
    const auto v = [&](std::size_t i) { return (place[i + 1] - place[i]) / T; };
    const auto f = [&](std::size_t i) { return (force[i] + force[i + 1]) / 2; };
    for (std::size_t i = 0; i < n; ++i) mx += x(i), mv += v(i), mf += f(i);
    mx /= double(n), mv /= double(n), mf /= double(n);
    for (std::size_t i = 0; i < n; ++i) {
      const double a = x(i) - mx, b = v(i) - mv, g = f(i) - mf;
      xx += a * a, xv += a * b, vv += b * b, xf += a * g, vf += b * g;
    }
    const double det = xx * vv - xv * xv;
    return {(xf * vv - vf * xv) / det, (vf * xx - xf * xv) / det};
  }
  /// Which part of its energy the wall gave back, and the stiffness and damping behind it.
  double returned(double T, Line& wall) const {
    wall = fitted(T);
    const double jump = std::max(0.0, wall.c * (place[0] - before) / T);
    double work = std::max(0.0, force[0] * force[0] - jump * jump) / (2 * wall.k), peak = work;
    for (std::size_t i = 1; i < force.size(); ++i) {
      work += (force[i] + force[i - 1]) / 2 * (place[i] - place[i - 1]);
      peak = std::max(peak, work);
    }
    work -= force.back() * force.back() / (2 * wall.k);
    return std::clamp(1 - work / peak, -1.0, 1.5);
  }
};

class Run {
public:
  explicit Run(const OneAxis& of) : o_(of), v_(of.speed), random_(of.seed) {}

  std::vector<double> speeds(int contacts) {
    std::vector<double> met;
    bool touching = false;
    for (int k = 0; k < 4000000 && met.size() < static_cast<std::size_t>(contacts) + 1; ++k) {
      const double given = tick(k);
      if (wall_ != 0 && !touching) met.push_back(std::abs(v_));
      touching = wall_ != 0;
      const double whole = given + ledger(given);
      last_whole_ = whole, last_v_ = v_;
      move(whole);
      if (!(std::abs(v_) < 1e3)) break;
    }
    met.resize(static_cast<std::size_t>(contacts) + 1);
    met.erase(met.begin());
    return met;
  }

private:
  double x_ago(int ticks) const {
    const int at = static_cast<int>(x_.size()) - 1 - ticks;
    return at >= 0 ? x_[static_cast<std::size_t>(at)] : x_[0] + o_.speed * o_.period * at;
  }
  double v_ago(int ticks) const {
    const int at = static_cast<int>(vs_.size()) - 1 - ticks;
    return at >= 0 ? vs_[static_cast<std::size_t>(at)] : o_.speed;
  }
  /// The robot's place, `ticks` (a fraction, too) ago.
  double actual_ago(double ticks) const {
    const double at = static_cast<double>(actual_.size()) - 1 - ticks, whole = std::floor(at), part = at - whole;
    const auto place = [&](double i) {
      return i >= 0 ? actual_[static_cast<std::size_t>(i)] : actual_[0] + o_.speed * o_.period * i;
    };
    return part == 0 ? place(whole) : (1 - part) * place(whole) + part * place(whole + 1);
  }

  /// Force of the method on the wall.
  double tick(int k) {
    const double T = o_.period;
    x_.push_back(x_now_), vs_.push_back(v_);
    double at = x_ago(o_.robot_delay);
    const double rate = v_ago(o_.robot_delay);
    if (o_.method == OneAxis::tdpa) at = k == 0 ? 0 : actual_.back() + T * rate;
    actual_.push_back(at);
    const double side = at > 0 ? 1 : -1, depth = std::abs(at) - o_.gap / 2;
    wall_ = depth > 0 ? side * std::max(0.0, o_.stiffness * depth + o_.damping * side * rate) : 0;
    walls_.push_back(wall_);
    const int heard = static_cast<int>(walls_.size()) - 1 - o_.sensor_delay;
    measured_ = heard >= 0 ? walls_[static_cast<std::size_t>(heard)] : 0;
    if (o_.force_noise > 0) measured_ += o_.force_noise * normal_(random_);
    return o_.method == OneAxis::tdpa ? passive() : contact(at, rate);
  }

  double passive() {
    const double work = -o_.period * measured_ * v_; // of the force on the tool
    double force = measured_;
    if (work > bank_) {
      force *= bank_ / work;
      bank_ = 0;
    } else
      bank_ -= work;
    return force;
  }

  double contact(double at, double rate) {
    const double T = o_.period, F = measured_;
    const bool in = std::abs(F) > o_.threshold();
    ticks_ = in ? ticks_ + 1 : 0;
    const double led = in ? F + o_.sensor_delay * (F - last_measured_) : 0, e = led > 0 ? 1 : led < 0 ? -1 : 0;
    const double dx = (at - last_at_) * e;
    if (ticks_ > 2 && std::abs(dx) > 1e-9) filter_.learn(dx, (rate - last_rate_) * e, (led - last_led_) * e);
    last_measured_ = F, last_led_ = led, last_at_ = at, last_rate_ = rate;
    double force = led;
    if (o_.method != OneAxis::dac && e != 0) force += filter_.k * (x_now_ - at) + filter_.c * (v_ - rate);
    if (o_.method == OneAxis::pic) return force;
    if (force * F <= 0) force = 0;
    return force + added(force, e, in, T);
  }
  double added(double force, double e, bool in, double T) {
    const double damped = filter_.c * v_ * std::abs(e);
    double more = 0, elastic = force - damped;
    if (in) {
      if (v_ * force > 0) elastic = last_force_ - last_damped_;
      energy_ += (elastic * v_ + last_more_ * last_v_) * T;
      if (energy_ < 0 && std::abs(v_ * e) > 1e-6) more = -energy_ / (v_ * T);
    } else
      energy_ = 0;
    last_force_ = force, last_damped_ = in ? damped : 0, last_more_ = more;
    return more;
  }

  double ledger(double given) {
    if (o_.rule == OneAxis::off) return 0;
    const double T = o_.period, late = o_.alignment_ticks < 0 ? o_.sensor_delay : o_.alignment_ticks;
    const double done = last_whole_ * (v_ + last_v_) / 2 * T;
    residual_ += done, here_ += done;
    const double limit = o_.threshold();
    const bool in = std::abs(measured_) > limit, active = in || std::abs(given) > limit;
    if (active && !open_) open_ = true, here_ = deepest_ = most_ = push_ = 0, quiet_ = 0, came_ = v_, samples_ = {};
    if (!open_) return settle();
    if (in && samples_.force.empty()) samples_.before = std::copysign(1, measured_) * actual_ago(late + 1);
    if (in) {
      samples_.force.push_back(std::abs(measured_));
      samples_.place.push_back(std::copysign(1, measured_) * actual_ago(late));
    }
    deepest_ = std::max(deepest_, here_), most_ = std::max(most_, std::abs(given)), push_ += given * T;
    quiet_ = active ? 0 : quiet_ + 1;
    if (quiet_ < 3) return 0;
    open_ = false;
    Samples::Line wall;
    const double seen = samples_.returned(T, wall);
    const double u = o_.rule == OneAxis::ratio   ? seen
                     : o_.rule == OneAxis::model ? std::pow(restitution_of(o_.mass, wall.k, wall.c), 2)
                                                 : o_.restitution * o_.restitution;
    residual_ -= (1 - u) * deepest_;
    return settle();
  }
  double settle() const {
    if (push_ == 0 || std::abs(residual_) <= 1e-6 * deepest_) return 0;
    const double away = -std::copysign(1, push_) * v_; // speed out of the wall
    if (away <= 0) return 0;
    const double most = std::min(0.2 * most_, 0.2 * o_.mass * away / o_.period);
    return std::copysign(1, push_) * std::clamp(0.2 * residual_ / (away * o_.period), -most, most);
  }

  void move(double force) {
    const double T = o_.period, a = -force / o_.mass;
    if (o_.method == OneAxis::tdpa)
      x_now_ += v_ * T, v_ += a * T;
    else if (o_.zoh)
      x_now_ += v_ * T + a * T * T / 2, v_ += a * T;
    else
      v_ += a * T, x_now_ += v_ * T;
  }

  OneAxis o_;
  double x_now_ = 0, v_, wall_ = 0, measured_ = 0, bank_ = 0;
  std::vector<double> x_, vs_, actual_, walls_;
  std::mt19937_64 random_;
  std::normal_distribution<double> normal_;
  int ticks_ = 0;
  Filter filter_;
  double last_measured_ = 0, last_led_ = 0, last_at_ = 0, last_rate_ = 0, energy_ = 0;
  double last_force_ = 0, last_damped_ = 0, last_more_ = 0, last_whole_ = 0, last_v_ = 0;
  bool open_ = false;
  int quiet_ = 0;
  double residual_ = 0, here_ = 0, deepest_ = 0, most_ = 0, push_ = 0, came_ = 0;
  Samples samples_;
};

} // namespace

std::vector<double> OneAxis::speeds(int contacts) const { return Run(*this).speeds(contacts); }

} // namespace hilda::test
