// SPDX-License-Identifier: BSD-3-Clause
#ifndef HILDA_TESTING_RECORD_H
#define HILDA_TESTING_RECORD_H

// One instance of a block in separate memory, every piece of which has a fence behind it.

#include <cstdint>
#include <hilda/lanes.h>
#include <hilda/testing/calls.h>
#include <hilda/testing/parameters.h>
#include <memory>
#include <new>
#include <sys/mman.h>

namespace hilda::testing {

/// Where a slot, or one item of a repeated port, has its elements.
struct Piece {
  const hilda_slot* slot = nullptr;
  int item = -1;
  Shape shape;
  void* data = nullptr;       ///< of an input: what the test drives it with
  void* derivative = nullptr; ///< of a continuous state
  hilda_ring* ring = nullptr;
  std::size_t bytes() const { return static_cast<std::size_t>(shape.count()) * element_size(*slot); }
  std::string name() const { return item_name(*slot, item); }
};

/// Memory of one instance. A fence of known bytes lies before and behind each piece: a block that writes beyond its own
/// is found. Behind the fences lie pages without access, so that one that writes far beyond crashes right there.
class Fenced {
public:
  void* take(std::size_t bytes, std::size_t align = 64) {
    constexpr std::size_t most = std::size_t{1} << 32;
    if (bytes > most) throw Impossible("it needs " + std::to_string(bytes >> 20) + " MiB for one piece of its memory");
    const std::size_t before = (fence + align - 1) / align * align;
    const std::size_t whole = (before + bytes + fence + page - 1) / page * page;
    const std::size_t reach = align > page ? align : page; // both guards; a page is aligned for all that is smaller
    void* const mapped =
        mmap(nullptr, whole + 2 * reach, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (mapped == MAP_FAILED) throw std::bad_alloc();
    const auto at = (reinterpret_cast<std::uintptr_t>(mapped) + reach) / reach * reach;
    auto* const memory = reinterpret_cast<unsigned char*>(at);
    pieces_.push_back({std::unique_ptr<void, Unmap>(mapped, Unmap{whole + 2 * reach}), memory, before, bytes, whole});
    if (mprotect(memory, whole, PROT_READ | PROT_WRITE) != 0) throw std::bad_alloc();
    std::memset(memory, mark, whole);
    std::memset(memory + before, 0, bytes);
    return memory + before;
  }
  static constexpr std::uint64_t eight_marks = 0xA5A5A5A5A5A5A5A5;
  bool whole() const {
    for (const Piece& piece : pieces_)
      for (std::size_t i = 0; i < piece.whole; ++i)
        if ((i < piece.before || i >= piece.before + piece.bytes) && piece.memory[i] != mark) return false;
    return true;
  }

private:
  static constexpr std::size_t fence = 64, page = 4096;
  static constexpr unsigned char mark = eight_marks & 0xff;
  struct Unmap {
    std::size_t bytes;
    void operator()(void* memory) const { munmap(memory, bytes); }
  };
  struct Piece {
    std::unique_ptr<void, Unmap> mapped;
    unsigned char* memory;
    std::size_t before, bytes, whole;
  };
  std::vector<Piece> pieces_;
};

/// A record with everything that the engine would bind to it.
class Record {
public:
  Record(const Type& type, const Setup& setup, std::map<std::string, Value>& parameters, Shapes& shapes,
         bool with_ports)
      : setup_(setup), shapes_(shapes), apart_(apart(type)),
        record_(static_cast<char*>(
            memory_.take(type.table().record_size, std::max<std::size_t>(64, type.table().record_align)))) {
    if (type.table().construct != nullptr) detail::call_phase("construct", [&] { type.table().construct(record_); });
    built_ = std::unique_ptr<void, Destroy>(record_, Destroy{type.table().destroy});
    for (const hilda_slot& slot : type.slots()) {
      if (slot.role == HILDA_PARAMETER) bind_parameter(slot, parameters[slot.name]);
      if (slot.role == HILDA_PARAMETER || !with_ports) continue;
      if (has(slot, HILDA_REPEATED))
        bind_repeated(slot);
      else if (has(slot, HILDA_RING))
        pieces_.push_back({&slot, -1, {}, nullptr, nullptr, at<hilda_ring>(slot.offset)});
      else
        bind(slot);
    }
  }
  Record(const Record&) = delete;
  Record& operator=(const Record&) = delete;

