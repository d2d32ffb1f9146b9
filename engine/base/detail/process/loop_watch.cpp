// SPDX-License-Identifier: BSD-3-Clause
#include "engine/base/loop_watch.h"

#include "engine/base/process_report.h"

#include <ctime>
#include <exception>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <utility>

namespace hilda::base {
namespace {

using Which = SignalHandlers::Which;

constexpr std::chrono::milliseconds between_looks{100};
constexpr int first_pieces = 100;      ///< a plugin that sets something up does so in its first ticks
constexpr std::size_t most_known = 20; ///< texts: one that changes something else at each tick has shown enough

/// Right to some milliseconds, and it takes a fifth of the time: a program may run a tick with each call.
std::chrono::steady_clock::time_point coarse_now() {
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC_COARSE, &now);
  return std::chrono::steady_clock::time_point(std::chrono::seconds(now.tv_sec) +
                                               std::chrono::nanoseconds(now.tv_nsec));
}

std::string sentence_of(const std::string& changes, bool alone) {
  return fmt::format("a plugin changed what belongs to the whole process while the loop ran{}: {}; it is as before "
                     "again",
                     alone ? "" : " (other threads called plugins at that time, too)", changes);
}

} // namespace

LoopWatch::Piece::Piece(LoopWatch* watch, Thread thread) : watch_(watch), thread_(thread) {
  if (watch_ == nullptr) return;
  if (watch_->due())
    begin();
  else
    ++watch_->passed_;
}

void LoopWatch::Piece::begin() {
  if (watch_->passed_ > 0) watch_->look_back();
  whole_ = !watch_->looked_ || coarse_now() - *watch_->looked_ >= between_looks;
  process_.emplace(ProcessWatch::Looks::asked, whole_ ? Which::all : Which::steering);
  ++watch_->watched_;
  watch_->looked_ = coarse_now();
}

LoopWatch::Piece::~Piece() {
  if (!process_) return;
  try {
    look_now(whole_ ? Which::all : Which::steering, true);
    watch_->left_ = SignalHandlers::current(Which::steering);
  } catch (const std::exception&) {} // no one could report it
}

bool LoopWatch::Piece::look() {
  if (watch_ == nullptr || coarse_now() - *watch_->looked_ < between_looks) return false;
  const std::size_t before = watch_->news_.size();
  if (process_)
    look_now(Which::steering, thread_ == Thread::loop);
  else
    begin();
  whole_ = true;
  return watch_->news_.size() > before;
}

void LoopWatch::Piece::look_now(Which which, bool locale) {
  for (const ProcessChange& change : process_->look_now(which, locale))
    watch_->keep(change.phase.empty() ? sentence_of(change.text, change.alone) : process_words(change));
  watch_->looked_ = coarse_now();
}

bool LoopWatch::due() const { return watched_ < first_pieces || !looked_ || coarse_now() - *looked_ >= between_looks; }

void LoopWatch::look_back() {
  const std::vector<std::string> changes = left_.changes(Which::steering);
  const std::uint64_t passed = std::exchange(passed_, 0);
  if (!changes.empty())
    keep(fmt::format("signal handlers have changed: {}; a plugin did so in one of {} calls of the loop, or this "
                     "program; they stay as they are",
                     fmt::join(changes, "; "), passed));
}

void LoopWatch::add(const std::vector<std::string>& changes) {
  if (!changes.empty()) keep(sentence_of(fmt::format("{}", fmt::join(changes, "; ")), true));
}

void LoopWatch::keep(std::string sentence) {
  if (known_.size() < most_known && known_.insert(sentence).second) news_.push_back(std::move(sentence));
}

std::vector<std::string> LoopWatch::found() { return std::exchange(news_, {}); }

void LoopWatch::report(const Location& where, Diagnostics& diagnostics) {
  for (const std::string& sentence : found())
    diagnostics.warning("block-process", where, sentence,
                        "hilda check --audit names the block; a run that moves devices fails by it");
}

} // namespace hilda::base
