#pragma once

// Every call of a plugin's function goes through here: what it throws and what it leaves behind gets a name, and who
// runs the tests may know which phase was the last.

#include <cfenv>
#include <exception>
#include <hilda/testing/value.h>
#include <utility>
#if defined(__SSE2__)
#include <xmmintrin.h>
#endif

namespace hilda::testing {

/// An exception has left a function of the block, which none may: the message names the phase and what it said.
class Thrown : public std::runtime_error {
public:
  using std::runtime_error::runtime_error;
};

/// Called with the phase before each call of a block and with null after it. Set it to know where a block crashes.
inline void (*phase_listener)(const char* phase) = nullptr;

namespace detail {

/// Rounding, flush-to-zero and the mask of exceptions.
struct FloatingMode {
  int rounding = std::fegetround();
#if defined(__SSE2__)
  unsigned control = _mm_getcsr() & ~0x3fu;
#endif
  void restore() const {
    std::fesetround(rounding);
#if defined(__SSE2__)
    _mm_setcsr(control | (_mm_getcsr() & 0x3fu));
#endif
  }
  friend bool operator==(const FloatingMode&, const FloatingMode&) = default;
};

/// The first phase that left another floating-point mode behind than it found, or null; the mode is put back each time.
inline const char* mode_changer = nullptr;

template <typename Body> decltype(auto) call_phase(const char* phase, Body&& body) {
  struct Around {
    const char* name;
    FloatingMode mode{};
    explicit Around(const char* n) : name(n) {
      if (phase_listener != nullptr) phase_listener(name);
    }
    ~Around() {
      if (phase_listener != nullptr) phase_listener(nullptr);
      if (FloatingMode{} == mode) return;
      mode.restore();
      if (mode_changer == nullptr) mode_changer = name;
    }
  };
  const Around around(phase);
  try {
    return std::forward<Body>(body)();
  } catch (const Impossible&) { throw; } catch (const Refused&) {
    throw;
  } catch (const std::exception& thrown) {
    throw Thrown(std::string("an exception leaves ") + phase + ": " + thrown.what());
  } catch (...) { throw Thrown(std::string("an exception that is not a std::exception leaves ") + phase); }
}

} // namespace detail
} // namespace hilda::testing
