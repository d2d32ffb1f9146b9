// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/diagram/system.h"
#include "engine/modules.h"
#include "engine/run/detail/plan/lane_groups.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace hilda::run {

/// A piece of engine memory that holds elements of one type.
struct Span {
  void* data = nullptr;
  std::size_t count = 0; ///< elements
  hilda_element element = HILDA_F64;
  /// From an element to the next, in elements: more than 1 for states and parameters of a group of lanes.
  std::size_t step = 1;

  std::size_t width() const { return element == HILDA_U8 ? 1 : 8; }
  std::size_t bytes() const { return count * width(); }
  void* at(std::size_t i) const { return static_cast<char*>(data) + i * step * width(); }
  /// Calls `piece(place, bytes)` for what lies in a row: all of it, or element by element.
  template <typename Piece> void pieces(Piece&& piece) const {
    if (step == 1) return piece(data, bytes());
    for (std::size_t i = 0; i < count; ++i) piece(at(i), width());
  }
};

/// A block whose constructor throws, or leaves another floating-point mode behind (`what` is then empty).
struct ConstructionFault {
  BlockIndex block{};
  std::string what;
};

/// Canaries between records that are no longer whole. What breaks them in a row begins at one side of it.
struct MemoryOverrun {
  BlockIndex behind; ///< this block has written behind its own memory
  BlockIndex before; ///< or this one before its own; only one of both may be valid
};

/// All records of a system, contiguous in the order they run, with everything that is bound to them behind each.
///
/// A record never moves. Parameters, outputs and states lie inside it, or right behind it where the diagram decides
/// their size; delay lines, whose length only configure() knows, lie in separate memory. Those of a group of lanes lie
/// in one another.
class Memory {
public:
  /// Constructs every record in the order of `order`, writes its parameters, and binds outputs and inputs. The system
  /// must outlive this object and not be moved: records point to its texts. Throws ConstructionFault.
  /// `fence`: so many bytes of a known pattern lie before and behind each block's memory, for audits.
  /// `groups`: blocks that lie in one another, neighbours in `order`; none where there are fences.
  Memory(const System& system, const std::vector<BlockIndex>& order, std::size_t fence = 0,
         std::vector<LaneGroup> groups = {});
  ~Memory();
  Memory(const Memory&) = delete;
  Memory& operator=(const Memory&) = delete;

  /// After configure(): memory for the rings, whose capacities are known now. False where one is absurd.
  bool bind_rings();

  void* record(BlockIndex block) const { return records_[block]; }
  /// The layout in use: the type itself or the variant for its shapes.
  const BlockType& layout(BlockIndex block) const { return *layouts_[block]; }
  /// The group in which the block lies, or null.
  const LaneGroup* group(BlockIndex block) const { return groups_.empty() ? nullptr : group_of_[block]; }
  /// Elements of an output, parameter, state or work slot; of a continuous state its value.
  Span span(BlockIndex block, SlotIndex slot, int item = -1) const;
  /// The derivative of a continuous state; of a crossing that is work its sides.
  Span second(BlockIndex block, SlotIndex slot) const;
  /// Where an input points to, or null.
  const void* source(BlockIndex block, SlotIndex slot, int item = -1) const;
  /// Points an input elsewhere: for the safety stage and for audits.
  void redirect(BlockIndex block, SlotIndex slot, int item, const void* data);
  const hilda_ring* ring(BlockIndex block, SlotIndex slot) const;

  std::size_t bytes() const { return arena_bytes_; }
  /// Are the bytes around a block's memory as they were? Puts them back where they are not. True without fences.
  bool fences_whole(BlockIndex block);
  /// Without fences: the first canaries that a block has overwritten. Another thread may ask, and a signal handler.
  std::optional<MemoryOverrun> overrun() const noexcept;
  /// Makes all canaries whole again.
  void mend_canaries() noexcept;

private:
  /// Where the record of each block begins in the arena; makes the arena.
  Indexed<BlockIndex, std::size_t> lay_out(const std::vector<BlockIndex>& order);
  /// Places the words between the last block and the next at `end`; either may be none. Returns where they end.
  std::size_t place_canaries(std::size_t end, BlockIndex last, BlockIndex next, std::size_t align);
  void construct(BlockIndex block);
  void bind_inputs();
  void write_apart(BlockIndex block);

  struct Free {
    void operator()(void* p) const;
  };
  /// A word right behind or before a block's memory.
  struct Canary {
    std::size_t offset; ///< in the arena
    BlockIndex block;
    bool behind;
  };
  std::uint64_t& word(const Canary& canary) const noexcept;
  const System& system_;
  std::unique_ptr<char, Free> arena_;
  std::size_t arena_bytes_ = 0;
  std::vector<std::unique_ptr<double[]>> rings_;
  Indexed<BlockIndex, char*> records_;
  std::size_t fence_ = 0;
  Indexed<BlockIndex, char*> ends_; ///< of each block's memory, where there are fences
  Indexed<BlockIndex, const BlockType*> layouts_;
  std::vector<LaneGroup> groups_;
  Indexed<BlockIndex, const LaneGroup*> group_of_; ///< empty where there is none
  Indexed<BlockIndex, bool> constructed_;
  std::vector<Canary> canaries_; ///< in the order of their places; none where there are fences
};

} // namespace hilda::run
