// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/log/recorder.h"
#include "engine/modules.h"
#include "engine/run/runtime.h"
#include "engine/session/detail/live/inputs/input_past.h"
#include "engine/session/input.h"

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace hilda::session {

/// All inputs of a runtime that programs write, and their way into its records. Tuning owns them; calls without a mark
/// are made under its lock.
///
/// What was written waits until the next tick. Before it all of it goes into the records, each block prepares once, and
/// the log gets one event with all of it (Recorder::begin_numbers). Nothing is allocated there.
class Inputs {
public:
  /// Bytes that all inputs together may take in the log at one tick.
  static constexpr std::size_t largest_event = std::size_t{1} << 18;

  explicit Inputs(Runtime& runtime) : runtime_(runtime), base_(runtime.base().value()) {}
  ~Inputs() { close(); }
  Inputs(const Inputs&) = delete;
  Inputs& operator=(const Inputs&) = delete;

  /// The input of this path, which is made where there is none yet. Null after errors: those of find_input, and
  /// live-size: all together take more than the log holds; input-shared: another one writes the same.
  std::shared_ptr<Input> open(const std::string& path, Diagnostics& diagnostics, Location where);
  /// No input can be written any more.
  void close();
  const std::vector<std::shared_ptr<Input>>& all() const { return all_; }
  /// The input of this path, or null.
  std::shared_ptr<Input> find(std::string_view path) const;
  bool has(const Input& input) const noexcept { return input.owner_.load(std::memory_order_relaxed) == this; }
  /// The input that writes this parameter of a block, or null.
  Input* writer_of(const BlockParameter& parameter) const;

  /// [loop] Takes what waits. False: the log has no room for it yet, and it waits on.
  bool apply(Recorder* recorder, std::size_t texts_before) noexcept;
  /// [loop] Does anything wait?
  bool waits() const noexcept { return first_ != nullptr; }
  /// [loop] It will be taken before the next tick.
  void wait(Input& input) noexcept;
  /// [loop] Would it move no faster than its rate? From the numbers that its record has now.
  bool within_rate(const Input& input, std::span<const double> numbers) const noexcept;
  /// The same from the numbers that the loop took last, for another thread: `waits`: what will change it by then waits
  /// for the loop. Under Tuning's lock.
  bool within_rate(const Input& input, std::span<const double> numbers, std::int64_t now, bool waits) const;
  /// The tick before which an input that this rate limits was changed last; the lowest number: none was.
  std::int64_t moved(const std::string& rated) const noexcept;
  /// [loop] The run continues from another past: what moved later than now has not moved.
  void forget_moves() noexcept;
  /// Numbers for it were posted.
  static void note_post(Input& input) { ++input.posts_; }
  /// [loop] Is the run on its way to its end?
  bool ends() const noexcept { return runtime_.stopping(); }
  /// [loop] Another way than this has changed what these inputs write.
  void look_again(const std::vector<Input*>& inputs) noexcept;
  /// [loop] Stages numbers that it takes (see Input::look).
  void stage(Input& input, std::span<const double> numbers) noexcept;
  /// [loop] Stages words as they were recorded, from this element on. False: it has no such elements.
  bool stage(Input& input, std::size_t first, std::span<const std::uint64_t> words) noexcept;
  /// [loop] What was posted by another thread: see `packed`.
  void stage(std::span<const std::byte> packed) noexcept;
  /// The same numbers as bytes for a ring.
  static void pack(std::span<const InputNumbers> numbers, std::vector<std::byte>& bytes);

  /// Has the loop taken numbers that the system's texts do not have? They have them after `text`.
  static bool unsettled(const Input& input) noexcept;
  /// The numbers that the loop took last, as a setting has them, and the first tick that had others than the texts.
  static std::string text(Input& input, std::int64_t& since);
  static std::shared_ptr<LiveRequest>& settled_as(Input& input) { return input.settled_as_; }

  /// [loop] The numbers of all inputs, as they are.
  std::vector<std::uint64_t> snapshot() const;
  /// [loop] Puts them back, of those inputs that it has; neither logged nor remembered.
  void put(const std::vector<std::uint64_t>& snapshot) noexcept;
  /// From now on written values are remembered, for the way back.
  void remember();
  InputPast& past() { return past_; }
  const InputPast& past() const { return past_; }

private:
  bool note(Recorder& recorder) noexcept;
  bool differs(const Input& input) const noexcept;
  void store(Input& input) noexcept;
  void show(Input& input) noexcept;
  static std::uint64_t read_shown(const Input& input, std::span<std::uint64_t> words) noexcept;
  void prepare() noexcept;
  void make_room();

  Runtime& runtime_;
  const double base_; ///< s, a tick
  std::vector<std::shared_ptr<Input>> all_;
  std::size_t bytes_ = 0; ///< of the largest event
  bool remembers_ = false;
  // the loop's own, made with the first input
  Input *first_ = nullptr, *last_ = nullptr; ///< those that wait, in the order in which they were written
  std::vector<BlockIndex> blocks_;           ///< that prepare
  std::size_t preparing_ = 0;                ///< of these
  std::vector<unsigned char> prepares_;      ///< by block
  InputPast past_;
};

} // namespace hilda::session
