// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "tests/engine/test_system.h"

#include <gtest/gtest.h>

namespace hilda::test {

/// A test on a system of the common types.
class CommonSystem : public ::testing::Test {
protected:
  CommonSystem() { add_common_types(s); }
  TestSystem s;
};

} // namespace hilda::test
