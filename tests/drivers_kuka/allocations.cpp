#include "tests/drivers_kuka/allocations.h"

#include <cstdlib>
#include <new>

namespace {
thread_local std::int64_t asked = 0;

void* take(std::size_t size) {
  ++asked;
  if (void* memory = std::malloc(size > 0 ? size : 1)) return memory;
  throw std::bad_alloc();
}
} // namespace

// The program's operators are those of all libraries that it loads.
void* operator new(std::size_t size) { return take(size); }
void* operator new[](std::size_t size) { return take(size); }
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete[](void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
void operator delete[](void* memory, std::size_t) noexcept { std::free(memory); }

namespace hilda::kuka::test {

Allocations::Allocations() : before_(asked) {}
std::int64_t Allocations::count() const { return asked - before_; }

} // namespace hilda::kuka::test
