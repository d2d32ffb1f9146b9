// SPDX-License-Identifier: BSD-3-Clause
#include "engine/base/detail/process/signal_handlers.h"

#include "engine/base/detail/process/signal_name.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <dlfcn.h>
#include <fmt/format.h>

namespace hilda::base {
namespace {

constexpr std::array steering{SIGHUP,  SIGINT,  SIGQUIT, SIGILL,  SIGABRT, SIGBUS, SIGFPE,
                              SIGSEGV, SIGPIPE, SIGALRM, SIGTERM, SIGCHLD, SIGTSTP};
bool steers(int signal) { return std::find(steering.begin(), steering.end(), signal) != steering.end(); }

/// The C library sets it where the kernel needs it; it says nothing about the handler.
constexpr int restorer = 0x04000000;

/// A handler that takes one argument and one that takes three lie at the same place.
bool same(const struct sigaction& a, const struct sigaction& b) {
  constexpr std::size_t kernel_mask = 8; // bytes; those behind them have no meaning
  if (a.sa_handler != b.sa_handler) return false;
  if (a.sa_handler == SIG_IGN || a.sa_handler == SIG_DFL) return true; // no handler runs: flags say nothing
  return (a.sa_flags & ~restorer) == (b.sa_flags & ~restorer) && std::memcmp(&a.sa_mask, &b.sa_mask, kernel_mask) == 0;
}

/// Whose code a handler is shows by the file that it lies in.
std::string words(const struct sigaction& action) {
  if (action.sa_handler == SIG_IGN) return "SIG_IGN";
  if (action.sa_handler == SIG_DFL) return "SIG_DFL";
  Dl_info mine, found;
  if (dladdr(reinterpret_cast<void*>(action.sa_handler), &found) == 0 || found.dli_fname == nullptr) return "a handler";
  if (dladdr(reinterpret_cast<void*>(&name_of_signal), &mine) != 0 && mine.dli_fbase == found.dli_fbase)
    return "hilda's handler";
  const char* slash = std::strrchr(found.dli_fname, '/');
  return std::string("a handler of ") + (slash != nullptr ? slash + 1 : found.dli_fname);
}

} // namespace

SignalHandlers SignalHandlers::current(Which which) {
  SignalHandlers now;
  const auto keep = [&now](int signal) {
    Kept kept{signal, {}};
    if (sigaction(signal, nullptr, &kept.action) == 0) now.kept_.push_back(kept);
  };
  now.kept_.reserve(which == Which::all ? static_cast<std::size_t>(SIGRTMAX) : steering.size());
  for (const int signal : steering) keep(signal);
  if (which == Which::steering) return now;
  // SIGSYS belongs to a filter of system calls, which a host or a test may set up at any time.
  for (int signal = 1; signal <= SIGRTMAX; ++signal)
    if (signal != SIGKILL && signal != SIGSTOP && signal != SIGSYS && !steers(signal)) keep(signal);
  return now;
}

std::vector<std::string> SignalHandlers::put_back(Which which) const { return compare(which, true); }
std::vector<std::string> SignalHandlers::changes(Which which) const { return compare(which, false); }

std::vector<std::string> SignalHandlers::compare(Which which, bool put_back) const {
  std::vector<std::string> changed;
  for (const Kept& before : kept_) {
    if (which == Which::steering && !steers(before.signal)) break;
    struct sigaction now = {};
    if (sigaction(before.signal, nullptr, &now) != 0 || same(now, before.action)) continue;
    if (put_back) sigaction(before.signal, &before.action, nullptr);
    const std::string was = words(before.action), is = words(now);
    changed.push_back(
        fmt::format("{}: {} -> {}", name_of_signal(before.signal), was, was == is ? is + " with other flags" : is));
  }
  return changed;
}

} // namespace hilda::base
