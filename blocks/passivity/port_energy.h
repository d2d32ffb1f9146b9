#pragma once

#include <hilda/types.h>

namespace hilda {

/// Time-domain passivity observer and impedance controller of a port (De Stefano, Balachandran and Secchi 2020, Eq. 13,
/// 17 and 18 in closed form): E(k) = W(k-1) - F.V T; where E < 0 the wrench is scaled so that the port gives out just
/// what it holds, and W = 0 exactly. The gain alpha would diverge as V -> 0; the wrench does not.
/// In any axes and order in which F.V is the power that leaves the port.
struct PortEnergy {
  struct Result {
    Vector6 wrench, before, after; ///< controlled wrench; energies per axis before and after control, J
    double total_before = 0.0, total_after = 0.0;
  };

  /// One observer and controller an axis.
  static Result by_axis(const Vector6& wrench, const Vector6& twist, double period, const Vector6& stored) {
    Result r{wrench, Vector6::Zero(), Vector6::Zero(), 0.0, 0.0};
    for (Eigen::Index i = 0; i < 6; ++i) {
      const double given = wrench[i] * twist[i] * period;
      r.before[i] = r.after[i] = stored[i] - given;
      if (r.before[i] >= 0.0) continue;
      r.wrench[i] = stored[i] / given * wrench[i];
      r.after[i] = 0.0;
    }
    r.total_before = r.before.sum();
    r.total_after = r.after.sum();
    return r;
  }

  /// One observer for the whole port: the wrench keeps its direction. Only the total says something about passivity.
  static Result whole(const Vector6& wrench, const Vector6& twist, double period, const Vector6& stored, double total) {
    Result r{wrench, Vector6::Zero(), Vector6::Zero(), 0.0, 0.0};
    double given = 0.0;
    for (Eigen::Index i = 0; i < 6; ++i) {
      const double part = wrench[i] * twist[i] * period;
      given += part;
      r.before[i] = r.after[i] = stored[i] - part;
    }
    r.total_before = r.total_after = total - given;
    if (r.total_before >= 0.0) return r;
    r.wrench = total / given * wrench;
    for (Eigen::Index i = 0; i < 6; ++i) r.after[i] = stored[i] - r.wrench[i] * twist[i] * period;
    r.total_after = 0.0;
    return r;
  }
};

} // namespace hilda
