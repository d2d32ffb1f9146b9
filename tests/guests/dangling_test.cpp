// SPDX-License-Identifier: BSD-3-Clause
// What crashes while a plugin's table is read is the plugin's fault, and not hilda's.

#include "tests/cli/program.h"
#include "tests/project_folders.h"

#include <csignal>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace hilda::test {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

TEST(Dangling, TablesAreTheirPluginsFault) {
  for (const char* what : {"name", "table", "slots"}) {
    const Workplace here;
    const Result listing = here.hilda("blocks --plugins " + build_folder() + "/tests/guests/dangling",
                                      std::string("ulimit -c 0; HILDA_DANGLES=") + what);
    EXPECT_EQ(listing.exit, 128 + SIGSEGV) << listing.err;
    EXPECT_THAT(listing.err, AllOf(HasSubstr("error: segmentation fault in the plugin "),
                                   HasSubstr("dangling.so, in the table that hilda_plugin_entry returns"),
                                   Not(HasSubstr("hilda itself"))));
    const Result tried = here.hilda("test-plugin " + build_folder() + "/tests/guests/dangling/dangling.so",
                                    std::string("ulimit -c 0; HILDA_DANGLES=") + what);
    EXPECT_NE(tried.exit, 0);
    EXPECT_THAT(tried.out + tried.err, HasSubstr("crashes in the table that hilda_plugin_entry returns")) << what;
  }
}

} // namespace
} // namespace hilda::test
