// SPDX-License-Identifier: BSD-3-Clause
#include "tests/abi/plugin_folder.h"
#include "tests/project_folders.h"

#include <cstdlib>
#include <fstream>
#include <gtest/gtest.h>
#include <sstream>

namespace hilda::test {

std::string plugin(const std::string& name) { return build_folder() + "/tests/abi/plugins/" + name + ".so"; }

std::string refusal(const std::string& file) {
  Host host;
  Diagnostics diagnostics;
  host.load(file, diagnostics);
  EXPECT_EQ(host.libraries().empty(), !diagnostics.ok());
  EXPECT_EQ(host.catalogue().all().empty(), !diagnostics.ok());
  return replaced(diagnostics.text(), build_folder() + "/tests/abi/plugins", "PLUGINS");
}

void expect_golden(const std::string& name, const std::string& text) {
  const std::string file = source_folder() + "/tests/abi/golden/" + name + ".txt";
  if (std::getenv("HILDA_UPDATE_GOLDEN") != nullptr) std::ofstream(file) << text;
  std::stringstream golden;
  golden << std::ifstream(file).rdbuf();
  EXPECT_EQ(text, golden.str()) << "golden file: " << file;
}

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size()))
    text.replace(at, from.size(), to);
  return text;
}

} // namespace hilda::test
