// SPDX-License-Identifier: BSD-3-Clause
#include "tests/drivers_kuka/allocations.h"

#include <cstdlib>
#include <new>

namespace {
thread_local std::int64_t asked = 0;

void* take_or_null(std::size_t size) {
  ++asked;
  return std::malloc(size > 0 ? size : 1);
}

void* take(std::size_t size) {
  if (void* memory = take_or_null(size)) return memory;
  throw std::bad_alloc();
}
} // namespace

// The program's operators are those of all libraries that it loads. All that give memory, so that each is of a kind
// with the one that takes it back.
void* operator new(std::size_t size) { return take(size); }
void* operator new[](std::size_t size) { return take(size); }
void* operator new(std::size_t size, const std::nothrow_t&) noexcept { return take_or_null(size); }
void* operator new[](std::size_t size, const std::nothrow_t&) noexcept { return take_or_null(size); }
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete[](void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
void operator delete[](void* memory, std::size_t) noexcept { std::free(memory); }

namespace hilda::kuka::test {

Allocations::Allocations() : before_(asked) {}
std::int64_t Allocations::count() const { return asked - before_; }

} // namespace hilda::kuka::test
