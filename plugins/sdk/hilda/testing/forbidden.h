// SPDX-License-Identifier: BSD-3-Clause
#ifndef HILDA_TESTING_FORBIDDEN_H
#define HILDA_TESTING_FORBIDDEN_H

// Memory that may not be touched: what an input points to in a phase that has no business with it.

#include <csetjmp>
#include <csignal>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <sys/mman.h>

namespace hilda::testing {

/// While it lives, the handler of SIGSEGV is its own; faults elsewhere go to the one before. One at a time.
class Forbidden {
public:
  Forbidden() {
    void* memory = mmap(nullptr, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED) return;
    State& s = state();
    s.base = reinterpret_cast<std::uintptr_t>(memory);
    struct sigaction action = {};
    action.sa_sigaction = &on_fault;
    action.sa_flags = SA_SIGINFO | SA_NODEFER; // the jump out leaves no signal blocked
    sigemptyset(&action.sa_mask);
    sigaction(SIGSEGV, &action, &s.before);
  }
  ~Forbidden() {
    State& s = state();
    if (s.base == 0) return;
    sigaction(SIGSEGV, &s.before, nullptr);
    munmap(reinterpret_cast<void*>(s.base), bytes);
    s.base = 0;
  }
  Forbidden(const Forbidden&) = delete;
  Forbidden& operator=(const Forbidden&) = delete;

  bool usable() const { return state().base != 0; }
  /// One for each input; those beyond the last share it.
  const void* place(std::size_t index) const {
    return reinterpret_cast<const void*>(state().base + (index < places ? index : places - 1) * place_bytes);
  }
  /// Calls the body. -1, or the place that it touched: the body then ended right there.
  int call(const std::function<void()>& body) const {
    State& s = state();
    s.touched = -1;
    if (sigsetjmp(s.back, 0) == 0) {
      s.calling = 1;
      body();
    }
    s.calling = 0;
    return s.touched;
  }

private:
  static constexpr std::size_t place_bytes = std::size_t{1} << 20, places = 256, bytes = place_bytes * places;

  // A handler has no other way to know.
  struct State {
    std::uintptr_t base = 0;
    sigjmp_buf back;
    volatile std::sig_atomic_t calling = 0, touched = -1;
    struct sigaction before;
  };
  static State& state() {
    static State s;
    return s;
  }

  static void on_fault(int signal, siginfo_t* info, void*) {
    State& s = state();
    const auto address = reinterpret_cast<std::uintptr_t>(info->si_addr);
    if (s.calling != 0 && address >= s.base && address < s.base + bytes) {
      s.touched = static_cast<int>((address - s.base) / place_bytes);
      siglongjmp(s.back, 1);
    }
    sigaction(signal, &s.before, nullptr); // an ordinary fault: it happens again, under the handler from before
  }
};

} // namespace hilda::testing

#endif
