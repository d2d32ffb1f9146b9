// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/compile/live_change.h"
#include "engine/log/event_message.h"
#include "engine/log/frame_ring.h"
#include "engine/log/recorder.h"
#include "engine/modules.h"
#include "engine/run/runtime.h"
#include "engine/session/detail/live/inputs/inputs.h"

#include <atomic>
#include <deque>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace hilda::session {

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
  std::vector<Input*> inputs_;     ///< that write some of the same
  const Input* numbers_ = nullptr; ///< it stands for what was written to this input, the last of it
  std::atomic<std::int64_t> taken_{waiting};
};

/// What was taken, and when.
struct TakenChange {
  std::int64_t tick = 0; ///< before this one
  std::vector<LiveSetting> settings;
  bool by_numbers = false; ///< the last value of an input that a program has written since
  friend bool operator==(const TakenChange&, const TakenChange&) = default;
};

/// Changes the parameters of a running diagram.
///
/// Whatever can be wrong with a request is found on the thread that makes it: texts, units, ranges, shapes, and what
/// the blocks themselves say. Only a few bytes and `prepare` are left for the loop. A request crosses into the loop
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
  /// live-paused: the loop would have to be paused; live-size: more than an event of the log holds; live-queue: too
  /// many requests wait; live-ended: there is no loop any more, or it is on its way to rest; live-rate: faster than
  /// <live> allows.
  std::shared_ptr<const LiveRequest> post(const std::vector<LiveSetting>& settings, Diagnostics& diagnostics,
                                          Location where = {});
  enum class Rates { kept, ignored };
  /// On the loop's thread while it is paused: the same, at once. What waits is taken before. False after errors.
  /// @param rates  ignored: what had been set is set again, in a diagram that has just been loaded
  bool set(const std::vector<LiveSetting>& settings, Recorder* recorder, Diagnostics& diagnostics, Location where = {},
           Rates rates = Rates::kept);
  /// Looks at settings, and does not take them.
  std::optional<LiveChange> look(const std::vector<LiveSetting>& settings, Diagnostics& diagnostics,
                                 Location where = {});

  /// [loop] Between two ticks: takes what waits, as far as the log has room for it.
  void take(Recorder* recorder) noexcept;
  /// [loop] After `take`: what was written to inputs still waits for room in the log, and the tick with it.
  bool numbers_wait() const noexcept { return inputs_.waits() && !runtime_.stopping(); }

  /// A handle by which a program writes a parameter, or an input of the diagram itself, as numbers between two ticks:
  /// the way of `set` for who does it at every tick. Any thread, while the loop runs; one path has one handle, which
  /// lives until `close`. Null after errors: those of Inputs::open, live-ended, and live-watch as `post` has it.
  std::shared_ptr<Input> input(const std::string& path, Diagnostics& diagnostics, Location where = {});
  /// On the loop's thread, between two ticks: writes several inputs, or none of them. The number of the
  /// input that is refused is in `refused`.
  Written write(std::span<const InputNumbers> numbers, std::size_t* refused = nullptr) noexcept;
  /// Any thread, while the loop runs: the same before one of its next ticks.
  Written post(std::span<const InputNumbers> numbers, std::size_t* refused = nullptr);
  /// Would the blocks take these numbers? Those that look at their parameters are asked, on separate records, as
  /// `set` asks them. False after errors, or where one does not fit its input.
  bool try_numbers(std::span<const InputNumbers> numbers, Diagnostics& diagnostics);
  /// Does nothing write this path as numbers, and has it these already? On the loop's thread, between two ticks.
  bool stands_at(const std::string& path, std::span<const double> numbers);
  /// Its numbers before the second tick, as far as this runtime knows.
  std::vector<double> numbers_at_begin(const Input& input);
  /// On the loop's thread, between two ticks: writes what an event "numbers" of a log has. In words what does not fit.
  std::string write_recorded(std::span<const WrittenNumbers> inputs);
  /// The same of an earlier log, whose event is a text.
  std::string write_recorded(std::string_view event);
  /// Texts and values of the system become those that were written as numbers: for who reads the system itself.
  void settle();

  /// On the loop's thread: no request is taken any more. Values of those that wait are as before.
  void close();
  /// What was taken so far, in order.
  std::vector<TakenChange> taken();
  /// On the loop's thread while it is paused: takes back every change of `tick` and later, but for those that are kept.
  void take_back_to(std::int64_t tick);
  /// What was taken so far stays, wherever the run goes back to: the first `kept()` of taken().
  void keep();

  /// On the loop's thread while it is paused: from now on values written to inputs are remembered, for the way back.
  void remember_numbers();
  /// The first tick from which on nothing of that was forgotten.
  std::int64_t numbers_begin() const { return inputs_.past().begin(); }
  std::vector<InputPast::Entry> numbers_between(std::int64_t first, std::int64_t end) const {
    return inputs_.past().between(first, end);
  }
  std::vector<std::uint64_t> numbers() const { return inputs_.snapshot(); }
  void put_numbers(const std::vector<std::uint64_t>& numbers) { inputs_.put(numbers); }
  void write_again(const InputPast::Entry& entry);
  const Input& input_of(const InputPast::Entry& entry) const { return *inputs_.all()[entry.input]; }
  std::size_t kept();

  /// The value that a parameter has, or will have once what waits was taken, as a person writes it: "4 ms" where it was
  /// written so. None: no such parameter.
  std::optional<std::string> text_of(const std::string& path);

private:
  using Request = std::shared_ptr<LiveRequest>;
  Request prepare(const std::vector<LiveSetting>& settings, Diagnostics& diagnostics, Location where, Rates rates);
  bool may_change(const LiveChange& change, Diagnostics& diagnostics, Location where) const;
  bool spares_inputs(const std::vector<LiveSetting>& settings, Diagnostics& diagnostics, Location where) const;
  void find_inputs(const ParameterChange& change, LiveRequest& request);
  void settle_numbers();
  void settle(Input& input);
  void insert(const Request& request);
  Written look(std::span<const InputNumbers> numbers, std::size_t* refused) const noexcept;
  bool within_rates(std::span<const InputNumbers> numbers, std::size_t* refused);
  bool text_waits(const Input& input) const;
  double still(const LiveRate& rate) const;
  void gather();

  Runtime& runtime_;
  /// Pointers to requests, and numbers, from the thread that holds the lock to the loop.
  FrameRing ring_{std::size_t{1} << 19, FrameRing::Pages::when_used};
  Inputs inputs_{runtime_};
  std::size_t texts_ = 0;             ///< [loop] requests of texts that were taken
  std::atomic<std::int64_t> now_{0};  ///< the tick that the loop has come to
  std::atomic<bool> stopping_{false}; ///< it is on its way to rest
  std::mutex lock_;                   ///< of all that follows; never taken in the loop
  std::vector<std::byte> packed_;
  std::deque<Request> waiting_;
  std::vector<Request> taken_;
  std::size_t kept_ = 0;
  bool closed_ = false;
};

/// In a diagram that was reloaded: sets what had been set, and keeps it. Of a request that is refused now each
/// setting by itself, so that a path that is gone takes no other with it; the refused ones are listed in `anew`.
void set_again(Tuning& before, Tuning& now, std::vector<std::string>& anew);

} // namespace hilda::session
