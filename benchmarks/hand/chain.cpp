// SPDX-License-Identifier: BSD-3-Clause
#include "benchmarks/hand/kernels.h"

namespace hand::HAND {
namespace {

struct Gain {
  double y;
  double gain;
};

/// Value in, value out: in a chain it stays in a register, which a pointer to the block before could not do.
[[gnu::noinline]] double gain(Gain* block, double u) { return block->y = block->gain * u; }

class Chain : public Kernel {
public:
  explicit Chain(std::size_t count) : blocks_(count) {
    for (std::size_t i = 0; i < count; ++i) blocks_[i] = {0, i % 2 == 0 ? 2.0 : 0.5};
  }
  void fused(std::size_t ticks) override {
    for (std::size_t t = 0; t < ticks; ++t) {
      double value = source_;
      for (Gain& block : blocks_) block.y = value = block.gain * value;
      asm volatile("" ::: "memory");
    }
  }
  void blocks(std::size_t ticks) override {
    for (std::size_t t = 0; t < ticks; ++t) {
      double value = source_;
      for (Gain& block : blocks_) value = gain(&block, value);
    }
  }
  std::vector<double> result() const override { return {blocks_.back().y}; }

private:
  double source_ = 1;
  std::vector<Gain> blocks_;
};

} // namespace

std::unique_ptr<Kernel> chain(std::size_t gains) { return std::make_unique<Chain>(gains); }

} // namespace hand::HAND
