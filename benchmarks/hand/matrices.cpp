// SPDX-License-Identifier: BSD-3-Clause
#include "benchmarks/hand/kernels.h"

#include <Eigen/Core>

namespace hand::HAND {
namespace {

using Vector6 = Eigen::Matrix<double, 6, 1, Eigen::DontAlign>;
using Matrix6 = Eigen::Matrix<double, 6, 6, Eigen::DontAlign>;

struct MatrixGain {
  const double* u;
  Vector6 y;
  Matrix6 gain;
};

inline Vector6 product(const MatrixGain& block, const Vector6& u) { return (block.gain * u).eval(); }

[[gnu::noinline]] void matrix_gain(MatrixGain* block) {
  const Vector6 u = Eigen::Map<const Vector6>(block->u);
  block->y = product(*block, u);
}

class Matrices : public Kernel {
public:
  explicit Matrices(std::size_t count) : blocks_(count) {
    source_.setOnes();
    for (std::size_t i = 0; i < count; ++i) {
      blocks_[i].u = i == 0 ? source_.data() : blocks_[i - 1].y.data();
      blocks_[i].y.setZero();
      // rows sum to 1: the chain neither grows nor dies
      for (int r = 0; r < 6; ++r)
        for (int c = 0; c < 6; ++c) blocks_[i].gain(r, c) = (r == c ? 0.5 : 0.1);
    }
  }
  void fused(std::size_t ticks) override {
    for (std::size_t t = 0; t < ticks; ++t) {
      Vector6 value = source_;
      for (MatrixGain& block : blocks_) block.y = value = product(block, value);
      asm volatile("" ::: "memory");
    }
  }
  void blocks(std::size_t ticks) override {
    for (std::size_t t = 0; t < ticks; ++t)
      for (MatrixGain& block : blocks_) matrix_gain(&block);
  }
  std::vector<double> result() const override { return {blocks_.back().y.begin(), blocks_.back().y.end()}; }

private:
  Vector6 source_;
  std::vector<MatrixGain> blocks_;
};

} // namespace

std::unique_ptr<Kernel> matrices(std::size_t count) { return std::make_unique<Matrices>(count); }

} // namespace hand::HAND
