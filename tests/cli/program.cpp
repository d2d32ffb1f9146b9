#include "program.h"

#include <cstdlib>
#include <fstream>
#include <sstream>
#include <sys/wait.h>

namespace hilda::test {

Workplace::Workplace() {
  std::string pattern = (std::filesystem::temp_directory_path() / "hilda_cli_XXXXXX").string();
  if (mkdtemp(pattern.data()) != nullptr) folder_ = pattern;
}

Workplace::~Workplace() {
  std::error_code ignored;
  if (!folder_.empty()) std::filesystem::remove_all(folder_, ignored);
}

void Workplace::write(const std::string& name, const std::string& text) const { std::ofstream(folder_ / name) << text; }

std::string Workplace::read(const std::string& name) const {
  std::stringstream text;
  text << std::ifstream(folder_ / name).rdbuf();
  return text.str();
}

Outcome Workplace::hilda(const std::string& arguments, const std::string& before, const std::string& after) const {
  const std::string line = "cd '" + folder_.string() +
                           "' && export HILDA_PLUGIN_PATH='" HILDA_BINARY_DIR "/tests/cli/plugins'; " + before +
                           " '" HILDA_BINARY_DIR "/bin/hilda' " + arguments + " >stdout.txt 2>stderr.txt " + after;
  const int status = std::system(line.c_str());
  return {WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status), read("stdout.txt"), read("stderr.txt")};
}

} // namespace hilda::test
