// SPDX-License-Identifier: BSD-3-Clause
#include "engine/analysis/detail/audit/forbidden_pages.h"

#include <algorithm>
#include <csetjmp>
#include <csignal>
#include <cstdint>
#include <sys/mman.h>

namespace hilda::analysis {
namespace {

constexpr std::size_t slot_bytes = std::size_t{1} << 20;
constexpr std::size_t all_bytes = slot_bytes * ForbiddenPages::slots;

// What the handler needs; a handler has no other way to know.
struct Watched {
  std::uintptr_t base = 0;
  sigjmp_buf back;
  volatile std::sig_atomic_t calling = 0;
  volatile std::sig_atomic_t touched = -1;
  struct sigaction before;
};
Watched watched;

extern "C" void on_fault(int signal, siginfo_t* info, void*) {
  const auto address = reinterpret_cast<std::uintptr_t>(info->si_addr);
  if (watched.calling != 0 && address >= watched.base && address < watched.base + all_bytes) {
    watched.touched = static_cast<int>((address - watched.base) / slot_bytes);
    siglongjmp(watched.back, 1);
  }
  sigaction(signal, &watched.before, nullptr); // an ordinary fault: it happens again, under the handler from before
}

} // namespace

ForbiddenPages::ForbiddenPages() {
  void* memory = mmap(nullptr, all_bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) return;
  base_ = static_cast<char*>(memory);
  watched.base = reinterpret_cast<std::uintptr_t>(base_);
  struct sigaction action = {};
  action.sa_sigaction = &on_fault;
  action.sa_flags =
      SA_SIGINFO | SA_NODEFER | SA_ONSTACK; // the jump out leaves no signal blocked; a used-up stack has another
  sigemptyset(&action.sa_mask);
  sigaction(SIGSEGV, &action, &watched.before);
}

ForbiddenPages::~ForbiddenPages() {
  if (base_ == nullptr) return;
  sigaction(SIGSEGV, &watched.before, nullptr);
  munmap(base_, all_bytes);
}

const void* ForbiddenPages::slot(std::size_t index) const { return base_ + std::min(index, slots - 1) * slot_bytes; }

int ForbiddenPages::call(const Call& call, const hilda_tick* tick) const {
  watched.touched = -1;
  if (sigsetjmp(watched.back, 0) == 0) {
    watched.calling = 1;
    call.single(call.first, tick);
  }
  watched.calling = 0;
  return watched.touched;
}

} // namespace hilda::analysis
