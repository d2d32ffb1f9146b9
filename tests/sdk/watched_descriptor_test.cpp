// SPDX-License-Identifier: BSD-3-Clause
// A block declares a descriptor to the program that has loaded it, and takes that back before it closes it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <hilda/watched_descriptor.h>
#include <set>
#include <string>
#include <utility>

namespace hilda {
namespace {

/// A program that notes what it is asked; null for `table`: one that does not know of descriptors.
class Program {
public:
  explicit Program(const hilda_descriptors_1* table) {
    host_.engine = const_cast<hilda_descriptors_1*>(table);
    host_.extension = [](void* engine, const char* name) -> const void* {
      return std::string(name) == "hilda.descriptors/1" ? engine : nullptr;
    };
    detail::host = &host_;
  }
  ~Program() { detail::host = before_; }
  Program(const Program&) = delete;
  Program& operator=(const Program&) = delete;

private:
  const hilda_host* const before_ = detail::host;
  hilda_host host_{};
};

std::set<std::string> watched;

constexpr hilda_descriptors_1 notes{
    sizeof(hilda_descriptors_1), 0,
    [](std::int32_t descriptor, const char* name) -> void* {
      const auto [made, fresh] = watched.insert(std::to_string(descriptor) + " " + name);
      EXPECT_TRUE(fresh);
      return const_cast<std::string*>(&*made);
    },
    [](void* one) { watched.erase(std::string(*static_cast<const std::string*>(one))); }};

using ::testing::ElementsAre;
using ::testing::IsEmpty;

TEST(WatchedDescriptor, IsDeclaredWhileItLivesAndMoves) {
  const Program program(&notes);
  {
    WatchedDescriptor one(7, "the line");
    EXPECT_THAT(watched, ElementsAre("7 the line"));
    WatchedDescriptor other = std::move(one);
    one.forget();
    EXPECT_THAT(watched, ElementsAre("7 the line"));
    other = WatchedDescriptor(8, "another line");
    EXPECT_THAT(watched, ElementsAre("8 another line"));
    other.forget();
    EXPECT_THAT(watched, IsEmpty());
    other.forget();
    other = WatchedDescriptor(9, "a third");
  }
  EXPECT_THAT(watched, IsEmpty());
}

TEST(WatchedDescriptor, IsNothingWhereTheProgramDoesNotKnowOfIt) {
  const Program program(nullptr);
  WatchedDescriptor one(7, "the line");
  one.forget();
  EXPECT_THAT(watched, IsEmpty());
}

TEST(WatchedDescriptor, IsNothingWhereNoProgramIntroducesItself) {
  const hilda_host* const before = std::exchange(detail::host, nullptr);
  WatchedDescriptor one(7, "the line");
  one.forget();
  EXPECT_THAT(watched, IsEmpty());
  detail::host = before;
}

} // namespace
} // namespace hilda