  void* get() const { return record_; }
  std::vector<Piece>& pieces() { return pieces_; }
  const std::vector<Piece>& pieces() const { return pieces_; }
  const Fenced& memory() const { return memory_; }

  /// After configure.
  void bind_rings() {
    for (Piece& piece : pieces_) {
      if (piece.ring == nullptr) continue;
      const Shape entry = shapes_.of(*piece.slot);
      if (piece.ring->capacity < 0 || piece.ring->capacity > (std::int64_t{1} << 27))
        throw Impossible("the ring '" + piece.name() + "' has a capacity of " + std::to_string(piece.ring->capacity));
      piece.ring->rows = static_cast<std::int32_t>(entry.rows);
      piece.ring->cols = static_cast<std::int32_t>(entry.cols);
      piece.shape = {entry.count(), piece.ring->capacity};
      piece.data = piece.ring->data = memory_.take(piece.bytes());
    }
  }

  /// Points an input elsewhere.
  void redirect(const Piece& input, const void* data) {
    if (input.item >= 0)
      const_cast<hilda_view*>(at<hilda_views>(input.slot->offset)->items)[input.item].data = data;
    else if (has(*input.slot, HILDA_BOUND))
      at<hilda_view>(input.slot->offset)->data = data;
    else
      *at<const void*>(input.slot->offset) = data;
  }

private:
  /// Bytes between the numbers of one slot where the record has room for those of other lanes; else 0.
  static std::size_t apart(const Type& type) {
    const auto* lanes = type.extension<hilda_lanes_1>("hilda.lanes/1");
    return lanes != nullptr && lanes->size >= sizeof *lanes ? std::size_t{8} * lanes->width : 0;
  }
  bool lies_apart(const Piece& whole) const {
    return apart_ > 0 && whole.slot->role != HILDA_INPUT && whole.shape.count() > 1;
  }
  /// A piece for each of its numbers.
  void add_apart(const Piece& whole) {
    for (int i = 0; i < whole.shape.count(); ++i)
      pieces_.push_back({whole.slot, i, Shape{1, 1},
                         static_cast<char*>(whole.data) + static_cast<std::size_t>(i) * apart_, nullptr, nullptr});
  }

  template <typename T> T* at(std::uint64_t offset) const { return reinterpret_cast<T*>(record_ + offset); }

  bool driven(const hilda_slot& slot, int item) const { return setup_.undriven.count(item_name(slot, item)) == 0; }

  hilda_array array(Shape shape, void* data) const {
    return {data, static_cast<std::int32_t>(shape.rows), static_cast<std::int32_t>(shape.cols)};
  }

  void bind(const hilda_slot& slot) {
    Piece piece{&slot, -1, shapes_.of(slot), nullptr, nullptr, nullptr};
    const bool bound = has(slot, HILDA_BOUND);
    if (slot.role == HILDA_INPUT) {
      if (driven(slot, -1)) piece.data = memory_.take(piece.bytes());
      if (bound)
        *at<hilda_view>(slot.offset) = {piece.data, static_cast<std::int32_t>(piece.shape.rows),
                                        static_cast<std::int32_t>(piece.shape.cols)};
      else
        *at<const void*>(slot.offset) = piece.data;
    } else if (bound) {
      piece.data = memory_.take(piece.bytes());
      *at<hilda_array>(slot.offset) = array(piece.shape, piece.data);
      if (has(slot, HILDA_CONTINUOUS)) {
        piece.derivative = memory_.take(piece.bytes());
        *at<hilda_array>(slot.second_offset) = array(piece.shape, piece.derivative);
      } else if (has(slot, HILDA_CROSSING) && slot.role == HILDA_WORK) {
        *at<hilda_array>(slot.second_offset) = array(piece.shape, memory_.take(piece.bytes())); // sides
      }
    } else {
      piece.data = record_ + slot.offset;
      if (has(slot, HILDA_CONTINUOUS)) piece.derivative = record_ + slot.second_offset;
    }
    if (lies_apart(piece)) return add_apart(piece);
    pieces_.push_back(piece);
  }

