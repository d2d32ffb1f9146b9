// SPDX-License-Identifier: BSD-3-Clause
// Descriptors of hilda: each is restored, and nothing else is touched.

#include "engine/base/own_descriptors.h"

#include <array>
#include <cstddef>
#include <dirent.h>
#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <string>
#include <sys/eventfd.h>
#include <unistd.h>
#include <utility>

namespace hilda::test {
namespace {

using base::OwnDescriptor;
using base::put_back_descriptors;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

/// Both ends of a pipe, closed at the end where they are open.
struct Pipe {
  Pipe() { EXPECT_EQ(pipe2(ends.data(), O_CLOEXEC), 0); }
  ~Pipe() {
    for (const int end : ends) close(end);
  }
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;
  int reading() const { return ends[0]; }
  int writing() const { return ends[1]; }
  bool takes(char byte) const { return write(ends[1], &byte, 1) == 1; }
  /// What comes out of it; 0: its other end is closed everywhere.
  char next() const {
    char byte = 0;
    return read(ends[0], &byte, 1) == 1 ? byte : char{0};
  }
  std::array<int, 2> ends{};
};

std::string changed(int descriptor, const std::string& name, const std::string& now) {
  return "descriptor " + std::to_string(descriptor) + ", " + name + ": open -> " + now;
}

std::size_t open_descriptors() {
  std::size_t count = 0;
  DIR* const folder = opendir("/proc/self/fd");
  while (readdir(folder) != nullptr) ++count;
  closedir(folder);
  return count;
}

TEST(OwnDescriptors, OneThatIsClosedIsTheSameFileAgain) {
  const Pipe pipe;
  const OwnDescriptor own(pipe.writing(), "the line");
  EXPECT_THAT(put_back_descriptors(), IsEmpty());
  close(pipe.writing());
  EXPECT_THAT(put_back_descriptors(), ElementsAre(changed(pipe.writing(), "the line", "closed")));
  EXPECT_TRUE(pipe.takes('a'));
  EXPECT_EQ(pipe.next(), 'a');
  EXPECT_EQ(fcntl(pipe.writing(), F_GETFD), FD_CLOEXEC) << "programs that hilda starts do not get it";
  EXPECT_THAT(put_back_descriptors(), IsEmpty());
}

TEST(OwnDescriptors, OneThatIsReplacedIsTheSameFileAgain) {
  const Pipe pipe, other;
  const OwnDescriptor own(pipe.writing(), "the line");
  dup2(other.writing(), pipe.writing());
  EXPECT_THAT(put_back_descriptors(), ElementsAre(changed(pipe.writing(), "the line", "another file")));
  EXPECT_TRUE(pipe.takes('a'));
  EXPECT_EQ(pipe.next(), 'a');
}

/// Which has the same inode.
TEST(OwnDescriptors, AnEventThatIsReplacedByAnotherEventIsNoticed) {
  const int event = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK), other = eventfd(7, EFD_CLOEXEC | EFD_NONBLOCK);
  {
    const OwnDescriptor own(event, "an event");
    dup2(other, event);
    EXPECT_THAT(put_back_descriptors(), ElementsAre(changed(event, "an event", "another file")));
    eventfd_t count = 0;
    EXPECT_NE(eventfd_read(event, &count), 0) << count;
  }
  close(event), close(other);
}

/// Blocking reads of a file that only a copy keeps open would never end.
TEST(OwnDescriptors, OneThatIsForgottenIsKeptOpenByNoCopy) {
  const Pipe pipe;
  const std::size_t before = open_descriptors();
  OwnDescriptor own(pipe.writing(), "the line");
  EXPECT_EQ(open_descriptors(), before + 1);
  own.forget();
  EXPECT_EQ(open_descriptors(), before);
  close(pipe.writing());
  EXPECT_EQ(pipe.next(), 0);
  EXPECT_THAT(put_back_descriptors(), IsEmpty());
  own.forget();
}

/// The number may be another's by then.
TEST(OwnDescriptors, TheNumberOfOneThatIsForgottenIsLeftAlone) {
  const Pipe pipe, other;
  { const OwnDescriptor own(pipe.writing(), "the line"); }
  dup2(other.writing(), pipe.writing());
  EXPECT_THAT(put_back_descriptors(), IsEmpty());
  EXPECT_TRUE(pipe.takes('b'));
  EXPECT_EQ(other.next(), 'b');
}

TEST(OwnDescriptors, OneIsForgottenAndTheOthersAreKept) {
  const Pipe first, second;
  OwnDescriptor one(first.writing(), "one");
  const OwnDescriptor two(second.writing(), "two");
  one.forget();
  close(first.writing()), close(second.writing());
  EXPECT_THAT(put_back_descriptors(), ElementsAre(changed(second.writing(), "two", "closed")));
}

TEST(OwnDescriptors, MoveWithTheirOwner) {
  const Pipe first, second;
  const std::size_t before = open_descriptors();
  {
    OwnDescriptor one(first.writing(), "one");
    OwnDescriptor moved = std::move(one);
    one.forget();
    moved = OwnDescriptor(second.writing(), "two");
    EXPECT_EQ(open_descriptors(), before + 1);
    close(first.writing()), close(second.writing());
    EXPECT_THAT(put_back_descriptors(), ElementsAre(changed(second.writing(), "two", "closed")));
  }
  EXPECT_EQ(open_descriptors(), before - 1) << "the first end is closed";
}

/// StandardStreams watches them, and a copy of one may not stay where a program redirects it.
TEST(OwnDescriptors, StandardStreamsAndNumbersThatAreNoneAreLeftOut) {
  const std::size_t before = open_descriptors();
  const OwnDescriptor output(STDERR_FILENO, "standard error"), none(-1, "none");
  EXPECT_EQ(open_descriptors(), before);
}

TEST(OwnDescriptors, CopiesAreOutOfTheWayOfWhoClosesTheFirstHundred) {
  const Pipe pipe;
  const auto low = [] {
    int count = 0;
    for (int descriptor = 0; descriptor < 100; ++descriptor) count += fcntl(descriptor, F_GETFD) >= 0 ? 1 : 0;
    return count;
  };
  const int before = low();
  const OwnDescriptor own(pipe.writing(), "the line");
  EXPECT_EQ(low(), before);
}

} // namespace
} // namespace hilda::test
