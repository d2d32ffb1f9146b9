#pragma once

#include "engine/model/system.h"

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

namespace hilda {

/// A piece of engine memory that holds elements of one type.
struct Span {
  void* data = nullptr;
  std::size_t count = 0; ///< elements
  hilda_element element = HILDA_F64;
  std::size_t bytes() const { return count * (element == HILDA_U8 ? 1 : 8); }
};

/// A block whose constructor throws.
struct ConstructionFault {
  BlockIndex block{};
  std::string what;
};

/// All records of a system, contiguous in the order they run, with everything that is bound to them behind each.
///
/// A record never moves. Parameters, outputs and states lie inside it, or right behind it where the diagram decides
/// their size; delay lines, whose length only configure() knows, in memory of their own.
class Memory {
public:
  /// Constructs every record in the order of `order`, writes its parameters, and binds outputs and inputs. The system
  /// must outlive this object and not be moved: records point to its texts. Throws ConstructionFault.
  /// `fence`: so many bytes of a known pattern stand before and behind each block's memory, for audits.
  Memory(const System& system, const std::vector<BlockIndex>& order, std::size_t fence = 0);
  ~Memory();
  Memory(const Memory&) = delete;
  Memory& operator=(const Memory&) = delete;

  /// After configure(): memory for the rings, whose capacities are known now. False where one is absurd.
  bool bind_rings();

  void* record(BlockIndex block) const { return records_[block]; }
  /// The layout in use: the type itself or the variant for its shapes.
  const BlockType& layout(BlockIndex block) const { return *layouts_[block]; }
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

private:
  void bind_inputs();

  struct Free {
    void operator()(void* p) const;
  };
  const System& system_;
  std::unique_ptr<char, Free> arena_;
  std::size_t arena_bytes_ = 0;
  std::vector<std::unique_ptr<double[]>> rings_;
  Indexed<BlockIndex, char*> records_;
  std::size_t fence_ = 0;
  Indexed<BlockIndex, char*> ends_; ///< of each block's memory, where there are fences
  Indexed<BlockIndex, const BlockType*> layouts_;
  Indexed<BlockIndex, bool> constructed_;
};

} // namespace hilda