  void bind_repeated(const hilda_slot& slot) {
    const int count = shapes_.count(slot);
    // hilda_view and hilda_array lie alike: a pointer and two sizes
    auto* items = static_cast<hilda_array*>(memory_.take(static_cast<std::size_t>(count) * sizeof(hilda_array)));
    for (int i = 0; i < count; ++i) {
      Piece piece{&slot, i, shapes_.of(slot, i), nullptr, nullptr, nullptr};
      if (slot.role == HILDA_OUTPUT || driven(slot, i)) piece.data = memory_.take(piece.bytes());
      items[i] = array(piece.shape, piece.data);
      pieces_.push_back(piece);
    }
    *at<hilda_arrays>(slot.offset) = {items, static_cast<std::uint64_t>(count)};
  }

  void bind_parameter(const hilda_slot& slot, Value& value) {
    if (slot.element == HILDA_TEXT || slot.element == HILDA_PATH) {
      *at<const char*>(slot.offset) = value.text.c_str();
      return;
    }
    Piece piece{&slot, -1, shapes_.of(slot), record_ + slot.offset, nullptr, nullptr};
    value = detail::fitted(slot, value, piece.shape,
                           setup_.rising_guess && setup_.parameters.count(slot.name) == 0 && slot.initial == nullptr);
    if (has(slot, HILDA_BOUND)) {
      piece.data = memory_.take(piece.bytes());
      *at<hilda_array>(slot.offset) = array(piece.shape, piece.data);
    }
    if (lies_apart(piece)) {
      const std::size_t first = pieces_.size();
      add_apart(piece);
      for (std::size_t i = 0; i < value.numbers.size(); ++i) write(pieces_[first + i], {value.numbers[i]});
      return;
    }
    write(piece, value.numbers);
    pieces_.push_back(piece);
  }

public:
  /// Numbers into a piece, as its elements are.
  static void write(const Piece& piece, const std::vector<double>& numbers) {
    for (std::size_t i = 0; i < numbers.size(); ++i) {
      switch (piece.slot->element) {
      case HILDA_F64: static_cast<double*>(piece.data)[i] = numbers[i]; break;
      case HILDA_U8: static_cast<std::uint8_t*>(piece.data)[i] = numbers[i] != 0 ? 1 : 0; break;
      case HILDA_U64: static_cast<std::uint64_t*>(piece.data)[i] = static_cast<std::uint64_t>(numbers[i]); break;
      default: static_cast<std::int64_t*>(piece.data)[i] = static_cast<std::int64_t>(numbers[i]); break;
      }
    }
  }
  static Value read(const Piece& piece) {
    Value value(piece.shape, {});
    const auto count = static_cast<std::size_t>(piece.shape.count());
    for (std::size_t i = 0; i < count; ++i) {
      switch (piece.slot->element) {
      case HILDA_F64: value.numbers.push_back(static_cast<const double*>(piece.data)[i]); break;
      case HILDA_U8: value.numbers.push_back(static_cast<const std::uint8_t*>(piece.data)[i]); break;
      case HILDA_U64:
        value.numbers.push_back(static_cast<double>(static_cast<const std::uint64_t*>(piece.data)[i]));
        break;
      default: value.numbers.push_back(static_cast<double>(static_cast<const std::int64_t*>(piece.data)[i])); break;
      }
    }
    return value;
  }

private:
  const Setup& setup_;
  Shapes& shapes_;
  std::size_t apart_;
  Fenced memory_;
  char* record_;
  std::vector<Piece> pieces_;
  struct Destroy {
    void (*function)(void*);
    void operator()(void* record) const {
      if (function != nullptr) detail::call_phase("destroy", [&] { function(record); });
    }
  };
  std::unique_ptr<void, Destroy> built_{nullptr, Destroy{nullptr}}; ///< the block; first to go
};

} // namespace hilda::testing

#endif
