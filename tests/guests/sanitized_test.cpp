// SPDX-License-Identifier: BSD-3-Clause
// A plugin that was built with the AddressSanitizer ends the program by its finding, and not with "not equal".

#include "tests/cli/program.h"
#include "tests/project_folders.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace hilda::test {
namespace {

using ::testing::HasSubstr;

TEST(Sanitized, PluginsEndTheRunAsFailed) {
#ifdef HILDA_ASAN
  const Workplace here;
  here.write("one.xml", "<diagram format=\"1\" name=\"one\" period=\"1 ms\">\n<block name=\"it\" "
                        "type=\"sanitized/Block\"/>\n</diagram>\n");
  const Result run =
      here.hilda("run one.xml --for 5ms --no-log --plugins " + build_folder() + "/tests/guests/sanitized",
                 "LD_PRELOAD=" HILDA_ASAN " ASAN_OPTIONS=detect_leaks=0");
  EXPECT_THAT(run.err, HasSubstr("AddressSanitizer: heap-use-after-free"));
  EXPECT_EQ(run.exit, 3) << run.err;
#else
  GTEST_SKIP() << "the compiler has no AddressSanitizer in a library of its own";
#endif
}

} // namespace
} // namespace hilda::test
