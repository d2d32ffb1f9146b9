#include "tests/abi/plugin_folder.h"

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <gtest/gtest.h>
#include <sstream>
#include <sys/wait.h>

namespace hilda::test {

std::string plugin(const std::string& name) { return ABI_PLUGINS "/" + name + ".so"; }

std::string refusal(const std::string& file) {
  Host host;
  Diagnostics diagnostics;
  host.load(file, diagnostics);
  EXPECT_EQ(host.libraries().empty(), !diagnostics.ok());
  EXPECT_EQ(host.catalogue().all().empty(), !diagnostics.ok());
  return replaced(diagnostics.text(), ABI_PLUGINS, "PLUGINS");
}

void expect_golden(const std::string& name, const std::string& text) {
  const std::string file = std::string(ABI_GOLDEN "/") + name + ".txt";
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

std::string output_of(const std::string& command) {
  std::string output;
  std::FILE* const pipe = popen((command + " 2>&1").c_str(), "r");
  if (pipe == nullptr) return "no pipe";
  char buffer[4096];
  while (std::fgets(buffer, sizeof buffer, pipe) != nullptr) output += buffer;
  const int status = pclose(pipe);
  if (!WIFEXITED(status)) return output + "killed\n";
  if (WEXITSTATUS(status) != 0) output += "exit code " + std::to_string(WEXITSTATUS(status)) + "\n";
  return output;
}

} // namespace hilda::test
