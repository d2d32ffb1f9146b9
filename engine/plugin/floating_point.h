// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/modules.h"

#include <cfenv>
#if defined(__SSE2__)
#include <xmmintrin.h>
#endif

namespace hilda::plugin {

/// Rounding, exceptions and flush-to-zero: what -ffast-math in one library changes for the whole program.
class FloatingPointMode {
public:
  static FloatingPointMode current() {
    FloatingPointMode mode;
    mode.rounding_ = std::fegetround();
#if defined(__SSE2__)
    mode.control_ = _mm_getcsr() & ~0x3fu; // without the sticky exception flags
#endif
    return mode;
  }
  void restore() const {
    std::fesetround(rounding_);
#if defined(__SSE2__)
    _mm_setcsr(control_ | (_mm_getcsr() & 0x3fu));
#endif
  }
  /// Is the mode now another one? One instruction, for the loop.
  bool changed() const {
#if defined(__SSE2__)
    return (_mm_getcsr() & ~0x3fu) != control_;
#else
    return std::fegetround() != rounding_;
#endif
  }
  /// Do both round alike? Else they differ in that, whatever else they differ in.
  bool rounds_like(const FloatingPointMode& other) const { return rounding_ == other.rounding_; }
  friend bool operator==(const FloatingPointMode&, const FloatingPointMode&) = default;

private:
  int rounding_ = 0;
  unsigned control_ = 0;
};

/// The processor's marks, kept until they are cleared, that an operation has made NaN or an infinity out of finite
/// numbers: invalid, division by zero, overflow.
class FloatingPointFlags {
public:
#if defined(__SSE2__)
  static bool raised() noexcept { return (_mm_getcsr() & marks) != 0; }
  static void clear() noexcept {
    if (raised()) _mm_setcsr(_mm_getcsr() & ~marks);
  }

private:
  static constexpr unsigned marks = 0x0d; // invalid, division by zero, overflow
#else
  static bool raised() noexcept { return std::fetestexcept(marks) != 0; }
  static void clear() noexcept { std::feclearexcept(marks); }

private:
  static constexpr int marks = FE_INVALID | FE_DIVBYZERO | FE_OVERFLOW;
#endif
};

} // namespace hilda::plugin
