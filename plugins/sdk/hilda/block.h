// SPDX-License-Identifier: BSD-3-Clause
#ifndef HILDA_BLOCK_H
#define HILDA_BLOCK_H

// What the author of a block includes.

#if defined(__cplusplus) && __cplusplus < 202002L
#error                                                                                                                 \
    "hilda: the SDK is C++20: compile with -std=c++20, or set CMAKE_CXX_STANDARD to 20 (blocks in C need hilda/abi.h)"
#endif

#include <cmath>
#include <hilda/shape_fault.h>
#include <hilda/slots.h>
#include <string>
#include <string_view>

namespace hilda {
inline namespace sdk1 {

#define HILDA_TEXT_OF_THE_LOOP                                                                                         \
  "hilda: stop and fail take a text that exists before the loop: a literal, or words.c_str() of a std::string that "   \
  "configure has built; a number goes behind it: t.fail(\"the input is too large\", *u)"

/// Now: `t.period()` is the block's sample time, `t.index()` counts its own samples, `t.time()` is exact.
class Tick {
public:
  Tick(const hilda_tick* tick, const void* record) : tick_(tick), record_(record) {}
  double time() const { return tick_->time; }
  double period() const { return tick_->period; }
  std::int64_t index() const { return tick_->index; }
  /// at a solver's minor step, between two ticks
  bool minor() const { return tick_->minor != 0; }
  /// at a minor step whose crossings are located: a block computes as the sides of its crossings say
  bool located() const {
    constexpr std::size_t needed = offsetof(hilda_tick, located) + sizeof(tick_->located);
    return tick_->size >= needed && tick_->located != 0;
  }
  /// Ends the run after this tick as planned. The text is copied, up to 511 bytes of it.
  void stop(const char* text, double value = NAN) const { end(HILDA_STOP, text, value); }
  /// Ends the run after this tick as failed (exit code 3). The text is copied, up to 511 bytes of it.
  void fail(const char* text, double value = NAN) const { end(HILDA_FAIL, text, value); }

  /// Not a std::string: to build one in the loop would allocate.
  template <typename Text>
  requires(std::is_convertible_v<const Text&, std::string_view> &&
           !std::is_convertible_v<const Text&, const char*>) void stop(const Text&, double = NAN) const {
    static_assert(detail::never<Text>, HILDA_TEXT_OF_THE_LOOP);
  }
  template <typename Text>
  requires(std::is_convertible_v<const Text&, std::string_view> &&
           !std::is_convertible_v<const Text&, const char*>) void fail(const Text&, double = NAN) const {
    static_assert(detail::never<Text>, HILDA_TEXT_OF_THE_LOOP);
  }

private:
  void end(std::int32_t verdict, const char* text, double value) const {
    hilda_control& c = *tick_->control;
    if (c.verdict >= verdict) return;
    c.verdict = verdict, c.record = record_, c.text = detail::kept_text(text), c.value = value;
  }
  const hilda_tick* tick_;
  const void* record_;
};
#undef HILDA_TEXT_OF_THE_LOOP

/// The crossings of a block that have changed their signs at one time; none where steps restart.
class Fired {
public:
  Fired(const hilda_fired* items, std::uint64_t count) : items_(items), count_(count) {}
  /// Steps restart here: the block takes its modes from its inputs and states as they are.
  bool none() const { return count_ == 0; }
  /// 1 where element `i` of the crossing has become positive, -1 negative, 0 where it has not changed.
  template <typename C> int direction(const C& of, Eigen::Index i = 0) const {
    for (std::uint64_t each = 0; each < count_; ++each)
      if (items_[each].crossing == of.distances() + i) return items_[each].direction;
    return 0;
  }

private:
  const hilda_fired* items_;
  std::uint64_t count_;
};

/// What a block learns about itself before the first tick.
class Instance {
public:
  explicit Instance(const hilda_instance* instance) : instance_(instance) {}
  const char* path() const { return instance_->path; }
  double period() const { return instance_->period; }
  bool continuous() const { return instance_->continuous != 0; }
  bool simulated() const { return instance_->simulated != 0; }
  /// Different for each block, the same in every run: from the block's path and a seed parameter.
  std::uint64_t seed(std::uint64_t parameter) const { return instance_->seed ^ (parameter * 0x9E3779B97F4A7C15u); }
  /// Reports an error of a parameter or port (null: of the block as a whole). It becomes a diagnostic with file and
  /// line; write what to do about it. Not in the loop.
  void report(const char* slot, const std::string& text) const {
    instance_->report(instance_->engine, slot, text.c_str());
  }
  /// Reports a warning, with file and line; the block continues. Programs of 0.1 do not show it.
  void warn(const char* slot, const std::string& text) const {
    constexpr std::size_t needed = offsetof(hilda_instance, warn) + sizeof(instance_->warn);
    if (instance_->size >= needed && instance_->warn != nullptr) instance_->warn(instance_->engine, slot, text.c_str());
  }

private:
  const hilda_instance* instance_;
};

/// Gives values to dimensions that depend on a file.
class Inference {
public:
  explicit Inference(const hilda_inference* inference) : inference_(inference) {}
  void dimension(const char* name, std::int64_t value) const { inference_->dimension(inference_->engine, name, value); }
  void item_shape(const char* slot, std::uint64_t index, std::int64_t rows, std::int64_t cols) const {
    inference_->item_shape(inference_->engine, slot, index, rows, cols);
  }

private:
  const hilda_inference* inference_;
};

/// After the run: figures and tables for the summary.
class Summary {
public:
  explicit Summary(const hilda_summary_sink* sink) : sink_(sink) {}
  void number(const char* key, double value, const char* unit = "1") const {
    sink_->number(sink_->engine, key, value, unit);
  }
  void text(const char* key, const char* value) const { sink_->text(sink_->engine, key, value); }
  void begin_row(const char* table) const { sink_->begin_row(sink_->engine, table); }
  void end_row() const { sink_->end_row(sink_->engine); }

private:
  const hilda_summary_sink* sink_;
};

/// What a device that paces the loop answers to `await_cycle`.
struct Cycle {
  hilda_cycle_kind kind = HILDA_CYCLE_LATE;
  std::int64_t arrival = 0; ///< ns, CLOCK_MONOTONIC: when the cycle's packet was there
};

namespace detail {
/// Set before any other code of the plugin runs; null in programs of 0.1.
inline const hilda_host* host = nullptr;
} // namespace detail

/// The program that has loaded the plugin: "0.1.0"; empty where it does not say.
inline const char* host_version() { return detail::host != nullptr ? detail::host->version : ""; }
/// What that program knows of the boundary: minor version, HILDA_ABI_MINOR of its headers.
inline std::uint32_t host_abi_minor() { return detail::host != nullptr ? detail::host->abi_minor : 0; }

/// A block: its members declare its ports, parameters and states, its overrides are its phases. Only the phases that
/// a type overrides exist for the engine. Constructors must be pure: one prototype a type is made to read the members.
class Block {
public:
  Block() = default;
  Block(const Block&) = delete;
  Block& operator=(const Block&) = delete;
  virtual ~Block() = default;

  // Before the first tick.
  virtual bool feeds_through(const Instance&) const {
    return true;
  }                                                        ///< through its `conditional` slots; parameters are set
  virtual void infer(const Instance&, const Inference&) {} ///< shapes that depend on a file
  virtual void configure(const Instance&) {}  ///< all is known; may allocate and read files, touches no device
  virtual void prepare(const Instance&) {}    ///< what follows from parameters alone; in the loop where they are live
  virtual void initialize(const Instance&) {} ///< sets the state; before tick 0 and at every reset, then in the loop
  virtual void start(const Instance&) {}      ///< connects; time-limited
  virtual void stop() {}
  virtual void summarize(const Summary&) const {} ///< after the run

  // In the loop: no allocation, lock, system call or exception.
  virtual void prime(const Tick&) {}                 ///< reads the inputs marked `primes`, before the first outputs
  virtual void acquire(const Tick&) {}               ///< driver blocks alone
  virtual void state_output(const Tick&) {}          ///< computes the outputs marked `from_state`
  virtual void output(const Tick&) {}                ///< computes the others; leaves the state alone
  virtual void emit(const Tick&) {}                  ///< driver blocks alone
  virtual void update(const Tick&) {}                ///< carries the state to the next tick
  virtual void output_and_update(const Tick&) {}     ///< both in one, with the same bits; called where that is possible
  virtual void derivative(const Tick&) {}            ///< writes dot() of every ContinuousState
  virtual void project(const Tick&) {}               ///< brings continuous states back onto their manifold
  virtual void event(const Tick&, const Fired&) {}   ///< some of its crossings have changed their signs, between ticks
  virtual double stored_energy() const { return 0; } ///< J, between the outputs and the updates of a tick

  // State that cannot be a member State<T>, such as that of a library: both or none. Not in the loop.
  /// All of it as bytes, for a checkpoint.
  virtual std::string save_state() const { return {}; }
  /// What save_state gave, of this block or another of the same parameters. False: these bytes are of something else.
  virtual bool load_state(std::string_view /*bytes*/) { return true; }

  // Devices alone.
  /// s a cycle, where this device, as configured, paces the loop; else 0. Goes with `await_cycle`.
  virtual double cycle_period() const { return 0; }
  /// Waits for the device's next cycle, in one system call that ends at `deadline` (ns, CLOCK_MONOTONIC) at the latest.
  virtual Cycle await_cycle(std::int64_t /*deadline*/) { return {}; }
  /// How many cycles in a row the loop waits for before it continues by itself, where the device counts its cycles;
  /// else 0. `await_cycle` then returns HILDA_CYCLE_LATE at once for each cycle that was missed, and after them the one
  /// that came.
  virtual std::int64_t patience() const { return 0; }
  /// The value of the actuation input `input` for which the device stays where it is. False: not known yet.
  virtual bool rest(std::string_view /*input*/, double* /*value*/) const { return false; }
  /// What became of the value that the actuation input `input` brought last, from measurement outputs alone. Goes with
  /// `rest`.
  virtual hilda_fate fate_of(std::string_view /*input*/) const { return HILDA_FATE_UNSAID; }
};

} // namespace sdk1
} // namespace hilda

#include <hilda/plugin.h>

#endif
