// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/log/recorder.h"
#include "engine/modules.h"
#include "engine/session/detail/channels/channel_look.h"
#include "engine/session/detail/machine/latency_histogram.h"
#include "engine/session/detail/machine/witness.h"
#include "engine/session/detail/paced/block_timer.h"
#include "engine/session/detail/paced/realtime_signals.h"
#include "engine/session/loop_clock.h"
#include "engine/session/run_ticks.h"

#include <atomic>
#include <optional>
#include <vector>

namespace hilda::session {

/// What the operator's loop is doing. A loop that moves nothing goes from idle to running by itself.
enum class OperatorState : std::uint8_t {
  idle,     ///< devices are held where they are
  armed,    ///< the same, and the first tick follows
  running,  ///< the diagram moves them
  stopping, ///< there is a reason to end: they ramp to rest
  ended
};
const char* state_name(OperatorState state);

/// A tick that was not done when the next was due.
struct Overrun {
  std::int64_t tick = 0;
  std::int64_t took = 0; ///< ns, from the tick's beginning to the end of its work
  std::array<BlockTimer::Share, BlockTimer::shares> slowest;
  std::int64_t elsewhere = 0; ///< ns that were spent in no block: in the engine, or waiting for a processor
};

struct LoopOptions {
  std::optional<double> duration; ///< s; none: until something ends it
  bool operated = false;          ///< it moves something: held before the first tick, ramped to rest after the last
  bool armed = true;              ///< not so: it is held until the end
  double look = 0.4; ///< s, 1 at most, to look at the measured channels while devices are held, where it is
                     ///< operated; a breach of <quality> ends it then, if it is armed
  const std::atomic<bool>* interrupt = nullptr; ///< set by anyone: the operator's stop
  const std::atomic<bool>* hurry = nullptr;     ///< set by anyone: end at once, without a ramp
  Tuning* tuning = nullptr; ///< what others ask for is taken between two ticks, once it runs; null: no one does
};

/// The loop of a paced run: waits, computes, records, and measures itself. All of it but the constructor is for the
/// loop's thread.
class PacedLoop : private SendClock {
public:
  PacedLoop(Runtime& runtime, Recorder* recorder, BlockTimer& timer, RealtimeSignals& signals, const LoopClock& clock,
            const LoopOptions& options);
  void run();

  /// What anyone may look at meanwhile.
  struct View {
    std::atomic<OperatorState> state{OperatorState::idle};
    std::atomic<std::int64_t> ticks{0}, lost{0}, late{0}, overruns{0};
    std::atomic<std::int64_t> slowest_reply{0}; ///< ns; who looks sets it back
    std::atomic<bool> looked{false};            ///< from then on `look` may be read
  };
  View view;

  const ChannelLook& look() const { return look_; }

  /// From any thread: the run fails, by the ramp where it moves something. `text` lives as long as the runtime.
  void fail(const char* text) noexcept { fault_.store(text, std::memory_order_release); }

  // After run.
  SimulationResult result;
  bool moved = false;          ///< it came to its first tick
  std::int64_t cycles = 0;     ///< that the figures count: ticks, or, where nothing moved, cycles held
  std::int64_t lost = 0;       ///< see RealtimeSignals
  std::int64_t overruns = 0;   ///< some of them in `overruns_kept`
  std::int64_t unrecorded = 0; ///< ticks of which the log has nothing, not even what was acquired
  LatencyHistogram jitter, reply, compute;
  std::vector<Overrun> overruns_kept;
  std::vector<TimeSpan> late_replies; ///< some of them where there are very many
  std::int64_t late = 0;

private:
  bool hold();
  bool hold_cycle(const Beat& beat);
  void look_at_channels(bool held) noexcept;
  void note_rest();
  void run_ticks() noexcept;
  void tick() noexcept;
  void tell_pace(const Beat& beat) noexcept;
  std::int64_t overdue() noexcept override;
  Beat next_beat() noexcept;
  bool asked_to_end() noexcept;
  void end_by(SimulationResult::Reason reason, const char* text) noexcept;
  void fail_by(const char* text) noexcept;
  void measure_reply(const Beat& beat) noexcept;
  void measure_tick(const Beat& beat, std::int64_t tick) noexcept;
  void record(std::int64_t tick) noexcept;
  void enter(OperatorState state) noexcept;
  void refuse(const char* text, BlockIndex block);
  void end_early();

  Runtime& runtime_;
  RunTicks ticks_;
  Recorder* recorder_;
  BlockTimer& timer_;
  RealtimeSignals& signals_;
  LoopClock clock_;
  ChannelLook look_;
  const LoopOptions options_;
  const std::int64_t last_;
  BlockIndex pacing_block_{};
  bool device_gone_ = false;
  bool over_ = false, asked_ = false;
  bool timed_ = false;       ///< something takes what it is sent at times of the clock
  std::int64_t send_at_ = 0; ///< ns: when this tick is to be sent to it
  std::int64_t overdue_ = 0; ///< periods by which the tick before was sent too late
  std::atomic<const char*> fault_{nullptr};
  std::int64_t replied_ = 0; ///< ns: when all of the tick was sent
  std::int64_t worked_ = 0;  ///< ns: the tick before, after it was sent
  std::int64_t waits_ = 0;   ///< cycles in which a device did not know where it is
};

} // namespace hilda::session
