// SPDX-License-Identifier: BSD-3-Clause
#include "engine/plugin/alternate_stack.h"

#include <csignal>
#include <cstddef>
#include <sys/mman.h>

namespace hilda::plugin {
namespace {

constexpr std::size_t guard = 4096; ///< below it: nothing may be written there
constexpr std::size_t bytes = std::size_t{128} << 10;

} // namespace

AlternateStack::AlternateStack() {
  void* memory = mmap(nullptr, guard + bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) return;
  mprotect(memory, guard, PROT_NONE);
  stack_t stack = {};
  stack.ss_sp = static_cast<char*>(memory) + guard;
  stack.ss_size = bytes;
  if (sigaltstack(&stack, nullptr) == 0)
    memory_ = memory;
  else
    munmap(memory, guard + bytes);
}

AlternateStack::~AlternateStack() {
  if (memory_ == nullptr) return;
  stack_t none = {};
  none.ss_flags = SS_DISABLE;
  sigaltstack(&none, nullptr);
  munmap(memory_, guard + bytes);
}

} // namespace hilda::plugin
