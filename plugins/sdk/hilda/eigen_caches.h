// SPDX-License-Identifier: BSD-3-Clause
#ifndef HILDA_EIGEN_CACHES_H
#define HILDA_EIGEN_CACHES_H

// Sizes of caches for Eigen, the same on every machine.

#include <Eigen/Core>
#include <cstddef>

namespace hilda::detail {

/// Eigen asks the processor for its caches and cuts large matrices accordingly, which changes the order of its sums:
/// from about n = 100 on another processor would give other bits. These are those of a small processor of today. Once
/// in every library that computes with Eigen: each has its own copy of the setting.
inline void fix_eigen_caches() noexcept {
  constexpr std::ptrdiff_t kibibyte = 1024;
  Eigen::setCpuCacheSizes(32 * kibibyte, 256 * kibibyte, 2048 * kibibyte);
}

} // namespace hilda::detail

#endif
