// SPDX-License-Identifier: BSD-3-Clause
#include "tests/wire/witness/program.h"

#include <csignal>
#include <fcntl.h>
#include <map>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

namespace witness {

Program::Program(const std::vector<std::string>& command, const std::string& out, const std::string& err)
    : command_(command), out_(out), err_(err) {
  std::vector<char*> words;
  for (const std::string& each : command_) words.push_back(const_cast<char*>(each.c_str()));
  words.push_back(nullptr);
  pid_ = ::fork();
  if (pid_ != 0) return;
  ::prctl(PR_SET_PDEATHSIG, SIGKILL); // no one else would end it
  const int o = ::open(out.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
  const int e = ::open(err.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
  ::dup2(o, STDOUT_FILENO);
  ::dup2(e, STDERR_FILENO);
  ::execvp(words[0], words.data());
  ::_exit(127);
}

Program::~Program() {
  if (!running()) return;
  signal(SIGKILL);
  ::waitpid(pid_, &status_, 0);
}

bool Program::running() {
  if (!over_ && ::waitpid(pid_, &status_, WNOHANG) == pid_) over_ = true;
  return !over_;
}

void Program::signal(int number) const {
  if (!over_) ::kill(pid_, number);
}

int Program::exit_code() const { return WIFEXITED(status_) ? WEXITSTATUS(status_) : 128 + WTERMSIG(status_); }

int signal_number(const std::string& name) {
  const std::map<std::string, int> known{{"INT", SIGINT},   {"TERM", SIGTERM}, {"KILL", SIGKILL},
                                         {"STOP", SIGSTOP}, {"CONT", SIGCONT}, {"HUP", SIGHUP}};
  const auto found = known.find(name);
  return found == known.end() ? 0 : found->second;
}

} // namespace witness
