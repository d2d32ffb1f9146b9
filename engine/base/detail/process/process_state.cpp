// SPDX-License-Identifier: BSD-3-Clause
#include "engine/base/detail/process/process_state.h"

#include <climits>
#include <cstring>
#include <fcntl.h>
#include <fmt/format.h>
#include <string_view>
#include <sys/stat.h>
#include <unistd.h>

namespace hilda::base {
namespace {

struct Timer {
  __itimer_which_t which;
  const char* name;
};
constexpr std::array<Timer, 3> timers{
    {{ITIMER_REAL, "ITIMER_REAL"}, {ITIMER_VIRTUAL, "ITIMER_VIRTUAL"}, {ITIMER_PROF, "ITIMER_PROF"}}};

double seconds(const timeval& time) {
  return static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec);
}
bool runs(const itimerval& timer) { return seconds(timer.it_value) > 0; }

/// Time passes, so less is left of a timer that no one has touched. One that went off once is off.
bool same(const itimerval& before, const itimerval& now) {
  if (seconds(before.it_interval) != seconds(now.it_interval)) return false;
  return runs(before) ? seconds(now.it_value) <= seconds(before.it_value) || seconds(now.it_interval) > 0 : !runs(now);
}

std::string words(const itimerval& timer) {
  if (!runs(timer)) return "off";
  const double every = seconds(timer.it_interval);
  return every > 0 ? fmt::format("every {:g} s", every) : fmt::format("in {:g} s", seconds(timer.it_value));
}

std::string folder_now() {
  std::array<char, PATH_MAX> text;
  return getcwd(text.data(), text.size()) != nullptr ? text.data() : "";
}

std::string locale_now() {
  const char* text = std::setlocale(LC_ALL, nullptr);
  return text != nullptr ? text : "";
}

/// "0022". Asking for it by umask() would change it for other threads that make files at that moment.
std::string umask_now() {
  std::array<char, 512> text;
  const int file = open("/proc/self/status", O_RDONLY | O_CLOEXEC);
  if (file < 0) return "";
  const ssize_t bytes = read(file, text.data(), text.size());
  close(file);
  const std::string_view status(text.data(), bytes > 0 ? static_cast<std::size_t>(bytes) : 0);
  constexpr std::string_view name = "\nUmask:\t";
  const std::size_t at = status.find(name);
  if (at == status.npos) return "";
  const std::string_view rest = status.substr(at + name.size());
  return std::string(rest.substr(0, rest.find('\n')));
}

std::string words(const sigset_t& blocked) {
  std::string list;
  for (int signal = 1; signal <= SIGRTMAX; ++signal) {
    if (sigismember(&blocked, signal) != 1) continue;
    const char* name = sigabbrev_np(signal);
    if (name == nullptr) continue;
    list += (list.empty() ? "SIG" : " SIG") + std::string(name);
  }
  return list.empty() ? "none" : list;
}

bool same(const sigset_t& a, const sigset_t& b) {
  for (int signal = 1; signal <= SIGRTMAX; ++signal)
    if (sigismember(&a, signal) != sigismember(&b, signal)) return false;
  return true;
}

bool has_stack(const stack_t& stack) { return (stack.ss_flags & SS_DISABLE) == 0; }
std::string words(const stack_t& stack) {
  return has_stack(stack) ? fmt::format("{} bytes at {}", stack.ss_size, stack.ss_sp) : "none";
}

} // namespace

ProcessState ProcessState::current(SignalHandlers::Which which) {
  ProcessState now;
  now.handlers_ = SignalHandlers::current(which);
  for (std::size_t i = 0; i < timers.size(); ++i) getitimer(timers[i].which, &now.timers_[i]);
  now.folder_ = folder_now();
  now.locale_ = locale_now();
  if (which == SignalHandlers::Which::all) now.umask_ = umask_now();
  return now;
}

std::vector<std::string> ProcessState::put_back(SignalHandlers::Which which, bool locale) const {
  std::vector<std::string> changed = handlers_.put_back(which);
  for (std::size_t i = 0; i < timers.size(); ++i) {
    itimerval now{};
    getitimer(timers[i].which, &now);
    if (same(timers_[i], now)) continue;
    setitimer(timers[i].which, &timers_[i], nullptr);
    changed.push_back(fmt::format("{}: {} -> {}", timers[i].name, words(timers_[i]), words(now)));
  }
  if (const std::string now = folder_now(); !folder_.empty() && now != folder_ && chdir(folder_.c_str()) == 0)
    changed.push_back(fmt::format("the working folder: {} -> {}", folder_, now.empty() ? "one that is gone" : now));
  if (const std::string now = locale ? locale_now() : locale_; now != locale_) {
    std::setlocale(LC_ALL, locale_.c_str());
    changed.push_back(fmt::format("the locale: {} -> {}", locale_, now));
  }
  if (which != SignalHandlers::Which::all || umask_.empty()) return changed;
  if (const std::string now = umask_now(); !now.empty() && now != umask_) {
    umask(static_cast<mode_t>(std::stoul(umask_, nullptr, 8)));
    changed.push_back(fmt::format("the umask: {} -> {}", umask_, now));
  }
  return changed;
}

ThreadState ThreadState::current() {
  ThreadState now;
  pthread_sigmask(SIG_BLOCK, nullptr, &now.blocked_);
  sigaltstack(nullptr, &now.stack_);
  now.locale_ = uselocale(nullptr);
  return now;
}

std::vector<std::string> ThreadState::put_back() const {
  const ThreadState now = current();
  std::vector<std::string> changed;
  if (!same(now.blocked_, blocked_)) {
    pthread_sigmask(SIG_SETMASK, &blocked_, nullptr);
    changed.push_back(fmt::format("blocked signals: {} -> {}", words(blocked_), words(now.blocked_)));
  }
  if (has_stack(now.stack_) != has_stack(stack_) || (has_stack(stack_) && now.stack_.ss_sp != stack_.ss_sp)) {
    sigaltstack(&stack_, nullptr);
    changed.push_back(fmt::format("the stack for signal handlers: {} -> {}", words(stack_), words(now.stack_)));
  }
  if (now.locale_ != locale_) {
    uselocale(locale_);
    changed.emplace_back("the thread's locale: another one");
  }
  return changed;
}

} // namespace hilda::base
