// SPDX-License-Identifier: BSD-3-Clause
#include "engine/base/process_watch.h"

#include "engine/base/detail/process/posix_timers.h"
#include "engine/base/detail/process/standard_streams.h"
#include "engine/base/own_descriptors.h"

#include <atomic>
#include <exception>
#include <fcntl.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <mutex>
#include <optional>
#include <unistd.h>
#include <utility>

namespace hilda::base {
namespace {

/// Calls of this process after each of which there is a look. One takes some microseconds, and a large diagram or a
/// sweep makes a million calls.
constexpr std::uint64_t most_each = 2000;
constexpr std::uint64_t stride = 64;

/// A descriptor at the lowest free number: who closes numbers that are not its own meets it.
class Sentinel {
public:
  void begin() {
    descriptor_ = open("/dev/null", O_RDONLY | O_CLOEXEC);
    own_ = OwnDescriptor(descriptor_, "which hilda holds open");
  }
  void end() {
    own_.forget();
    if (descriptor_ >= 0) close(std::exchange(descriptor_, -1));
  }

private:
  int descriptor_ = -1;
  OwnDescriptor own_;
};

/// How the process was when the first of the watches that live began. Threads share it: one that begins while another
/// one's plugin has changed something must not take that for what was before.
struct Shared {
  std::mutex mutex;
  ProcessState before;
  std::optional<StandardStreams> streams; ///< while one lives
  Sentinel sentinel;                      ///< likewise
  std::optional<PosixTimers> timers;      ///< where all is looked at, since a file lists them
  int watches = 0;
  std::atomic<std::uint64_t> calls{0};
};

/// Never destroyed: plugins are unloaded last.
Shared& shared() {
  static Shared& all = *new Shared;
  return all;
}

thread_local ProcessWatch* mine = nullptr;

std::string text_of(const char* text) { return text != nullptr ? text : ""; }

} // namespace

ProcessWatch::ProcessWatch(Looks looks)
    : ProcessWatch(looks, looks == Looks::each || shared().calls.load(std::memory_order_relaxed) < most_each
                              ? SignalHandlers::Which::all
                              : SignalHandlers::Which::steering) {}

ProcessWatch::ProcessWatch(Looks looks, SignalHandlers::Which which) : outer_(mine), looks_(looks) {
  if (outer_ != nullptr) return;
  mine = this;
  thread_ = ThreadState::current();
  const std::lock_guard held(shared().mutex);
  if (shared().watches++ > 0) return;
  shared().before = ProcessState::current(which);
  shared().streams.emplace();
  shared().sentinel.begin();
  shared().timers.reset();
  if (which == SignalHandlers::Which::all) shared().timers = PosixTimers::current();
}

ProcessWatch::~ProcessWatch() {
  if (outer_ != nullptr) return;
  try {
    if (looks_ != Looks::asked) look(SignalHandlers::Which::all, {});
  } catch (const std::exception&) {} // nothing could be reported of it
  mine = nullptr;
  const std::lock_guard held(shared().mutex);
  if (--shared().watches > 0) return;
  shared().streams.reset();
  shared().sentinel.end();
}

void ProcessWatch::look(SignalHandlers::Which which, const PluginCall& call, bool locale) {
  std::vector<std::string> changed = thread_.put_back();
  bool alone = true;
  {
    const std::lock_guard held(shared().mutex);
    const auto add = [&changed](const std::vector<std::string>& others) {
      changed.insert(changed.end(), others.begin(), others.end());
    };
    add(shared().before.put_back(which, locale));
    add(shared().streams->put_back());
    add(put_back_descriptors());
    if (which == SignalHandlers::Which::all && shared().timers) add(shared().timers->put_back());
    alone = shared().watches == 1;
  }
  const std::uint64_t calls = std::exchange(calls_, 0);
  if (changed.empty()) return;
  changes_.push_back({text_of(call.plugin), text_of(call.block), text_of(call.type), text_of(call.phase),
                      fmt::format("{}", fmt::join(changed, "; ")), calls, alone});
}

void ProcessWatch::after_call(const PluginCall& call) noexcept {
  if (mine == nullptr) return;
  const std::uint64_t made = shared().calls.fetch_add(1, std::memory_order_relaxed);
  const bool each = mine->looks_ == Looks::each;
  if (++mine->calls_ < stride && !each && made >= most_each) return;
  try {
    mine->look(each ? SignalHandlers::Which::all : SignalHandlers::Which::steering, call);
  } catch (const std::exception&) {} // nothing can be reported of it
}

std::vector<ProcessChange> ProcessWatch::look_now(SignalHandlers::Which which, bool locale) {
  mine->look(which, {}, locale);
  return std::exchange(mine->changes_, {});
}

std::vector<ProcessChange> ProcessWatch::found() {
  if (mine == nullptr || mine->changes_.empty()) return {};
  return std::exchange(mine->changes_, {});
}

std::vector<ProcessChange> ProcessWatch::changes(const std::string& plugin) {
  if (mine == nullptr) return {};
  mine->look(SignalHandlers::Which::all, {.plugin = plugin.c_str()});
  return std::exchange(mine->changes_, {});
}

} // namespace hilda::base
