// SPDX-License-Identifier: BSD-3-Clause
#include "program.h"
#include "tests/project_folders.h"

#include <sys/wait.h>

namespace hilda::test {

Result Workplace::hilda(const std::string& arguments, const std::string& before, const std::string& after) const {
  const std::string line = "cd '" + path().string() + "' && export HILDA_PLUGIN_PATH='" + build_folder() +
                           "/tests/cli/plugins'; " + before + " '" + build_folder() + "/bin/hilda' " + arguments +
                           " >stdout.txt 2>stderr.txt " + after;
  const int status = std::system(line.c_str());
  return {WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status), read("stdout.txt"), read("stderr.txt")};
}

} // namespace hilda::test
