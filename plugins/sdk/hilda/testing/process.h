// SPDX-License-Identifier: BSD-3-Clause
#ifndef HILDA_TESTING_PROCESS_H
#define HILDA_TESTING_PROCESS_H

// What belongs to the whole process and is not a block's to change: handlers of signals, timers, the working folder,
// the locale, the umask, the standard streams, descriptors of others, and what the calling thread blocks.

#include <array>
#include <climits>
#include <clocale>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <string>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <unistd.h>
#include <vector>

namespace hilda::testing::detail {

/// The timers of timer_create that the process has, by the kernel's numbers. None where the kernel does not list them.
inline std::vector<int> posix_timers() {
  std::vector<int> all;
  std::FILE* const file = std::fopen("/proc/self/timers", "re");
  if (file == nullptr) return all;
  for (std::array<char, 256> line; std::fgets(line.data(), static_cast<int>(line.size()), file) != nullptr;)
    if (std::strncmp(line.data(), "ID: ", 4) == 0)
      all.push_back(static_cast<int>(std::strtol(line.data() + 4, nullptr, 10)));
  std::fclose(file);
  return all;
}

/// Descriptors at the lowest free numbers, which are not the block's: it closes one of them if it closes too many, or
/// one twice.
class Sentinels {
public:
  Sentinels() { add(); }
  ~Sentinels() {
    for (const Sentinel& each : all_)
      if (whole(each)) close(each.descriptor);
  }
  Sentinels(const Sentinels&) = delete;
  Sentinels& operator=(const Sentinels&) = delete;

  /// In words what became of the first that is gone; empty: nothing.
  std::string changed() const {
    for (const Sentinel& each : all_)
      if (!whole(each))
        return "descriptor " + std::to_string(each.descriptor) +
               ", which is not its own: open -> closed, or another file";
    return {};
  }
  /// Takes a number that has become free meanwhile, and opens again the ones that are gone.
  void add() {
    constexpr std::size_t most = 16;
    for (std::size_t i = all_.size(); i-- > 0;)
      if (!whole(all_[i])) all_.erase(all_.begin() + static_cast<std::ptrdiff_t>(i));
    if (all_.size() == most) return;
    std::array<int, 2> ends{};
    if (pipe2(ends.data(), O_CLOEXEC) != 0) return;
    close(ends[1]);
    Sentinel made{ends[0], {}};
    if (fstat(made.descriptor, &made.file) == 0) all_.push_back(made);
  }

private:
  struct Sentinel {
    int descriptor;
    struct stat file;
  };
  /// Each is a separate pipe, so it has another inode.
  static bool whole(const Sentinel& each) {
    struct stat now = {};
    return fstat(each.descriptor, &now) == 0 && now.st_ino == each.file.st_ino && now.st_dev == each.file.st_dev;
  }
  std::vector<Sentinel> all_;
};

/// As it is when one is made.
class ProcessState {
public:
  ProcessState() {
    for (std::size_t signal = 1; signal < actions_.size(); ++signal)
      sigaction(static_cast<int>(signal), nullptr, &actions_[signal]);
    pthread_sigmask(SIG_BLOCK, nullptr, &blocked_);
    sigaltstack(nullptr, &stack_);
    for (std::size_t i = 0; i < timers_.size(); ++i) getitimer(which(i), &timers_[i]);
    std::array<char, PATH_MAX> folder;
    if (getcwd(folder.data(), folder.size()) != nullptr) folder_ = folder.data();
    if (const char* locale = std::setlocale(LC_ALL, nullptr)) locale_ = locale;
    umask_ = umask(S_IRWXG | S_IRWXO);
    umask(umask_);
    posix_timers_ = posix_timers();
    for (std::size_t i = 0; i < streams_.size(); ++i) fstat(static_cast<int>(i), &streams_[i]);
  }

