// SPDX-License-Identifier: BSD-3-Clause
#include "engine/session/summary.h"
#include "tests/modules.h"

#include <gtest/gtest.h>
#include <limits>

namespace hilda::test {
namespace {

/// Programs of others and people read it.
TEST(Summary, IsWrittenAsItsHeaderSays) {
  Summary summary;
  summary["b"] = 0.1;
  summary["a"] = {1, 2};
  summary["text"] = "F\xC3\xBC \xff";
  summary["none"] = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(summary_text(summary),
            "{\n  \"b\": 0.1,\n  \"a\": [\n    1,\n    2\n  ],\n  \"text\": \"F\xC3\xBC \xEF\xBF\xBD\",\n"
            "  \"none\": null\n}\n");
}

TEST(Summary, ThatCannotBeWrittenSaysWhy) {
  std::string error;
  EXPECT_FALSE(write_summary(Summary::object(), "/nowhere/at/all/summary.json", error));
  EXPECT_NE(error.find("/nowhere/at/all/summary.json"), std::string::npos) << error;
}

} // namespace
} // namespace hilda::test
