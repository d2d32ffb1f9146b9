// SPDX-License-Identifier: BSD-3-Clause
#include "engine/run/detail/safety/rotation.h"

#include <cmath>

namespace hilda::run {

double norm3(const double* v) noexcept { return std::sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]); }

void rotation_between(const double* a, const double* b, double* phi) noexcept {
  const double w = a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3];
  const double v[3] = {a[0] * b[1] - a[1] * b[0] - a[2] * b[3] + a[3] * b[2],
                       a[0] * b[2] + a[1] * b[3] - a[2] * b[0] - a[3] * b[1],
                       a[0] * b[3] - a[1] * b[2] + a[2] * b[1] - a[3] * b[0]};
  const double s = norm3(v);
  const double scale = s < 1e-12 ? (w < 0 ? -2.0 : 2.0) : 2 * std::atan2(w < 0 ? -s : s, std::abs(w)) / s;
  for (int i = 0; i < 3; ++i) phi[i] = scale * v[i];
}

void rotate(double* q, const double* phi) noexcept {
  const double angle = norm3(phi);
  const double s = angle < 1e-8 ? 0.5 : std::sin(angle / 2) / angle, c = std::cos(angle / 2);
  const double e[4] = {c, s * phi[0], s * phi[1], s * phi[2]};
  const double r[4] = {
      q[0] * e[0] - q[1] * e[1] - q[2] * e[2] - q[3] * e[3], q[0] * e[1] + q[1] * e[0] + q[2] * e[3] - q[3] * e[2],
      q[0] * e[2] - q[1] * e[3] + q[2] * e[0] + q[3] * e[1], q[0] * e[3] + q[1] * e[2] - q[2] * e[1] + q[3] * e[0]};
  const double n = std::sqrt(r[0] * r[0] + r[1] * r[1] + r[2] * r[2] + r[3] * r[3]);
  for (int i = 0; i < 4; ++i) q[i] = r[i] / n;
}

} // namespace hilda::run
