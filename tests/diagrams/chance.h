#pragma once

#include <Eigen/Core>
#include <random>

namespace hilda::test {

/// Numbers and directions that a seed gives.
class Chance {
public:
  explicit Chance(unsigned seed) : random_(seed) {}
  double between(double low, double high) { return std::uniform_real_distribution<double>(low, high)(random_); }
  Eigen::Vector3d direction() {
    std::normal_distribution<double> n;
    return Eigen::Vector3d(n(random_), n(random_), n(random_)).normalized();
  }

private:
  std::mt19937 random_;
};

} // namespace hilda::test