  /// The first thing that is another one now, both values in words; empty: nothing.
  std::string changed() const {
    const ProcessState now;
    for (std::size_t signal = 1; signal < actions_.size(); ++signal)
      if (actions_[signal].sa_handler != now.actions_[signal].sa_handler)
        return name_of(static_cast<int>(signal)) + ": " + words(actions_[signal]) + " -> " +
               words(now.actions_[signal]);
    for (int signal = 1; signal < signals; ++signal)
      if (sigismember(&blocked_, signal) != sigismember(&now.blocked_, signal))
        return name_of(signal) + (sigismember(&now.blocked_, signal) == 1 ? ": taken -> blocked in this thread"
                                                                          : ": blocked in this thread -> taken");
    if (stack_.ss_sp != now.stack_.ss_sp || stack_.ss_flags != now.stack_.ss_flags)
      return "the thread's stack for signal handlers: another one";
    for (std::size_t i = 0; i < timers_.size(); ++i)
      if (runs(timers_[i]) != runs(now.timers_[i]))
        return std::string(timer_names[i]) + (runs(now.timers_[i]) ? ": off -> on" : ": on -> off");
    for (const int timer : now.posix_timers_)
      if (!has_timer(timer)) return "a timer of timer_create: none -> made";
    if (folder_ != now.folder_) return "the working folder: " + folder_ + " -> " + now.folder_;
    if (locale_ != now.locale_) return "the locale: " + locale_ + " -> " + now.locale_;
    if (umask_ != now.umask_) return "the umask: " + octal(umask_) + " -> " + octal(now.umask_);
    for (std::size_t i = 0; i < streams_.size(); ++i)
      if (streams_[i].st_ino != now.streams_[i].st_ino || streams_[i].st_dev != now.streams_[i].st_dev)
        return std::string(stream_names[i]) + ": closed, or another file";
    return {};
  }

  /// Makes it so again; a stream that is closed stays closed.
  void restore() const {
    for (std::size_t signal = 1; signal < actions_.size(); ++signal)
      sigaction(static_cast<int>(signal), &actions_[signal], nullptr);
    sigaltstack(&stack_, nullptr);
    for (std::size_t i = 0; i < timers_.size(); ++i) setitimer(which(i), &timers_[i], nullptr);
    for (const int timer : posix_timers())
      if (!has_timer(timer)) syscall(SYS_timer_delete, timer);
    if (!folder_.empty() && chdir(folder_.c_str()) != 0) return;
    std::setlocale(LC_ALL, locale_.c_str());
    umask(umask_);
    pthread_sigmask(SIG_SETMASK, &blocked_, nullptr); // last: what was sent meanwhile comes to its own handler
  }

private:
  static constexpr int signals = 65;
  static constexpr const char* timer_names[] = {"ITIMER_REAL", "ITIMER_VIRTUAL", "ITIMER_PROF"};
  static constexpr const char* stream_names[] = {"standard input", "standard output", "standard error"};

  bool has_timer(int timer) const {
    for (const int each : posix_timers_)
      if (each == timer) return true;
    return false;
  }
  static __itimer_which_t which(std::size_t i) { return i == 0 ? ITIMER_REAL : i == 1 ? ITIMER_VIRTUAL : ITIMER_PROF; }
  static bool runs(const itimerval& timer) { return timer.it_value.tv_sec != 0 || timer.it_value.tv_usec != 0; }
  static std::string name_of(int signal) {
    struct Named {
      int signal;
      const char* name;
    };
    for (const Named& each : {Named{SIGHUP, "SIGHUP"},
                              {SIGINT, "SIGINT"},
                              {SIGQUIT, "SIGQUIT"},
                              {SIGTERM, "SIGTERM"},
                              {SIGPIPE, "SIGPIPE"},
                              {SIGSEGV, "SIGSEGV"},
                              {SIGCHLD, "SIGCHLD"},
                              {SIGALRM, "SIGALRM"}})
      if (each.signal == signal) return each.name;
    return "signal " + std::to_string(signal);
  }
  static std::string words(const struct sigaction& action) {
    return action.sa_handler == SIG_DFL ? "SIG_DFL" : action.sa_handler == SIG_IGN ? "SIG_IGN" : "a handler";
  }
  static std::string octal(mode_t bits) {
    std::string text = "0";
    for (int shift = 6; shift >= 0; shift -= 3) text += static_cast<char>('0' + ((bits >> shift) & 7u));
    return text;
  }

  std::array<struct sigaction, signals> actions_{};
  sigset_t blocked_{};
  stack_t stack_{};
  std::array<itimerval, 3> timers_{};
  std::vector<int> posix_timers_;
  std::string folder_, locale_;
  mode_t umask_ = 0;
  std::array<struct stat, 3> streams_{};
};

} // namespace hilda::testing::detail

#endif
