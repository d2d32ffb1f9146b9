// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "blocks/contact/kelvin_voigt.h"
#include <algorithm>
#include <cmath>

namespace hilda {

/// What the environment took from a tool in one contact and what kind of wall it was, from samples of the measured
/// force and the reported motion along it. The work between the first and the last sample in contact is the
/// trapezoid's, exact for a spring. What lies before the first and behind the last sample follows from the stiffness:
/// left out, it would cost as much as (w T)^2/4 of the energy, at random. Doubles alone: it is kept as a state.
struct ContactAccount {
  double samples = 0.0;     ///< intervals in between
  double work = 0.0;        ///< J, taken by the environment up to now
  double work_peak = 0.0;   ///< J, largest so far
  double first_force = 0.0; ///< N
  double first_rate = 0.0;  ///< m/s, into the wall
  double last_force = 0.0;  ///< N
  double force_peak = 0.0;  ///< N
  double travel = 0.0;      ///< m, along the force, since the first sample
  double slope = 0.0;       ///< W, of the work over the time by which the motion is delayed
  double x = 0.0, v = 0.0, f = 0.0, xx = 0.0, xv = 0.0, vv = 0.0, xf = 0.0, vf = 0.0; ///< sums for least squares

  /// Of f = k x + c v + const over the contact. k = 0: unknown.
  struct Wall {
    double stiffness = 0.0, damping = 0.0;
  };
  /// The environment's side of the whole contact.
  struct Balance {
    double taken = 0.0, peak = 0.0; ///< J, kept in the end; at the deepest point
    Wall wall;
  };

  void begin(double force, double rate) {
    *this = {};
    first_force = last_force = force_peak = force;
    first_rate = rate;
  }

  /// One interval of `period` s: the work done on the environment in it, the mean force, the force at its end, and how
  /// the work would change with the motion's delay (W).
  void add(double done, double mean_force, double force, double change, double period) {
    work += done;
    work_peak = std::max(work_peak, work);
    last_force = force;
    force_peak = std::max(force_peak, force);
    slope += change;
    if (!(mean_force > 0.0)) return;
    const double step = done / mean_force, at = travel + 0.5 * step, rate = step / period;
    travel += step;
    samples += 1.0;
    x += at, v += rate, f += mean_force;
    xx += at * at, xv += at * rate, vv += rate * rate;
    xf += at * mean_force, vf += rate * mean_force;
  }

  Wall wall() const {
    if (samples < 4.0) return {};
    const double cxx = xx - x * x / samples, cxv = xv - x * v / samples, cvv = vv - v * v / samples;
    const double cxf = xf - x * f / samples, cvf = vf - v * f / samples, det = cxx * cvv - cxv * cxv;
    if (!(det > 1e-9 * cxx * cvv)) return {};
    const Wall found{(cxf * cvv - cvf * cxv) / det, (cvf * cxx - cxf * cxv) / det};
    return found.stiffness > 0.0 ? found : Wall{};
  }

  Balance balance() const {
    Balance b;
    b.wall = wall();
    const double rough = work_peak > 0.0 ? force_peak * force_peak / (2.0 * work_peak) : 0.0;
    const double k = b.wall.stiffness > 0.0 ? b.wall.stiffness : rough;
    if (!(k > 0.0)) return b;
    const double jump = std::max(0.0, b.wall.damping * first_rate);
    const double before = std::max(0.0, first_force * first_force - jump * jump) / (2.0 * k);
    b.peak = work_peak + before;
    b.taken = work + before - last_force * last_force / (2.0 * k);
    return b;
  }
};

/// Which share of its energy a contact should have given back to the satellite: restitution squared.
struct ReturnRule {
  enum class Kind { ratio, model, known } kind = Kind::ratio;
  double restitution = 1.0; ///< known

  static constexpr double least = -1.0, most = 1.5; ///< friction takes more than the normal motion holds; noise gives

  /// `mass`: what the satellite weighs along the contact, kg.
  double share(const ContactAccount::Balance& b, double mass) const {
    if (kind == Kind::known) return restitution * restitution;
    if (kind == Kind::model && b.wall.stiffness > 0.0 && mass > 0.0 && std::isfinite(mass)) {
      const double e = KelvinVoigt::of(mass, b.wall.stiffness, b.wall.damping).restitution;
      return std::clamp(e * e, least, most);
    }
    return b.peak > 0.0 ? std::clamp(1.0 - b.taken / b.peak, least, most) : 1.0;
  }
};

} // namespace hilda
