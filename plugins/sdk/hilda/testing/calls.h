// SPDX-License-Identifier: BSD-3-Clause
#ifndef HILDA_TESTING_CALLS_H
#define HILDA_TESTING_CALLS_H

// Every call of a plugin's function goes through here: what it throws and what it leaves behind gets a name, and who
// runs the tests may know which phase was the last.

#include <cfenv>
#include <exception>
#include <hilda/testing/process.h>
#include <hilda/testing/value.h>
#include <memory>
#include <utility>
#if defined(__SSE2__)
#include <xmmintrin.h>
#endif

namespace hilda::testing {

/// An exception has left a function of the block, which none may: the message has the phase and its text.
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

/// How the process was before the first call of a block: a check that ran before may have changed it.
inline const ProcessState& process_at_first() {
  static const ProcessState state;
  return state;
}

/// Restores the process at its end.
struct ProcessRestored {
  ProcessRestored() { process_at_first(); }
  ~ProcessRestored() { process_at_first().restore(); }
  ProcessRestored(const ProcessRestored&) = delete;
  ProcessRestored& operator=(const ProcessRestored&) = delete;
};

/// While one lives, each call is watched for what it changes of the process. One at a time.
class ProcessWatch {
public:
  ProcessWatch() {
    process_at_first().restore();
    watching() = this;
  }
  ~ProcessWatch() {
    watching() = nullptr;
    process_at_first().restore();
  }
  ProcessWatch(const ProcessWatch&) = delete;
  ProcessWatch& operator=(const ProcessWatch&) = delete;
  /// "configure changes ..." of the first call that has; empty: none.
  const std::string& found() const { return found_; }
  void look(const char* phase) {
    if (!found_.empty()) return;
    std::string what = process_at_first().changed();
    if (what.empty()) what = sentinels_.changed();
    if (!what.empty()) found_ = std::string(phase) + " changes what belongs to the whole process: " + what;
    sentinels_.add();
  }
  static ProcessWatch*& watching() {
    static ProcessWatch* one = nullptr;
    return one;
  }

private:
  std::string found_;
  Sentinels sentinels_;
};

template <typename Body> decltype(auto) call_phase(const char* phase, Body&& body) {
  struct Around {
    const char* name;
    FloatingMode mode{};
    explicit Around(const char* n) : name(n) {
      process_at_first();
      if (phase_listener != nullptr) phase_listener(name);
    }
    ~Around() {
      if (phase_listener != nullptr) phase_listener(nullptr);
      if (ProcessWatch* watch = ProcessWatch::watching()) watch->look(name);
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

#endif
