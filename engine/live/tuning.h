#pragma once

#include "engine/check/live_change.h"
#include "engine/log/frame_ring.h"
#include "engine/log/recorder.h"
#include "engine/loop/runtime.h"

#include <atomic>
#include <deque>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

namespace hilda {

/// Settings that were found good and wait for the loop, or were taken by it: all of them before one tick, or none.
class LiveRequest {
public:
  static constexpr std::int64_t waiting = -1, dropped = -2;
  /// The tick before which it was taken; or waiting; or dropped: the loop has ended.
  std::int64_t taken() const { return taken_.load(std::memory_order_acquire); }
  const std::vector<LiveSetting>& settings() const { return settings_; }

private:
  friend class Tuning;
  std::vector<LiveSetting> settings_;
  std::string event_; ///< as the log has it
  ParameterPatch patch_;
  ParameterUndo undo_;
  std::atomic<std::int64_t> taken_{waiting};
};

/// What was taken, and when.
struct TakenChange {
  std::int64_t tick = 0; ///< before this one
  std::vector<LiveSetting> settings;
  friend bool operator==(const TakenChange&, const TakenChange&) = default;
};

/// Changes the parameters of a running diagram.
///
/// Whatever can be wrong with a request is found on the thread that makes it: texts, units, ranges, shapes, and what
/// the blocks themselves say. What is left for the loop is a few bytes and `prepare`. A request crosses into the loop
/// as a pointer in a ring without locks; nothing is allocated or freed there. It takes effect between two ticks, as a
/// whole, and the log has it as an event "set" of the tick that it came before.
class Tuning {
public:
  /// The runtime must outlive it. At most one at a time for a runtime.
  explicit Tuning(Runtime& runtime);
  ~Tuning();
  Tuning(const Tuning&) = delete;
  Tuning& operator=(const Tuning&) = delete;

  /// Any thread, while the loop runs. Null after errors: those of look_at_change and of the blocks, and
  /// live-paused: the loop would have to stand; live-size: more than an event of the log holds; live-queue: too many
  /// requests wait; live-ended: there is no loop any more, or it is on its way to rest; live-rate: faster than <live>
  /// allows.
  std::shared_ptr<const LiveRequest> post(const std::vector<LiveSetting>& settings, Diagnostics& diagnostics,
                                          Location where = {});
  enum class Rates { kept, ignored };
  /// On the loop's thread while it stands: the same, at once. What waits is taken before. False after errors.
  /// @param rates  ignored: what had been set is set again, in a diagram that has just been loaded
  bool set(const std::vector<LiveSetting>& settings, Recorder* recorder, Diagnostics& diagnostics, Location where = {},
           Rates rates = Rates::kept);
  /// Looks at settings, and does not take them.
  std::optional<LiveChange> look(const std::vector<LiveSetting>& settings, Diagnostics& diagnostics,
                                 Location where = {});

  /// [loop] Between two ticks: takes what waits, as far as the log has room for it.
  void take(Recorder* recorder) noexcept;

  /// On the loop's thread: no request is taken any more. Values of those that wait are as before.
  void close();
  /// What was taken so far, in order.
  std::vector<TakenChange> taken();
  /// On the loop's thread while it stands: takes back every change of `tick` and later, but for those that are kept.
  void take_back_to(std::int64_t tick);
  /// What was taken so far stays, wherever the run goes back to: the first `kept()` of taken().
  void keep();
  std::size_t kept();

  /// The value that a parameter has, or will have once what waits was taken, as a person writes it: "4 ms" where it was
  /// written so. None: no such parameter.
  std::optional<std::string> text_of(const std::string& path);

private:
  using Request = std::shared_ptr<LiveRequest>;
  Request prepare(const std::vector<LiveSetting>& settings, Diagnostics& diagnostics, Location where, Rates rates);
  bool may_change(const LiveChange& change, Diagnostics& diagnostics, Location where) const;
  double still(const LiveRate& rate) const;
  void gather();

  Runtime& runtime_;
  FrameRing ring_{4096};              ///< pointers to requests, from whoever holds the lock to the loop
  std::atomic<std::int64_t> now_{0};  ///< the tick that the loop has come to
  std::atomic<bool> stopping_{false}; ///< it is on its way to rest
  std::mutex lock_;                   ///< of all that follows; never taken in the loop
  std::deque<Request> waiting_;
  std::vector<Request> taken_;
  std::size_t kept_ = 0;
  bool closed_ = false;
};

/// In a diagram that was loaded anew: sets what had been set, and keeps it. Of a request that is refused now each
/// setting by itself, so that a path that is gone takes no other with it; those refused are told in `anew`.
void set_again(Tuning& before, Tuning& now, std::vector<std::string>& anew);

} // namespace hilda
