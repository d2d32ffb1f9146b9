// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/modules.h"
#include "engine/run/detail/schedule/flagging.h"

#include <cstdint>
#include <vector>

namespace hilda::run {

/// Looks for NaN in every output, and for NaN and infinities in every state, at every tick, in the order in which they
/// are computed, so that the first one found is the one where it arose. An infinite output may go its way, as 1/0 does
/// on the way to a saturation; a state never comes back from there.
///
/// Of a large state, such as a table that is filled row by row, one slice is looked at a tick: what it does to the loop
/// shows in an output at once. Of a block that flags what it does not even that, before a mark has come with a number
/// that is not finite.
///
/// The result, and its time, are the same as if every value were looked at. That is not necessary: as long as all
/// values are finite, a block that flags what it does (flagging.h) cannot make another kind without a mark of the
/// processor. So without a mark only the other blocks' values are looked at. From the first infinite output on marks
/// tell nothing more: it may be passed on, or wait in a delay line, and then every value is looked at for the rest of
/// the run.
class Watch {
public:
  static constexpr std::size_t large = 1024; ///< numbers in a state that is looked at in slices

  /// `every_value`: the processor's marks are not relied on.
  void bind(const System& system, const std::vector<BlockIndex>& order, const Memory& memory, const Flagging& flagging,
            bool every_value);

  /// [loop] `marked`: the processor has marks of something that has happened since the tick began.
  void check_outputs(bool marked) noexcept;
  void check_states(std::int64_t tick, bool marked) noexcept;
  bool broken() const noexcept { return broken_; }
  /// Ticks at which every output was looked at.
  std::int64_t whole_looks() const noexcept { return whole_looks_; }
  /// [loop] Values have come that no mark shows: from now on every one is looked at.
  void look_at_every_value() noexcept { every_value_ = true; }

  /// Where: the block and its slot.
  struct Finding {
    BlockIndex block{};
    SlotIndex slot{};
    int item = -1;
    std::size_t element = 0;
    double value = 0;
  };
  const Finding& finding() const { return finding_; }
  /// States and outputs are others now: they are looked at whole at the next tick.
  void clear() { broken_ = false, fresh_ = true; }

private:
  /// Evenly spaced doubles: the same piece of a run of equal records.
  struct Run {
    const double* first = nullptr;
    std::size_t stride = 0; ///< bytes
    std::size_t count = 1;  ///< records
    std::size_t width = 1;  ///< doubles each
  };
  /// All that is looked at at one time: long runs, and the rest as a list that is walked without a branch.
  struct Set {
    std::vector<Run> runs;
    std::vector<const double*> fours, twos, ones; ///< so many neighbours from there on
  };
  struct Place {
    const double* data;
    std::size_t count;
    BlockIndex block{};
    SlotIndex slot{};
    int item;
    std::size_t first = 0; ///< of the slot's elements
  };
  /// Runs under construction: those of the last record may still grow.
  struct Pieces {
    std::vector<Run> runs;
    std::size_t last = 0;   ///< first run of the last group of records
    std::vector<Run> fresh; ///< of the record at hand
  };
  static void list_outputs(const SystemBlock& block, BlockIndex b, const Memory& memory, std::vector<Place>& places);
  static void list_states(BlockIndex b, const Memory& memory, std::vector<Place>& places);
  static void add(Pieces& pieces, const Place& place);
  static void close_record(Pieces& pieces);
  static Set set_of(const Pieces& pieces);
  template <bool infinities> static bool any_bad(const Set& set) noexcept;
  void found(bool output) noexcept;
  Finding find(bool output) const noexcept;
  bool any_large_bad() const noexcept;
  void check_slices(const std::vector<Place>& places, std::int64_t tick) noexcept;

  Set outputs_, states_;
  Set other_outputs_, other_states_; ///< of blocks that do not flag what they do
  std::vector<Place> large_, other_large_;
  std::vector<Place> output_places_, state_places_;
  bool every_value_ = false;
  bool fresh_ = true;
  std::int64_t whole_looks_ = 0;
  bool broken_ = false;
  Finding finding_; ///< kept: on the way to rest NaN goes everywhere
};

} // namespace hilda::run
