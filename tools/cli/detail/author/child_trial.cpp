// SPDX-License-Identifier: BSD-3-Clause
#include "tools/cli/detail/author/child_trial.h"

#include "engine/plugin/alternate_stack.h"
#include "engine/plugin/running_code.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <cmath>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <fmt/format.h>
#include <hilda/testing/calls.h>
#include <poll.h>
#include <stdexcept>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

namespace hilda::cli {
namespace {

/// Where the child's phase is, for both to see.
struct Shared {
  std::array<char, 128> phase; ///< of the test kit, and what a crash found to be running
  std::array<char, 128> crashed;
};
Shared* shared = nullptr;

void write_phase(std::array<char, 128>& to, const char* phase) {
  std::strncpy(to.data(), phase != nullptr ? phase : "", to.size() - 1);
}

void note_phase(const char* phase) { write_phase(shared->phase, phase); }

/// The phase of a plugin that is loaded by the host, which only this process knows.
extern "C" void note_crash(int fault) {
  if (const RunningThread* thread = RunningThread::find()) write_phase(shared->crashed, thread->code().phase);
  std::signal(fault, SIG_DFL);
  std::raise(fault);
}

void watch_for_crashes() {
  RunningThread::mine();
  static const AlternateStack for_handlers;
  struct sigaction action = {};
  action.sa_handler = &note_crash;
  action.sa_flags = SA_ONSTACK | SA_NODEFER;
  sigemptyset(&action.sa_mask);
  for (const int fault : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGALRM}) sigaction(fault, &action, nullptr);
}

void write_whole(int to, const std::string& text) {
  for (std::size_t done = 0; done < text.size();) {
    const ssize_t written = write(to, text.data() + done, text.size() - done);
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) _exit(1);
    done += static_cast<std::size_t>(written);
  }
}

/// What runs in the child, as far as it has reported so.
std::string phase_now() {
  return shared->phase[0] != '\0' ? shared->phase.data() : shared->crashed[0] != '\0' ? shared->crashed.data() : "";
}

constexpr double first_word = 2; // s

/// What the child has reported, up to its end or the deadline; false at the deadline. An empty name: without a word.
bool listen(const std::string& name, int from, double time_limit, std::string& told) {
  const auto begin = std::chrono::steady_clock::now();
  double next_word = name.empty() ? time_limit : first_word;
  while (true) {
    const double passed = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    if (passed >= time_limit) return false;
    if (passed >= next_word) {
      const std::string phase = phase_now();
      fmt::print(stderr, "note: {} has run for {:.0f} s{}; its limit is {:g} s\n", name, passed,
                 phase.empty() ? "" : ", now in " + phase, time_limit);
      next_word *= 2;
    }
    pollfd wanted{from, POLLIN, 0};
    if (poll(&wanted, 1, static_cast<int>(std::ceil((std::min(time_limit, next_word) - passed) * 1e3))) <= 0) continue;
    std::array<char, 4096> buffer;
    const ssize_t bytes = read(from, buffer.data(), buffer.size());
    if (bytes < 0 && errno == EINTR) continue;
    if (bytes <= 0) return true;
    told.append(buffer.data(), static_cast<std::size_t>(bytes));
  }
}

constexpr int whole_end = 77; ///< exit code of a child that did all its work: no plugin asks for it by chance

std::string fault_of(bool in_time, int status, double time_limit) {
  if (in_time && WIFEXITED(status) && WEXITSTATUS(status) == whole_end) return "";
  const std::string phase = phase_now();
  const std::string in = phase.empty() ? "" : " in " + phase;
  if (!in_time)
    return fmt::format("does not come back{} within {:g} s", phase.empty() ? "" : " from " + phase, time_limit);
  if (WIFSIGNALED(status)) return fmt::format("crashes{}: {}", in, strsignal(WTERMSIG(status)));
  return fmt::format("ends the program{} with exit code {}", in, WEXITSTATUS(status));
}

} // namespace

ChildTrial in_child(const std::string& name,
                    const std::function<void(const std::function<void(const std::string&)>& tell)>& work,
                    double time_limit) {
  if (shared == nullptr) {
    void* memory = mmap(nullptr, sizeof(Shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) throw std::runtime_error("no memory to share with a child process");
    shared = static_cast<Shared*>(memory);
  }
  *shared = {};
  std::array<int, 2> ends;
  if (pipe(ends.data()) != 0)
    throw std::runtime_error("no pipe to a child process: " + std::string(std::strerror(errno)));
  std::fflush(nullptr);
  const pid_t child = fork();
  if (child < 0) throw std::runtime_error("no child process: " + std::string(std::strerror(errno)));
  if (child == 0) {
    close(ends[0]);
    watch_for_crashes();
    testing::phase_listener = &note_phase;
    try {
      work([&](const std::string& text) { write_whole(ends[1], text); });
    } catch (const std::exception& error) {
      std::fprintf(stderr, "error: %s\n", error.what());
      _exit(1);
    }
    _exit(whole_end);
  }
  close(ends[1]);
  ChildTrial trial;
  const bool in_time = listen(name, ends[0], time_limit, trial.told);
  if (!in_time) { // where it is is what its handler says
    kill(child, SIGALRM);
    std::string rest;
    listen("", ends[0], 0.5, rest);
    kill(child, SIGKILL);
  }
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {}
  close(ends[0]);
  trial.fault = fault_of(in_time, status, time_limit);
  return trial;
}

} // namespace hilda::cli
