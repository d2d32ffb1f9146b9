// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/log/frame_tap.h"
#include "tools/modules.h"
#include "tools/studio/detail/clients/frame_history.h"
#include "tools/studio/detail/clients/requests.h"
#include "tools/studio/detail/clients/session.h"

#include <algorithm>
#include <atomic>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace hilda::studio {

/// Where a run and its clients meet. The run's messages go to every session; requests of sessions lie in `requests`
/// until the run's thread takes them. Sessions are locked for a moment by the thread that needs them: the log's, the
/// network's, or the run's; never the loop's.
class Hub final : public FrameTap {
public:
  RequestQueue& requests() { return requests_; }

  /// A session for a WebSocket's subprotocol; null: there is none of that name.
  std::shared_ptr<Session> connect(const std::string& protocol, Outbox& outbox);
  static bool speaks(const std::string& protocol);
  /// The message to a client that is too slow.
  static Message lost_message(const std::string& protocol, std::uint64_t lost);
  void disconnect(const Session& session);
  std::size_t sessions() const { return count_.load(std::memory_order_relaxed); }

  // Called by the run.
  void tell(DiagramFacts facts);
  void tell_state(Json state);
  void tell_parameters(const std::vector<ParameterFact>& changed);
  /// The last of each `op` is kept for those who come later.
  void tell_message(const Json& message);

  /// From now on this watcher gets the samples, and not the one before; null: there is none.
  void watch(FrameWatcher* watcher);

  /// The run has gone back: frames of this tick and later are not part of the past any more.
  void rewind(std::int64_t tick);

  // The log's thread.
  void begin(const LogSchema& schema, const FrameLayout& layout) override;
  void frame(std::span<const std::byte> frame) noexcept override;

  /// The network's thread, 40 times a second.
  void look();

  // Sessions ask, without the lock.
  /// Runs `action(signals)` with the lock held.
  template <typename Action> void with_signals(const Action& action) {
    const std::lock_guard guard(lock_);
    action(signals_);
  }
  /// Within that: what has come in the last frames, oldest first.
  template <typename Take> void past(std::size_t most, const Take& take) {
    for (std::size_t i = history_.size() - std::min(most, history_.size()); i < history_.size(); ++i)
      take(samples_of(history_[i]));
  }
  /// Everything that is sent to a session first.
  void greet(Session& session);
  std::vector<ParameterFact> parameters() const;
  /// False: too many requests wait.
  bool ask(const Session& session, Json request);

private:
  void pass_on(const Json& message);
  TickSamples samples_of(std::span<const std::byte> frame);
  Json state_now() const;

  RequestQueue requests_;
  std::atomic<std::size_t> count_{0};
  mutable std::mutex lock_; ///< of all that follows
  std::vector<std::shared_ptr<Session>> sessions_;
  FrameWatcher* watcher_ = nullptr;
  ServedSignals signals_;
  std::vector<const std::byte*> groups_; ///< of the frame that is looked at
  FrameHistory history_;
  std::int64_t epoch_ = 0;
  std::uint64_t lost_ = 0;
  DiagramFacts facts_;
  Json state_;
  std::vector<Json> messages_;
};

} // namespace hilda::studio
