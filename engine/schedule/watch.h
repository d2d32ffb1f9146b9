#pragma once

#include "engine/plan/memory.h"

#include <cstdint>
#include <vector>

namespace hilda {

/// Looks for NaN in every output, and for NaN and infinities in every state, at every tick, in the order in which they
/// are computed, so that the first one found is the one where it arose. An infinite output may go its way, as 1/0 does
/// on the way to a saturation; a state never comes back from there.
///
/// Of a large state, such as a table that is filled row by row, one slice is looked at a tick: what it does to the loop
/// shows in an output at once.
class Watch {
public:
  void bind(const System& system, const std::vector<BlockIndex>& order, const Memory& memory);

  /// [loop]
  void check_outputs() noexcept;
  void check_states(std::int64_t tick) noexcept;
  bool broken() const noexcept { return broken_; }

  /// Where: the block and its slot.
  struct Finding {
    BlockIndex block{};
    SlotIndex slot{};
    int item = -1;
    std::size_t element = 0;
    double value = 0;
  };
  const Finding& finding() const { return finding_; }
  void clear() { broken_ = false; }

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
  };
  /// Runs under construction: those of the last record may still grow.
  struct Pieces {
    std::vector<Run> runs;
    std::size_t last = 0;   ///< first run of the last group of records
    std::vector<Run> fresh; ///< of the record at hand
  };
  static void add(Pieces& pieces, const Place& place);
  static void close_record(Pieces& pieces);
  static Set set_of(const Pieces& pieces);
  template <bool infinities> static bool any_bad(const Set& set) noexcept;
  void found(bool output) noexcept;
  Finding find(bool output) const noexcept;
  void check_slices(std::int64_t tick) noexcept;

  Set outputs_, states_;
  std::vector<Place> large_;
  std::vector<Place> output_places_, state_places_;
  bool broken_ = false;
  Finding finding_; ///< kept: on the way to rest NaN goes everywhere
};

} // namespace hilda
