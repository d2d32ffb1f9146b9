// SPDX-License-Identifier: BSD-3-Clause
#include <hilda/block.h>

#include <cfenv>
#include <cstdlib>
#include <mutex>
#include <stdexcept>
#include <sys/syscall.h>
#include <unistd.h>

namespace hilda::test {
namespace {

void* volatile kept = nullptr;

void allocate() { kept = std::malloc(48); }

void lock() {
  static std::mutex mutex;
  const std::lock_guard hold(mutex);
}

void ask_the_kernel() { kept = reinterpret_cast<void*>(syscall(SYS_getppid)); }

void round_upwards() { std::fesetround(FE_UPWARD); }

enum class Act { nothing, allocate, lock, call, round };
void (*const acts[])() = {[] {}, allocate, lock, ask_the_kernel, round_upwards};

/// A block that is well-behaved until a given tick, and then once does what no loop may.
struct Misbehave : Block {
  Parameter<Act> act{*this, "act", "What it does", by_default("nothing")};
  Parameter<std::int64_t> at{*this, "at", "Tick at which it does it", at_least(0.0), by_default("1000")};
  Output<double> count{*this, "count", "1", "Ticks so far"};

  void output(const Tick& t) override {
    if (t.index() == *at) acts[static_cast<int>(*act)]();
    count = static_cast<double>(t.index());
  }
};
HILDA_BLOCK(Misbehave, "Offends against the rules of real time on purpose.")

} // namespace
} // namespace hilda::test
