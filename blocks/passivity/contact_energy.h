// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cmath>
#include <hilda/types.h>

namespace hilda {

/// Energy that a contact has taken in, observed at the commanded contact point and reset with each contact, and the
/// force that gives back what it has made (He and Shen 2022, Eq. 14 to 20, in scalar form along the contact force; Eq.
/// 17 to 19 as printed are singular axis by axis, act off the normal and have the sign of Eq. 19 wrong).
struct ContactEnergy {
  /// At one tick. Forces on the wall, W axes.
  struct Now {
    Vector3 force, velocity, e; ///< N; m/s, contact point as commanded; unit vector along the force
    double damping = 0.0;       ///< N s/m, counts as dissipated along e
    bool in_contact = false;
    double period = 0.0; ///< s
  };
  /// One tick ago; kept outside contact too.
  struct Before {
    double energy = 0.0;                                    ///< J, observed; 0 outside contact
    Vector3 force, damping_force, velocity, added, elastic; ///< damping_force, elastic: 0 outside contact
  };
  struct Result {
    double energy = 0.0; ///< J, before this tick's added force
    Vector3 added = Vector3::Zero(), damping_force = Vector3::Zero(), elastic = Vector3::Zero();
  };

  /// The paper's sum: E += (F_ek.v + F_added[k-1].v[k-1]) T, with F_ek from the tick before while compressing.
  static Result paper(const Now& n, const Before& b) {
    Result r = outside(n);
    if (!n.in_contact) return r;
    if (n.velocity.dot(n.force) > 0.0) r.elastic = b.force - b.damping_force;
    r.energy = b.energy + (r.elastic.dot(n.velocity) + b.added.dot(b.velocity)) * n.period;
    r.added = answer(r.energy, n);
    return r;
  }

  /// The work that the held force does over the tick, to rounding, and a look ahead at what this tick's would take:
  /// E += (F_ek + F_added)[k-1].(v[k] + v[k-1])/2 T.
  static Result work(const Now& n, const Before& b) {
    Result r = outside(n);
    if (!n.in_contact) return r;
    r.energy = b.energy + (b.elastic + b.added).dot(n.velocity + b.velocity) / 2.0 * n.period;
    r.added = answer(r.energy + std::fmin(0.0, r.elastic.dot(n.velocity) * n.period), n);
    return r;
  }

private:
  static Result outside(const Now& n) {
    Result r;
    r.damping_force = n.damping * n.velocity.dot(n.e) * n.e;
    r.elastic = n.force - r.damping_force;
    return r;
  }
  /// -E/((v.e) T) e where energy has been made and the contact point moves.
  static Vector3 answer(double energy, const Now& n) {
    const double speed = n.velocity.dot(n.e);
    if (energy >= 0.0 || std::abs(speed) <= 1e-6) return Vector3::Zero();
    return -energy / (speed * n.period) * n.e;
  }
};

} // namespace hilda
