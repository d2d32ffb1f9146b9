// SPDX-License-Identifier: BSD-3-Clause
#include "engine/authoring/detail/editors/simulink_names.h"

#include "tests/modules.h"
#include "tests/standard_plugins.h"

#include <gtest/gtest.h>

#include <set>
#include <sstream>

namespace hilda::test {
namespace {

TEST(SimulinkNames, LeadToTypesThatAreThere) {
  std::set<std::string_view> names;
  for (const SimulinkName& known : simulink_names) {
    EXPECT_TRUE(names.insert(known.name).second) << known.name << " stands twice";
    EXPECT_EQ(known.name.find_first_of("-ABCDEFGHIJKLMNOPQRSTUVWXYZ"), std::string_view::npos) << known.name;
    std::istringstream types{std::string(known.types)};
    for (std::string type; types >> type;)
      EXPECT_NE(all_plugins().catalogue().find(type), nullptr) << known.name << ": " << type;
  }
}

} // namespace
} // namespace hilda::test
