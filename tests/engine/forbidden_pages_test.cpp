// SPDX-License-Identifier: BSD-3-Clause
// A block that touches what it may not is caught, the slot is named, and life continues.

#include "engine/analysis/detail/audit/forbidden_pages.h"
#include "tests/modules.h"

#include <csignal>
#include <gtest/gtest.h>

namespace hilda::test {
namespace {

struct Toucher {
  const volatile char* at = nullptr;
  int calls = 0, returned = 0;
};

void touch(void* record, const hilda_tick*) {
  auto& toucher = *static_cast<Toucher*>(record);
  ++toucher.calls;
  if (toucher.at != nullptr) static_cast<void>(*toucher.at);
  ++toucher.returned;
}

TEST(ForbiddenPages, TellWhichSlotWasTouched) {
  const ForbiddenPages pages;
  ASSERT_TRUE(pages.usable());
  Toucher toucher;
  Call call;
  call.single = &touch;
  call.first = reinterpret_cast<char*>(&toucher);
  const hilda_tick tick{};
  int faults = 0;
  for (const std::size_t slot : {std::size_t{0}, std::size_t{1}, std::size_t{7}, ForbiddenPages::slots - 1}) {
    for (const std::size_t within : {std::size_t{0}, std::size_t{1000}, (std::size_t{1} << 20) - 1}) {
      toucher.at = static_cast<const char*>(pages.slot(slot)) + within;
      EXPECT_EQ(pages.call(call, &tick), static_cast<int>(slot)) << within;
      ++faults;
    }
    toucher.at = nullptr;
    EXPECT_EQ(pages.call(call, &tick), -1) << "a block that keeps to the rules, after one that did not";
  }
  EXPECT_EQ(pages.slot(ForbiddenPages::slots), pages.slot(ForbiddenPages::slots - 1));
  EXPECT_EQ(pages.slot(1'000'000), pages.slot(ForbiddenPages::slots - 1));
  EXPECT_EQ(toucher.calls, toucher.returned + faults) << "a call ends where it touches";
}

/// Of 4 GiB of addresses each, so that what is not given back is soon missed.
TEST(ForbiddenPages, AreGivenBackWithTheHandlerThatWasThere) {
  struct sigaction before {
  }, after{};
  sigaction(SIGSEGV, nullptr, &before);
  for (int i = 0; i < 40000; ++i) {
    const ForbiddenPages pages;
    ASSERT_TRUE(pages.usable()) << i;
  }
  sigaction(SIGSEGV, nullptr, &after);
  EXPECT_EQ(before.sa_sigaction, after.sa_sigaction);
  constexpr int of_the_library = 0x04000000; // SA_RESTORER, which the C library adds to what is set
  EXPECT_EQ(before.sa_flags & ~of_the_library, after.sa_flags & ~of_the_library);
}

TEST(ForbiddenPagesDeathTest, LeaveOtherFaultsAsTheyWere) {
  EXPECT_DEATH( // by the signal, or by the word of a sanitizer that was there before
      {
        const ForbiddenPages pages;
        const volatile char* nowhere = static_cast<const char*>(pages.slot(3)); // but not within a call
        static_cast<void>(*nowhere);
      },
      "");
}

} // namespace
} // namespace hilda::test
