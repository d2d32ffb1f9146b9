// SPDX-License-Identifier: BSD-3-Clause
#include "tests/modules.h"
#include "tools/cli/detail/program/terminal.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace hilda::cli {
namespace {

using ::testing::internal::CaptureStderr;
using ::testing::internal::GetCapturedStderr;

/// What a run prints whose progress is asked for ten times a second of wall time; 50 times real time.
std::string printed(bool quiet, double until, std::optional<double> duration) {
  CaptureStderr(); // a file: not a terminal
  {
    ProgressLine line(quiet);
    for (int tenth = 1; tenth <= static_cast<int>(until * 10); ++tenth)
      line.show({.time = tenth * 5.0, .duration = duration, .wall_time = tenth * 0.1});
  }
  return GetCapturedStderr();
}

/// [B4]
TEST(Progress, WithoutATerminalIsALineEveryTenSeconds) {
  EXPECT_EQ(printed(false, 9.9, 6000), "") << "a short run prints no line";
  EXPECT_EQ(printed(false, 25, 6000), "t = 8 min 20 s of 100 min 0 s, 50 times real time, at most 110 s left\n"
                                      "t = 16 min 40 s of 100 min 0 s, 50 times real time, at most 100 s left\n");
  EXPECT_EQ(printed(false, 10, std::nullopt), "t = 8 min 20 s, 50 times real time\n");
  EXPECT_EQ(printed(true, 25, 6000), "");
}

} // namespace
} // namespace hilda::cli
