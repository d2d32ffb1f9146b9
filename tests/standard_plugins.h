// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/plugin/library.h"
#include "engine/session/program_abilities.h"
#include "tests/modules.h"
#include "tests/project_folders.h"

#include <gtest/gtest.h>
#include <initializer_list>
#include <set>
#include <string>

namespace hilda::test {

/// All plugins of the build. An error in one of them shows where a diagram misses its blocks.
inline const Host& all_plugins() {
  static Host* const host = [] {
    auto* made = new Host(program_abilities());
    Diagnostics problems;
    made->load_folder(build_folder() + "/lib/hilda/plugins", problems);
    return made;
  }();
  return *host;
}

/// The host of a test program, in which these plugins of the build are loaded, each once: names ("math"), or paths in
/// the build folder ("tests/engine/plugins/probes.so"). Their code outlives every test.
inline const Host& standard_plugins(std::initializer_list<std::string> wanted) {
  static Host* const host = new Host(program_abilities());
  static std::set<std::string> known;
  Diagnostics problems;
  for (const std::string& name : wanted)
    if (known.insert(name).second)
      host->load(build_folder() + "/" + (name.ends_with(".so") ? name : "lib/hilda/plugins/" + name + ".so"), problems);
  EXPECT_TRUE(problems.ok()) << problems.text();
  return *host;
}

} // namespace hilda::test
