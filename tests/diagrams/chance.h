// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <Eigen/Core>
#include <random>

namespace hilda::test {

/// Numbers and directions that a seed gives, the same ones with every compiler.
/// Two draws in one expression have no order: draw first, compute then.
class Chance {
public:
  explicit Chance(unsigned seed) : random_(seed) {}
  double between(double low, double high) { return std::uniform_real_distribution<double>(low, high)(random_); }
  Eigen::Vector3d direction() {
    std::normal_distribution<double> n;
    Eigen::Vector3d v;
    for (double& each : v) each = n(random_); // one after the other: arguments have no order that compilers share
    return v.normalized();
  }
  Eigen::Vector3d vector(double shortest, double longest) {
    const double length = between(shortest, longest);
    return length * direction();
  }

private:
  std::mt19937 random_;
};

} // namespace hilda::test
