// SPDX-License-Identifier: BSD-3-Clause
#include "tools/cli/detail/run/child_program.h"

#include <array>
#include <cerrno>
#include <csignal>
#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

namespace hilda::cli {

ChildProgram::ChildProgram(const std::vector<std::string>& words, const std::string& folder) {
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) {
    said_ = "no pipe can be made";
    return;
  }
  posix_spawn_file_actions_t actions;
  ::posix_spawn_file_actions_init(&actions);
  ::posix_spawn_file_actions_addchdir_np(&actions, folder.c_str());
  ::posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
  ::posix_spawn_file_actions_adddup2(&actions, ends[1], STDERR_FILENO);
  std::vector<char*> arguments;
  for (const std::string& each : words) arguments.push_back(const_cast<char*>(each.c_str()));
  arguments.push_back(nullptr);
  if (::posix_spawn(&child_, arguments.front(), &actions, nullptr, arguments.data(), environ) != 0) {
    child_ = 0;
    said_ = words.front() + " cannot be started";
  }
  ::posix_spawn_file_actions_destroy(&actions);
  ::close(ends[1]);
  from_ = ends[0];
}

ChildProgram::~ChildProgram() {
  if (child_ != 0) ::kill(child_, SIGKILL);
  end();
}

bool ChildProgram::look() {
  constexpr int pieces = 64; // the caller has other work, too
  for (int i = 0; i < pieces && child_ != 0; ++i) {
    pollfd wanted{from_, POLLIN, 0};
    if (::poll(&wanted, 1, 0) <= 0) break;
    read_once();
  }
  return child_ == 0;
}

void ChildProgram::wait() {
  while (child_ != 0) read_once();
}

void ChildProgram::read_once() {
  constexpr std::size_t most = std::size_t{16} << 20;
  std::array<char, 16384> piece;
  const ssize_t n = ::read(from_, piece.data(), piece.size());
  if (n < 0 && errno == EINTR) return;
  if (n <= 0) return end();
  said_.append(piece.data(), static_cast<std::size_t>(n));
  if (said_.size() <= most) return;
  ::kill(child_, SIGKILL);
  end();
  said_ = "it was ended, for it printed more than 16 MB";
}

void ChildProgram::end() {
  if (from_ >= 0) ::close(from_);
  from_ = -1;
  int status = 0;
  if (child_ != 0 && ::waitpid(child_, &status, 0) == child_ && WIFEXITED(status)) status_ = WEXITSTATUS(status);
  child_ = 0;
}

} // namespace hilda::cli
