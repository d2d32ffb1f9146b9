// SPDX-License-Identifier: BSD-3-Clause
// FNV-1a, by the values that its authors publish.

#include "engine/base/fnv.h"
#include "tests/modules.h"

#include <gtest/gtest.h>

namespace hilda::test {
namespace {

TEST(Fnv, IsThatOfItsAuthors) {
  EXPECT_EQ(Fnv().value(), 0xcbf29ce484222325u);
  EXPECT_EQ(Fnv().text("a").value(), 0xaf63dc4c8601ec8cu);
  EXPECT_EQ(Fnv().text("foobar").value(), 0x85944171f73967e8u);
  EXPECT_EQ(Fnv().text("foo").text("bar").value(), Fnv().bytes("foobar", 6).value());
}

} // namespace
} // namespace hilda::test
