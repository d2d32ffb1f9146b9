#pragma once

#include <cfenv>
#if defined(__SSE2__)
#include <xmmintrin.h>
#endif

namespace hilda {

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
  friend bool operator==(const FloatingPointMode&, const FloatingPointMode&) = default;

private:
  int rounding_ = 0;
  unsigned control_ = 0;
};

} // namespace hilda
