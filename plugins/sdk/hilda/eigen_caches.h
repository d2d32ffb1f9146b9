#pragma once

// Sizes of caches for Eigen, the same on every machine.

#include <Eigen/Core>

namespace hilda::detail {

/// Eigen asks the processor for its caches and cuts large matrices accordingly, which changes the order of its sums:
/// from about n = 100 on another processor would give other bits. These are those of a small processor of today. Once
/// in every library that computes with Eigen: each has its own copy of the setting.
inline void fix_eigen_caches() noexcept { Eigen::setCpuCacheSizes(32 * 1024, 256 * 1024, 2 * 1024 * 1024); }

} // namespace hilda::detail
