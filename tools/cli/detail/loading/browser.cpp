// SPDX-License-Identifier: BSD-3-Clause
#include "tools/cli/detail/loading/browser.h"

#include <array>
#include <cstdlib>
#include <fcntl.h>
#include <spawn.h>
#include <unistd.h>

extern char** environ;

namespace hilda::cli {

bool has_screen() { return std::getenv("DISPLAY") != nullptr || std::getenv("WAYLAND_DISPLAY") != nullptr; }

bool open_in_browser(const std::string& link) {
  posix_spawn_file_actions_t silent;
  posix_spawn_file_actions_init(&silent);
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
    posix_spawn_file_actions_addopen(&silent, stream, "/dev/null", O_RDWR, 0);
  std::string program = "xdg-open", argument = link;
  const std::array<char*, 3> words{program.data(), argument.data(), nullptr};
  pid_t process = 0;
  const int failed = posix_spawnp(&process, program.c_str(), &silent, nullptr, words.data(), environ);
  posix_spawn_file_actions_destroy(&silent);
  return failed == 0;
}

} // namespace hilda::cli
