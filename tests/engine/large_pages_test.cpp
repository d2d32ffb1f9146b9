// SPDX-License-Identifier: BSD-3-Clause
// Room for large diagrams. It changes the malloc of a whole process, so each case is a separate process.
#include "engine/diagram/detail/xml/text/large_pages.h"
#include "tests/modules.h"

#include <fstream>
#include <gtest/gtest.h>
#include <malloc.h>
#include <string>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

namespace hilda::test {
namespace {

constexpr std::size_t elements = 160'000, room = 800 * elements; ///< of a large diagram; bytes

/// What `body` gives in a separate process, which must be true.
template <typename Body> bool in_child(Body&& body) {
  const pid_t child = fork();
  if (child == 0) _exit(body() ? 0 : 1);
  int status = 0;
  return child > 0 && waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

std::size_t free_on_heap() { return mallinfo2().fordblks; }

/// Bytes of the heap for which large pages are asked.
std::size_t advised() {
  std::ifstream maps("/proc/self/smaps");
  std::string line;
  std::size_t bytes = 0, sum = 0;
  while (std::getline(maps, line)) {
    if (line.starts_with("Size:")) bytes = std::stoul(line.substr(5)) << 10;
    if (line.starts_with("VmFlags:") && line.find(" hg") != std::string::npos) sum += bytes;
  }
  return sum;
}

class LargePages : public ::testing::Test {
protected:
  void SetUp() override {
    if (!in_child([] { return mallopt(M_MMAP_THRESHOLD, 1 << 17) == 1 && mallinfo2().arena > 0; }))
      GTEST_SKIP() << "another malloc than glibc's";
  }
};

TEST_F(LargePages, MakeRoomThatMallocGivesOut) {
  EXPECT_TRUE(in_child([] {
    make_room_for_elements(elements);
    return free_on_heap() > room / 16 * 15 && mallinfo2().hblkhd < room / 16;
  }));
}

TEST_F(LargePages, AreAskedForInAllOfTheRoomButItsSeams) {
  if (access("/sys/kernel/mm/transparent_hugepage", F_OK) != 0) GTEST_SKIP() << "the system has none";
  EXPECT_TRUE(in_child([] {
    make_room_for_elements(elements);
    return advised() > room / 16 * 15 && advised() <= room;
  }));
}

TEST_F(LargePages, StayWhenTheRoomIsUsedAndGivenBack) {
  EXPECT_TRUE(in_child([] {
    make_room_for_elements(elements);
    const std::size_t before = mallinfo2().arena;
    for (int i = 0; i < 3; ++i) {
      void* const block = std::malloc(std::size_t{3} << 20);
      std::free(block);
    }
    return mallinfo2().arena == before;
  }));
}

TEST_F(LargePages, AreNotAskedForTwice) {
  EXPECT_TRUE(in_child([] {
    make_room_for_elements(elements);
    const std::size_t before = mallinfo2().arena;
    void* const all = std::malloc(std::size_t{2} << 20);
    make_room_for_elements(elements);
    const bool same = mallinfo2().arena == before;
    std::free(all);
    return same;
  }));
}

TEST_F(LargePages, AreLeftToLargeDiagrams) {
  EXPECT_TRUE(in_child([] {
    const std::size_t before = mallinfo2().arena;
    make_room_for_elements(4999);
    return mallinfo2().arena == before;
  }));
}

TEST_F(LargePages, AreLeftWhereMemoryIsLimited) {
  for (const auto what : {RLIMIT_AS, RLIMIT_DATA})
    EXPECT_TRUE(in_child([&] {
      const std::size_t before = mallinfo2().arena;
      const rlimit limit{std::size_t{4} << 30, RLIM_INFINITY};
      if (setrlimit(what, &limit) != 0) return false;
      make_room_for_elements(elements);
      return mallinfo2().arena == before;
    }));
}

} // namespace
} // namespace hilda::test
