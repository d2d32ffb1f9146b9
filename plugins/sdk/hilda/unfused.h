// SPDX-License-Identifier: BSD-3-Clause
// For arm64, included before all else (cmake/HildaPlugin.cmake): Eigen computes as on x86-64, with the same bits. It
// asks there by name for fused multiply-add, which rounds once where x86-64 rounds twice: by these names it now
// multiplies and adds. It sums products of matrices in other blocks where a processor has that instruction: now in the
// same ones. For Eigen 3.4.
#pragma once
#if defined(__aarch64__)
#include <arm_neon.h>

namespace Eigen::internal {
/// A product and what was lost by rounding it: here Eigen needs the instruction itself.
inline void twoprod(const float64x2_t& x, const float64x2_t& y, float64x2_t& product, float64x2_t& lost) {
  product = vmulq_f64(x, y);
  lost = vfmaq_f64(vnegq_f64(product), x, y);
}
inline void twoprod(const float32x4_t& x, const float32x4_t& y, float32x4_t& product, float32x4_t& lost) {
  product = vmulq_f32(x, y);
  lost = vfmaq_f32(vnegq_f32(product), x, y);
}
} // namespace Eigen::internal

#define vfma_f32(c, a, b) vadd_f32(c, vmul_f32(a, b))
#define vfmaq_f32(c, a, b) vaddq_f32(c, vmulq_f32(a, b))
#define vfmaq_f64(c, a, b) vaddq_f64(c, vmulq_f64(a, b))
#define vfmaq_n_f32(c, a, b) vaddq_f32(c, vmulq_n_f32(a, b))
#define vfmaq_n_f64(c, a, b) vaddq_f64(c, vmulq_n_f64(a, b))
#define vfmaq_laneq_f32(c, a, b, lane) vaddq_f32(c, vmulq_laneq_f32(a, b, lane))
#define vfmaq_laneq_f64(c, a, b, lane) vaddq_f64(c, vmulq_laneq_f64(a, b, lane))

#if !defined(EIGEN_MAPBASE_PLUGIN)
#define EIGEN_MAPBASE_PLUGIN <hilda/unfused_blocks.h>
#endif
#endif
