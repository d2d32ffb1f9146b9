// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// The same maths as the benchmarked diagrams, written by hand: as one fused loop, and as one non-inlined function a
// block (B). Compiled several times with different flags (HAND is the namespace); the benchmark takes the best.

#include <cstddef>
#include <memory>
#include <vector>

namespace hand {

/// What a benchmark runs, fused or block by block. `result` is what the last tick computed, to compare.
class Kernel {
public:
  virtual ~Kernel() = default;
  virtual void fused(std::size_t ticks) = 0;
  virtual void blocks(std::size_t ticks) = 0;
  virtual std::vector<double> result() const = 0;
};

#define HAND_KERNELS(space)                                                                                            \
  namespace space {                                                                                                    \
  std::unique_ptr<Kernel> chain(std::size_t gains);                                                                    \
  std::unique_ptr<Kernel> loops(std::size_t count);                                                                    \
  std::unique_ptr<Kernel> matrices(std::size_t count);                                                                 \
  std::unique_ptr<Kernel> pida();                                                                                      \
  std::unique_ptr<Kernel> force_torque(const char* pseudo_inverse);                                                    \
  }
HAND_KERNELS(o2)
HAND_KERNELS(o3)
#undef HAND_KERNELS

} // namespace hand
