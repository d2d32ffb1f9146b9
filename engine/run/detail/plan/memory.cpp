// SPDX-License-Identifier: BSD-3-Clause
#include "engine/run/memory.h"

#include "engine/base/budget.h"
#include "engine/base/process_watch.h"
#include "engine/plugin/block_code.h"
#include "engine/plugin/floating_point.h"
#include "engine/plugin/own_type.h"
#include "engine/plugin/parameter_record.h"
#include "engine/run/layout.h"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <iterator>
#include <new>
#include <sys/mman.h>
#include <utility>

namespace hilda::run {

namespace {

constexpr char pattern = 0x5A; ///< of fences
/// As a number it is NaN: a block that reads behind its memory shows, too.
constexpr std::uint64_t canary_word = 0x7FF85A5A5A5A5A5A;
/// Blocks. In a larger system the words lie between blocks of different types alone, since memory is what limits it.
constexpr std::size_t most_guarded_each = 4096;
constexpr std::size_t lane_cell = 8;

std::size_t vector_bytes(const LaneGroup& lanes) { return lane_cell * lanes.functions->width; }

template <typename T> T* at(void* record, std::uint64_t offset) {
  return reinterpret_cast<T*>(static_cast<char*>(record) + offset);
}

std::size_t elements(const hilda_array& array) {
  return static_cast<std::size_t>(array.rows) * static_cast<std::size_t>(array.cols);
}

/// Where there are fences, a page that no one may touch lies behind each: who writes on and on is stopped there, within
/// its own call, and not where it meets what others need to say so.
constexpr std::size_t page = 4096;
constexpr std::size_t most_guarded = 8192; // blocks; each takes two mappings, of which a process has some ten thousand

void protect_pages(const Indexed<BlockIndex, char*>& ends, std::size_t fence, int protection) {
  if (ends.size() > most_guarded) return;
  for (char* const end : ends) {
    if (end == nullptr) continue;
    const auto behind = reinterpret_cast<std::uintptr_t>(end + fence);
    mprotect(end + fence + (page - behind % page) % page, page, protection);
  }
}

#if defined(__SANITIZE_ADDRESS__)
// The sanitizer looks for leaks in its own allocator's memory alone, and guards it.
char* make_arena(std::size_t bytes) { return zeroed_memory(bytes); }
void free_arena(void* memory) { std::free(memory); }
#else

/// At the beginning of the pages of an arena.
struct ArenaPages {
  std::size_t bytes;
};

/// Zeroed memory that ends at the beginning of a page without access, and has another such page before it: a block that
/// writes on and on is stopped within its own call, before it overwrites the data that others need to name it.
char* make_arena(std::size_t bytes) {
  constexpr std::size_t cache_line = 64;
  const std::size_t used = (bytes + cache_line - 1) / cache_line * cache_line + cache_line;
  const std::size_t pages = (used + page - 1) / page * page;
  const std::size_t whole = 2 * page + pages + page;
  void* const mapped = mmap(nullptr, whole, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (mapped == MAP_FAILED) throw std::bad_alloc();
  auto* const begin = static_cast<char*>(mapped);
  if (mprotect(begin, page, PROT_READ | PROT_WRITE) != 0 ||
      mprotect(begin + 2 * page, pages, PROT_READ | PROT_WRITE) != 0) {
    munmap(mapped, whole);
    throw std::bad_alloc();
  }
  new (mapped) ArenaPages{whole};
  return begin + 2 * page + (pages - used);
}

void free_arena(void* memory) {
  const auto at = reinterpret_cast<std::uintptr_t>(memory);
  auto* const begin = static_cast<char*>(memory) - at % page - 2 * page;
  munmap(begin, reinterpret_cast<const ArenaPages*>(begin)->bytes);
}
#endif

} // namespace

void Memory::Free::operator()(void* p) const { free_arena(p); }

Memory::Memory(const System& system, const std::vector<BlockIndex>& order, std::size_t fence,
               std::vector<LaneGroup> groups)
    : system_(system), fence_(fence), groups_(std::move(groups)) {
  const std::size_t n = system.blocks.size();
  records_.assign(n, nullptr);
  layouts_.assign(n, nullptr);
  constructed_.assign(n, false);
  group_of_.assign(groups_.empty() ? 0 : n, nullptr);
  for (const LaneGroup& each : groups_)
    for (const BlockIndex i : each.blocks) group_of_[i] = &each;
  const Indexed<BlockIndex, std::size_t> offsets = lay_out(order);
  for (const BlockIndex i : order) {
    records_[i] = arena_.get() + offsets[i];
    construct(i);
  }
  bind_inputs();
}

Indexed<BlockIndex, std::size_t> Memory::lay_out(const std::vector<BlockIndex>& order) {
  const std::size_t n = system_.blocks.size();
  Indexed<BlockIndex, std::size_t> offsets(n, 0);
  Indexed<BlockIndex, std::size_t> lengths(fence_ > 0 ? n : 0, 0);
  std::size_t end = 0;
  BlockIndex before, last;
  for (const BlockIndex i : order) {
    const SystemBlock& block = system_.blocks[i];
    const LaneGroup* const lanes = group(i);
    layouts_[i] = lanes != nullptr ? lanes->layout : &best_layout(block);
    const hilda_block_type& type = *layouts_[i]->abi;
    if (lanes != nullptr && lanes->blocks.front() != i) {
      offsets[i] = offsets[std::exchange(before, i)] + lane_cell;
      continue;
    }
    const std::size_t align = std::max<std::size_t>(type.record_align, lanes != nullptr ? vector_bytes(*lanes) : 8);
    before = i;
    if (fence_ == 0 && (n <= most_guarded_each || !last.valid() || layouts_[last] != layouts_[i]))
      end = place_canaries(end, last, i, align);
    last = i;
    end += fence_;
    end = (end + align - 1) / align * align;
    offsets[i] = end;
    end += (type.record_size + 7) / 8 * 8 + behind_bytes(block, *layouts_[i]);
    if (fence_ > 0) lengths[i] = end - offsets[i];
    end += fence_ > 0 ? fence_ + 2 * page : 0;
  }
  if (fence_ == 0) end = place_canaries(end, last, {}, 1);
  arena_bytes_ = end;
  arena_.reset(make_arena(end));
  mend_canaries();
  if (fence_ == 0) return offsets;
  ends_.assign(n, nullptr);
  for (const BlockIndex i : ends_.indices()) {
    ends_[i] = arena_.get() + offsets[i] + lengths[i];
    std::memset(ends_[i], pattern, fence_);
    std::memset(arena_.get() + offsets[i] - fence_, pattern, fence_);
  }
  protect_pages(ends_, fence_, PROT_NONE);
  return offsets;
}

std::size_t Memory::place_canaries(std::size_t end, BlockIndex last, BlockIndex next, std::size_t align) {
  constexpr std::size_t bytes = sizeof canary_word;
  if (last.valid()) canaries_.push_back({end, last, true}), end += bytes;
  if (!next.valid()) return end;
  end = (end + bytes + align - 1) / align * align;
  canaries_.push_back({end - bytes, next, false});
  return end;
}

std::uint64_t& Memory::word(const Canary& canary) const noexcept {
  return *reinterpret_cast<std::uint64_t*>(arena_.get() + canary.offset);
}

std::optional<MemoryOverrun> Memory::overrun() const noexcept {
  const auto broken = [this](const Canary& canary) { return word(canary) != canary_word; };
  const auto first = std::find_if(canaries_.begin(), canaries_.end(), broken);
  if (first == canaries_.end()) return std::nullopt;
  const auto last = std::prev(std::find_if_not(first, canaries_.end(), broken));
  MemoryOverrun found;
  if (first->behind) found.behind = first->block;
  if (!last->behind) found.before = last->block;
  if (!found.behind.valid() && !found.before.valid()) found.behind = last->block; // of both sides of one block
  return found;
}

void Memory::mend_canaries() noexcept {
  for (const Canary& canary : canaries_) word(canary) = canary_word;
}

void Memory::construct(BlockIndex i) {
  const SystemBlock& block = system_.blocks[i];
  const BlockType& layout = *layouts_[i];
  char* const record = records_[i];
  if (layout.abi->construct != nullptr) {
    const RunningMark mark(code_of(block, "construct"));
    const FloatingPointMode mode = FloatingPointMode::current();
    try {
      layout.abi->construct(record);
    } catch (const std::exception& thrown) { throw ConstructionFault{i, thrown.what()}; } catch (...) {
      throw ConstructionFault{i, "what is not a std::exception"};
    }
    if (!(FloatingPointMode::current() == mode)) {
      mode.restore();
      throw ConstructionFault{i, ""};
    }
  }
  bind_own_type(layout, record);
  constructed_[i] = true;
  bind_behind(record, record + (layout.abi->record_size + 7) / 8 * 8, block, layout);
  if (group(i) != nullptr)
    write_apart(i);
  else
    write_parameters(record, block, layout);
}

/// The parameters of a block in a group.
void Memory::write_apart(BlockIndex block) {
  for (const ParameterValue& p : system_.blocks[block].parameters) {
    const Slot& slot = layouts_[block]->slots[p.slot];
    Span to = span(block, p.slot);
    if (slot.element == HILDA_CHOICE) to.count = 1;
    std::vector<std::byte> numbers(to.bytes());
    write_numbers(numbers.data(), to.count, slot, p.value);
    for (std::size_t i = 0; i < to.count; ++i) std::memcpy(to.at(i), &numbers[i * to.width()], to.width());
  }
}

bool Memory::fences_whole(BlockIndex block) {
  if (fence_ == 0) return true;
  bool whole = true;
  for (char* fence : {records_[block] - fence_, ends_[block]}) {
    if (std::all_of(fence, fence + fence_, [](char c) { return c == pattern; })) continue;
    std::memset(fence, pattern, fence_);
    whole = false;
  }
  return whole;
}

Memory::~Memory() {
  // What runs next in this process must not compute with what a destructor leaves behind.
  const FloatingPointMode mode = FloatingPointMode::current();
  const ProcessWatch watch; // likewise
  for (const BlockIndex i : records_.indices()) {
    if (!constructed_[i] || layouts_[i]->abi->destroy == nullptr) continue;
    const SystemBlock& block = system_.blocks[i];
    const RunningMark mark(code_of(block, "destroy"));
    layouts_[i]->abi->destroy(records_[i]);
  }
  if (mode.changed()) mode.restore();
  protect_pages(ends_, fence_, PROT_READ | PROT_WRITE);
}

void Memory::bind_inputs() {
  for (const Wire& wire : system_.wires) {
    const Span source = span(wire.from.block, wire.from.slot, wire.from.item);
    const std::size_t width = source.element == HILDA_U8 ? 1 : 8;
    redirect(wire.to.block, wire.to.slot, wire.to.item,
             static_cast<char*>(source.data) + static_cast<std::size_t>(wire.offset) * width);
  }
}

bool Memory::bind_rings() {
  constexpr std::uint64_t most = std::uint64_t{1} << 27U; // 1 GiB of numbers in one delay line is a slip
  const std::uint64_t all = budget().memory > 0 ? budget().memory / sizeof(double) : ~std::uint64_t{0} / 2;
  std::uint64_t numbers = 0; // many that are bearable may be too much together
  bool bearable = true;
  std::vector<std::pair<hilda_ring*, std::uint64_t>> found;
  for (const BlockIndex i : records_.indices())
    for (const SlotIndex s : layouts_[i]->slots.indices()) {
      const Slot& slot = layouts_[i]->slots[s];
      if (!slot.is(HILDA_RING)) continue;
      auto* ring = at<hilda_ring>(records_[i], slot.offset);
      const SignalType& type = system_.blocks[i].slot_types[s];
      ring->rows = type.rows, ring->cols = type.cols;
      const std::uint64_t width = type.elements();
      const auto capacity = static_cast<std::uint64_t>(std::max<std::int64_t>(ring->capacity, 0));
      bearable = bearable && ring->capacity >= 0 && (width == 0 || capacity <= most / width);
      if (bearable) numbers += capacity * width;
      bearable = bearable && numbers <= all;
      found.emplace_back(ring, capacity * width);
    }
  for (const auto& [ring, count] : found) {
    if (!bearable) break;
    rings_.push_back(std::make_unique<double[]>(count + 1));
    ring->data = rings_.back().get();
  }
  return bearable;
}

Span Memory::span(BlockIndex block, SlotIndex slot, int item) const {
  const Slot& s = layouts_[block]->slots[slot];
  void* record = records_[block];
  if (s.is(HILDA_RING)) {
    const auto* ring = at<hilda_ring>(record, s.offset);
    return {ring->data, static_cast<std::size_t>(ring->capacity * ring->rows * ring->cols), HILDA_F64};
  }
  if (s.is(HILDA_REPEATED)) {
    const auto* arrays = at<hilda_arrays>(record, s.offset);
    const hilda_array& a = arrays->items[item];
    return {a.data, elements(a), s.element};
  }
  if (s.is(HILDA_BOUND)) {
    const auto* a = at<hilda_array>(record, s.offset);
    return {a->data, elements(*a), s.element};
  }
  const LaneGroup* const lanes = group(block);
  return {at<char>(record, s.offset), fixed_count(s), s.element, lanes != nullptr ? lanes->functions->width : 1};
}

Span Memory::second(BlockIndex block, SlotIndex slot) const {
  const Slot& s = layouts_[block]->slots[slot];
  Span value = span(block, slot);
  value.data = s.is(HILDA_BOUND) ? at<hilda_array>(records_[block], s.second_offset)->data
                                 : at<char>(records_[block], s.second_offset);
  return value;
}

const void* Memory::source(BlockIndex block, SlotIndex slot, int item) const {
  const Slot& s = layouts_[block]->slots[slot];
  if (s.is(HILDA_REPEATED)) return at<hilda_views>(records_[block], s.offset)->items[item].data;
  if (s.is(HILDA_BOUND)) return at<hilda_view>(records_[block], s.offset)->data;
  return *at<const void*>(records_[block], s.offset);
}

void Memory::redirect(BlockIndex block, SlotIndex slot, int item, const void* data) {
  const Slot& s = layouts_[block]->slots[slot];
  if (s.is(HILDA_REPEATED))
    const_cast<hilda_view*>(at<hilda_views>(records_[block], s.offset)->items)[item].data = data;
  else if (s.is(HILDA_BOUND))
    at<hilda_view>(records_[block], s.offset)->data = data;
  else
    *at<const void*>(records_[block], s.offset) = data;
}

const hilda_ring* Memory::ring(BlockIndex block, SlotIndex slot) const {
  return at<hilda_ring>(records_[block], layouts_[block]->slots[slot].offset);
}

} // namespace hilda::run
