// SPDX-License-Identifier: BSD-3-Clause
#include "engine/plugin/running_code.h"

#include "engine/base/process_watch.h"
#include "engine/plugin/culprit.h"
#include "engine/plugin/last_call.h"
#include "engine/plugin/loop_end.h"

#include <array>
#include <chrono>
#include <cstring>
#include <mutex>
#include <thread>

namespace hilda::plugin {
namespace {

// One entry a thread, never freed: a thread that has ended leaves its own to the next.
constexpr std::size_t most_threads = 256;
std::array<RunningThread, most_threads> entries;
std::array<std::atomic<bool>, most_threads> taken;
RunningThread overflow; // threads beyond that share one, and are not distinguished
/// Held while another thread looks into a loop, and by a loop that goes.
std::mutex looking;
/// Held while another thread copies the texts of a thread's mark, and by that thread when the mark goes: each its own,
/// so that threads which make one runtime after the other do not wait for one another. The last is `overflow`'s.
std::array<std::mutex, most_threads + 1> marking;

std::mutex& marking_of(const RunningThread& thread) {
  return marking[&thread == &overflow ? most_threads : static_cast<std::size_t>(&thread - entries.data())];
}

/// Of each thread the text of last_call(), the last that of `overflow`. Not thread_local: a program has little room for
/// the threads' data of libraries that it loads later, as it loads FMUs.
constexpr std::size_t part = 128;
std::array<std::array<char, 3 * part>, most_threads + 1> last_calls{};

std::array<char, 3 * part>& last_of(const RunningThread& thread) {
  return last_calls[&thread == &overflow ? most_threads : static_cast<std::size_t>(&thread - entries.data())];
}

struct Entry {
  RunningThread* thread = nullptr;
  ~Entry() {
    const auto i = static_cast<std::size_t>(thread - entries.data());
    if (thread != nullptr && i < most_threads) taken[i].store(false, std::memory_order_release);
    thread = nullptr;
  }
};
thread_local Entry entry;
thread_local RunningThread* own = nullptr; // plain, for signal handlers

RunningThread* claim() {
  for (std::size_t i = 0; i < most_threads; ++i) {
    bool free = false;
    if (!taken[i].compare_exchange_strong(free, true)) continue;
    last_calls[i].front() = '\0';
    return &entries[i];
  }
  return &overflow;
}

void copy(char* to, std::size_t room, const char* from) {
  std::strncpy(to, from != nullptr ? from : "", room - 1);
  to[room - 1] = '\0';
}

/// Under the lock marking_of().
void keep_last(const RunningThread& thread, const RunningCode& code) {
  std::array<char, 3 * part>& last = last_of(thread);
  std::size_t at = 0;
  const auto add = [&](const char* text) {
    if (text == nullptr) return;
    const std::size_t length = strnlen(text, part - 8);
    std::memcpy(last.data() + at, text, length);
    at += length;
  };
  add(code.block != nullptr ? code.block : code.plugin);
  if (code.type != nullptr) add(" ("), add(code.type), add(")");
  add(", in "), add(code.phase);
  last[at] = '\0';
}

/// Stands for a loop that has gone: nothing runs in it.
class NoLoop final : public RunningLoop {
public:
  RunningCode running_code() const noexcept override { return {}; }
  std::int64_t beat() const noexcept override { return 0; }
  double loop_time() const noexcept override { return 0; }
  void call_one_by_one() noexcept override {}

  /// Never destroyed: threads may look to the end of the process.
  static NoLoop& instance() {
    static NoLoop& loop = *new NoLoop;
    return loop;
  }
};

} // namespace

void forget_loop(const RunningLoop& loop) {
  const std::lock_guard held(looking);
  for (RunningThread& thread : entries)
    if (thread.loop() == &loop) thread.enter(NoLoop::instance());
  if (overflow.loop() == &loop) overflow.enter(NoLoop::instance());
}

RunningLoop::~RunningLoop() {
  const std::lock_guard held(looking);
  for (RunningThread& thread : entries) {
    RunningLoop* mine = this;
    thread.loop_.compare_exchange_strong(mine, nullptr);
  }
  RunningLoop* mine = this;
  overflow.loop_.compare_exchange_strong(mine, nullptr);
}

RunningThread& RunningThread::mine() {
  if (own == nullptr) own = entry.thread = claim();
  return *own;
}

RunningThread* RunningThread::find() { return own; }

RunningCode RunningThread::code() const {
  if (const RunningCode* mark = mark_.load(std::memory_order_relaxed)) return *mark;
  const RunningLoop* loop = loop_.load(std::memory_order_relaxed);
  return loop != nullptr ? loop->running_code() : RunningCode{};
}

RunningCode RunningThread::anywhere() {
  for (const RunningThread& thread : entries)
    if (const RunningCode code = thread.code()) return code;
  return overflow.code();
}

const char* last_call() { return own == nullptr ? "" : last_of(*own).data(); }

RunningMark::RunningMark(const RunningCode& code) : code_(code) {
  RunningThread& thread = RunningThread::mine();
  before_ = thread.mark_.load(std::memory_order_relaxed);
  thread.marks_.fetch_add(1, std::memory_order_relaxed);
  thread.mark_.store(&code_, std::memory_order_release);
}

RunningMark::~RunningMark() {
  // Who looks from another thread copies the texts under this lock.
  {
    RunningThread& thread = RunningThread::mine();
    const std::lock_guard held(marking_of(thread));
    keep_last(thread, code_);
    thread.mark_.store(before_, std::memory_order_relaxed);
  }
  ProcessWatch::after_call({code_.plugin, code_.block, code_.type, code_.phase});
}

RunningCode culprit_of_standstill(double patience) {
  for (RunningThread& thread : entries) {
    RunningLoop* loop = thread.loop();
    if (loop == nullptr || loop->running_code().count < 2) continue;
    std::thread([loop] { loop->call_one_by_one(); }).detach();
    std::this_thread::sleep_for(std::chrono::duration<double>(patience));
    const RunningCode code = loop->running_code();
    return code.count == 1 ? code : RunningCode{};
  }
  return {};
}

bool StandstillWatch::look(double interval, double patience, Finding& finding) {
  const std::lock_guard held(looking);
  for (std::size_t i = 0; i < most_threads && i < most; ++i) {
    const RunningThread& thread = entries[i];
    const std::lock_guard still(marking[i]);
    const Seen current{.marks = thread.marks_.load(std::memory_order_relaxed),
                       .mark = thread.mark_.load(std::memory_order_acquire),
                       .loop = thread.loop_.load(std::memory_order_relaxed)};
    Seen& seen = seen_[i];
    const std::int64_t beat = current.loop != nullptr ? current.loop->beat() : 0;
    const bool same =
        seen.marks == current.marks && seen.mark == current.mark && seen.loop == current.loop && seen.beat == beat;
    if (!same) {
      seen = current;
      seen.beat = beat;
      continue;
    }
    const RunningCode code = thread.code();
    if (!code) {
      seen.stood = 0;
      continue;
    }
    seen.stood += interval;
    if (seen.stood < patience) continue;
    finding.code = code;
    finding.seconds = seen.stood;
    finding.in_loop = current.mark == nullptr;
    finding.time = finding.in_loop ? current.loop->loop_time() : 0;
    copy(finding.plugin, sizeof finding.plugin, code.plugin);
    copy(finding.block, sizeof finding.block, code.block);
    copy(finding.type, sizeof finding.type, code.type);
    copy(finding.phase, sizeof finding.phase, code.phase);
    return true;
  }
  return false;
}

} // namespace hilda::plugin
