// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/base/diagnostic.h"
#include "engine/base/process_watch.h"
#include "engine/modules.h"

#include <chrono>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace hilda::base {

/// Finds what plugins change of the process while a loop calls their blocks, and restores it. No look follows each call
/// there: there is one at the end, and before it at most ten a second.
///
/// A loop may run in pieces, and the program around it may change what it likes between them, so each piece is compared
/// with its own beginning. The first pieces are all watched; then one each tenth of a second, because a look takes
/// longer than a tick. What a piece in between does to signal handlers is found later. It could be the program's own
/// doing, so it is reported only.
class LoopWatch {
public:
  /// A piece of the loop, on the thread that runs it or on one that attends it.
  class Piece {
  public:
    enum class Thread : std::uint8_t { loop, other };
    /// `watch`: null where no one watches.
    explicit Piece(LoopWatch* watch, Thread thread = Thread::loop);
    ~Piece();
    Piece(const Piece&) = delete;
    Piece& operator=(const Piece&) = delete;

    /// Is this piece one that is watched?
    bool watches() const { return process_.has_value(); }
    /// Between two ticks, however often. True where it has found something new.
    bool look();

  private:
    void begin();
    void look_now(SignalHandlers::Which which, bool locale);

    LoopWatch* const watch_;
    const Thread thread_;
    bool whole_ = false; ///< at its end, what is seldom changed is looked at, too
    std::optional<ProcessWatch> process_;
  };

  /// What the loop's own thread has found, where another one watches.
  void add(const std::vector<std::string>& changes);
  /// New findings since the last call, in sentences.
  std::vector<std::string> found();
  /// The same as warnings. Code: block-process.
  void report(const Location& where, Diagnostics& diagnostics);

private:
  using Clock = std::chrono::steady_clock;
  bool due() const;
  void look_back();
  void keep(std::string sentence);

  std::optional<Clock::time_point> looked_; ///< last
  int watched_ = 0;                         ///< pieces
  std::uint64_t passed_ = 0;                ///< pieces since, which no one watched
  SignalHandlers left_;                     ///< as the last piece that was watched left them
  std::set<std::string> known_;
  std::vector<std::string> news_;
};

} // namespace hilda::base
