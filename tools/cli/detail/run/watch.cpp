// SPDX-License-Identifier: BSD-3-Clause
#include "tools/cli/detail/run/watch.h"

#include "tools/cli/detail/loading/watch_files.h"
#include "tools/cli/detail/program/interrupt.h"
#include "tools/cli/detail/program/output.h"
#include "tools/cli/detail/program/standstill.h"
#include "tools/cli/detail/program/terminal.h"

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <optional>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

namespace hilda::cli {
namespace {

/// One run in its own process, in its own group: Ctrl-C reaches the watching process alone, which hands it
/// on.
class ChildRun {
public:
  explicit ChildRun(const RunArguments& arguments) {
    std::fflush(nullptr);
    const pid_t watcher = getpid();
    sigset_t ending, before;
    sigemptyset(&ending);
    sigaddset(&ending, SIGINT);
    pthread_sigmask(SIG_BLOCK, &ending, &before);
    process_ = fork();
    // The watcher's handler would only note a Ctrl-C, and the run forgets that when it begins to listen itself.
    if (process_ == 0) std::signal(SIGINT, SIG_DFL);
    pthread_sigmask(SIG_SETMASK, &before, nullptr);
    if (process_ == 0) begin(arguments, watcher);
    if (process_ > 0) ended_ = static_cast<int>(syscall(SYS_pidfd_open, process_, 0));
  }
  ~ChildRun() {
    stop();
    if (ended_ >= 0) close(ended_);
  }
  ChildRun(const ChildRun&) = delete;
  ChildRun& operator=(const ChildRun&) = delete;

  bool running() const { return process_ > 0; }
  /// Readable once it has ended.
  int descriptor() const { return ended_; }

  void interrupt() const {
    if (process_ > 0) kill(process_, SIGINT);
  }
  /// Its exit code, or 128 and the signal that ended it.
  int wait() {
    int status = 0;
    while (waitpid(process_, &status, 0) < 0 && errno == EINTR) {}
    process_ = -1;
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  }
  /// Ends it in order, or after a while by force: plugin code may hang.
  void stop() {
    if (process_ <= 0) return;
    interrupt();
    constexpr int patience = 500; // ms
    pollfd ended{ended_, POLLIN, 0};
    const bool in_order = ended_ >= 0 && poll(&ended, 1, patience) > 0;
    if (!in_order) kill(process_, SIGKILL);
    wait();
  }

private:
  [[noreturn]] static void begin(const RunArguments& arguments, pid_t watcher) {
    tell_of_standstills(); // its own process has its own threads
    setpgid(0, 0);
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    if (getppid() != watcher) std::_Exit(exit_interrupted);
    int code = exit_failed_run;
    try {
      code = run_diagram(arguments);
    } catch (const std::exception& error) { print_error(error.what()); }
    std::_Exit(end_output(code));
  }

  pid_t process_ = -1;
  int ended_ = -1;
};

std::string ending(int code) {
  if (code == exit_ok) return "the run is over";
  if (code > 128 && code != exit_interrupted) return std::string("the run crashed: ") + strsignal(code - 128);
  return "the run ended with exit code " + std::to_string(code);
}

class FileWatch {
public:
  explicit FileWatch(RunArguments arguments) : arguments_(std::move(arguments)), files_(arguments_.diagram) {}

  int operator()() {
    if (files_.descriptor() < 0) {
      print_error(std::string("files cannot be watched: ") + std::strerror(errno));
      return exit_failed_run;
    }
    while (true) {
      files_.look_up();
      ChildRun run(arguments_);
      if (!run.running()) {
        print_error(std::string("no process for the run: ") + std::strerror(errno));
        return exit_failed_run;
      }
      if (const std::optional<int> code = until_change(run)) return *code;
    }
  }

private:
  /// An exit code: the watch is over. None: a file has changed.
  std::optional<int> until_change(ChildRun& run) {
    bool interrupted = false;
    while (true) {
      std::array<pollfd, 2> events{
          {{files_.descriptor(), POLLIN, 0}, {run.running() ? run.descriptor() : -1, POLLIN, 0}}};
      constexpr int most = 200; // ms: a signal may come just before
      poll(events.data(), events.size(), most);
      if (interrupt_.flag() && !run.running()) return exit_interrupted;
      if (interrupt_.flag() && !interrupted) run.interrupt();
      interrupted = interrupt_.flag();
      if (run.running() && (events[1].revents & POLLIN) != 0) {
        const int code = run.wait();
        if (interrupted) return exit_interrupted;
        if (code == exit_usage) return exit_usage;
        tell_watch(ending(code) + "; waiting for a change, Ctrl-C ends");
      }
      if (interrupted || (events[0].revents & POLLIN) == 0) continue;
      if (const std::string file = files_.settled(); !file.empty()) {
        run.stop();
        tell_watch(file + " changed");
        return std::nullopt;
      }
    }
  }

  const RunArguments arguments_;
  Interrupt interrupt_;
  WatchedFiles files_;
};

} // namespace

void tell_watch(const std::string& text) {
  std::fprintf(stderr, "%s %s\n", on_stderr(Ink::bold, "watch:").c_str(), text.c_str());
}

std::string watch_misuse(const RunArguments& arguments) {
  const PacedArguments& paced = arguments.paced;
  if (arguments.keep_state && !arguments.watch)
    return "--keep-state says how a run continues that is watched\nhelp: add --watch";
  if (!arguments.watch) return {};
  if (paced.arm || paced.dry_run || paced.realtime || paced.require_realtime || paced.witness || paced.time_blocks)
    return "--watch is for simulation: it does not go with --arm, --dry-run, --realtime or what belongs to them";
  if (arguments.console)
    return "--watch looks at files, and --console at what is typed\n"
           "help: in the console 'reload' continues in the changed diagram";
  if (arguments.keep_state && arguments.diagram.mode == "replay")
    return "--keep-state is for simulation, and a replay has the states of its log\nhelp: leave it out";
  return {};
}

int run_watched(const RunArguments& arguments) { return FileWatch(arguments)(); }

} // namespace hilda::cli
