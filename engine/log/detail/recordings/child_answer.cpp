// SPDX-License-Identifier: BSD-3-Clause
#include "engine/log/child_answer.h"

#include "engine/base/budget.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cmath>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <poll.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

namespace hilda::log {
namespace {

using Clock = std::chrono::steady_clock;

constexpr int came_to_its_end = 77; ///< no library asks for it by chance

/// Not by the C library: exits of the program are watched, for those of plugins.
[[noreturn]] void leave_child(int code) {
  while (true) syscall(SYS_exit_group, code);
}

void limit_to(int resource, std::uint64_t most) {
  rlimit limit{};
  if (getrlimit(static_cast<__rlimit_resource_t>(resource), &limit) != 0) return;
  limit.rlim_cur = std::min<rlim_t>(limit.rlim_max, most);
  setrlimit(static_cast<__rlimit_resource_t>(resource), &limit);
}

/// The child is alone: its crash does not concern the program, and its output is discarded.
void settle_in(const ChildLimits& limits) {
  for (const int fault : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGTRAP, SIGALRM, SIGINT, SIGTERM, SIGPIPE})
    std::signal(fault, SIG_DFL);
  const int nowhere = open("/dev/null", O_RDWR);
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) dup2(nowhere, stream);
  limit_to(RLIMIT_CORE, 0);
  limit_to(RLIMIT_CPU, static_cast<std::uint64_t>(std::ceil(limits.seconds)));
  if (limits.memory > 0) limit_to(RLIMIT_AS, address_space() + limits.memory);
}

void write_all(int to, std::span<const std::byte> bytes) {
  while (!bytes.empty()) {
    const ssize_t written = write(to, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) leave_child(1);
    bytes = bytes.subspan(static_cast<std::size_t>(written));
  }
}

/// Up to the end of what is reported; false beyond a limit.
bool listen_to(int from, const ChildLimits& limits, std::string& answer, std::string& error) {
  const auto end = Clock::now() + std::chrono::duration<double>(limits.seconds);
  std::array<char, 65536> part;
  while (true) {
    const double left = std::chrono::duration<double>(end - Clock::now()).count();
    if (left <= 0) {
      error = "it takes more than " + std::to_string(std::lround(limits.seconds)) + " s";
      return false;
    }
    pollfd wanted{from, POLLIN, 0};
    if (poll(&wanted, 1, static_cast<int>(std::ceil(left * 1e3))) <= 0) continue;
    const ssize_t bytes = read(from, part.data(), part.size());
    if (bytes < 0 && errno == EINTR) continue;
    if (bytes <= 0) return true;
    if (answer.size() + static_cast<std::size_t>(bytes) > limits.answer) {
      error = "it holds more than it may";
      return false;
    }
    answer.append(part.data(), static_cast<std::size_t>(bytes));
  }
}

} // namespace

bool answer_of_child(const std::function<void(const Tell&)>& work, const ChildLimits& limits, std::string& answer,
                     std::string& error) {
  std::array<int, 2> ends{};
  if (pipe2(ends.data(), O_CLOEXEC) != 0) {
    error = std::string("no pipe: ") + std::strerror(errno);
    return false;
  }
  const pid_t child = fork();
  if (child == 0) {
    settle_in(limits);
    try {
      work([&](std::span<const std::byte> bytes) { write_all(ends[1], bytes); });
    } catch (...) { leave_child(2); }
    leave_child(came_to_its_end);
  }
  const int failed = errno;
  close(ends[1]);
  bool heard = false;
  if (child < 0)
    error = std::string("no process: ") + std::strerror(failed);
  else
    heard = listen_to(ends[0], limits, answer, error);
  close(ends[0]);
  if (child < 0) return false;
  if (!heard) kill(child, SIGKILL);
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {}
  if (!heard || (WIFEXITED(status) && WEXITSTATUS(status) == came_to_its_end)) return heard;
  error = WIFSIGNALED(status) ? std::string("it made its reader crash (") + strsignal(WTERMSIG(status)) + ")"
                              : "its reader gave up, for want of memory";
  return false;
}

} // namespace hilda::log
