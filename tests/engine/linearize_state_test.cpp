// SPDX-License-Identifier: BSD-3-Clause
#include "engine/analysis/linearize.h"
#include "tests/engine/loop.h"
#include "tests/modules.h"

#include <gtest/gtest.h>

namespace hilda::test {
namespace {

TEST(LinearizeState, ABlockWhoseStateLiesElsewhereIsNamedAndRefused) {
  Loop loop(R"(<block name="one" type="sources/Constant" value="1"/>
    <block name="device" type="probes/Elsewhere"/>
    <connect from="one.y" to="device.u"/>)");
  const System system = loop.runtime().system();
  Diagnostics diagnostics;
  EXPECT_FALSE(linearize(system, {{"one.y"}, {"device.y"}, 0, 1e-6}, diagnostics));
  EXPECT_NE(diagnostics.text().find("error[linearize-state]"), std::string::npos) << diagnostics.text();
  EXPECT_NE(diagnostics.text().find("'device'"), std::string::npos) << diagnostics.text();
}

} // namespace
} // namespace hilda::test
