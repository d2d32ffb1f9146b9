// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/modules.h"

#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <span>

namespace hilda::log {

/// A lock-free ring of frames between the loop (the one producer) and the log's thread (the one consumer).
///
/// Boost.Lockfree's spsc_queue needs its element's size at compile time; a frame's is known only when a diagram is,
/// and differs from tick to tick with the rates that are due. A queue of single bytes would show the consumer half a
/// frame and copy twice. Here the producer writes a frame in place and publishes it whole.
///
/// All calls are wait-free, allocate nothing and make no system call.
///
/// A word that one side writes shares no cache line with one that the other side reads often: hence the padding.
class FrameRing {
public:
  /// When the system gives the ring its memory: here, or where a frame first comes to lie on a page. The loop then
  /// waits for the page, which a simulation may and hardware may not.
  enum class Pages : std::uint8_t { taken, when_used };

  /// `capacity` in bytes, rounded up to a power of two of at least 4096.
  explicit FrameRing(std::size_t capacity, Pages pages = Pages::taken)
      : capacity_(std::bit_ceil(capacity < 4096 ? std::size_t{4096} : capacity)),
        memory_(std::make_unique_for_overwrite<std::byte[]>(capacity_)) {
    if (pages == Pages::taken) std::memset(memory_.get(), 0, capacity_);
  }

  std::size_t capacity() const { return capacity_; }
  /// The largest frame that an empty ring is sure to take.
  std::size_t largest_frame() const { return capacity_ / 2 - word; }

  /// Producer: room for a frame of `bytes`, aligned to 8, or null where there is none or where less than `keep_free`
  /// bytes would be left. The frame is seen by the consumer after `commit`; a later `reserve` takes its place before.
  std::byte* reserve(std::size_t bytes, std::size_t keep_free = 0) noexcept {
    const Place place = place_of(bytes);
    if (bytes > largest_frame() || !free(place.skip + place.need + keep_free)) return nullptr;
    if (place.skip > 0) write_word(head_ & (capacity_ - 1), skip_mark);
    const std::uint64_t begin = head_ + place.skip;
    write_word(begin & (capacity_ - 1), bytes);
    pending_ = begin + place.need;
    return memory_.get() + (begin & (capacity_ - 1)) + word;
  }

  /// Producer: publishes the reserved frame.
  void commit() noexcept {
    head_ = pending_;
    published_.store(head_, std::memory_order_release);
  }

  /// Producer: would `reserve(bytes)` succeed?
  bool has_room(std::size_t bytes) noexcept {
    const Place place = place_of(bytes);
    return bytes <= largest_frame() && free(place.skip + place.need);
  }

  /// Producer: a copy of `frame`, or false where there is no room.
  bool try_push(std::span<const std::byte> frame, std::size_t keep_free = 0) noexcept {
    std::byte* const target = reserve(frame.size(), keep_free);
    if (target == nullptr) return false;
    if (!frame.empty()) std::memcpy(target, frame.data(), frame.size());
    commit();
    return true;
  }

  /// Consumer: the oldest frame, valid until `pop`; false where the ring is empty.
  bool front(std::span<const std::byte>& frame) noexcept {
    while (true) {
      if (tail_ == seen_head_) seen_head_ = published_.load(std::memory_order_acquire);
      if (tail_ == seen_head_) return false;
      const std::size_t offset = tail_ & (capacity_ - 1);
      std::uint64_t bytes = 0;
      std::memcpy(&bytes, memory_.get() + offset, word);
      if (bytes != skip_mark) {
        frame = {memory_.get() + offset + word, static_cast<std::size_t>(bytes)};
        next_ = tail_ + word + rounded(frame.size());
        return true;
      }
      tail_ += capacity_ - offset;
    }
  }

  /// Consumer: gives the room of the frame that `front` showed back.
  void pop() noexcept {
    tail_ = next_;
    consumed_.store(tail_, std::memory_order_release);
  }

private:
  static constexpr std::size_t word = sizeof(std::uint64_t);
  static constexpr std::uint64_t skip_mark = ~std::uint64_t{0};

  struct Place {
    std::size_t skip, need; ///< bytes up to the end that a frame does not fit into, bytes of the frame
  };

  static std::size_t rounded(std::size_t bytes) { return (bytes + word - 1) & ~(word - 1); }

  Place place_of(std::size_t bytes) const noexcept {
    const std::size_t need = word + rounded(bytes);
    const std::size_t to_end = capacity_ - (head_ & (capacity_ - 1));
    return {to_end < need ? to_end : 0, need};
  }

  bool free(std::size_t bytes) noexcept {
    if (bytes <= capacity_ - (head_ - seen_tail_)) return true;
    seen_tail_ = consumed_.load(std::memory_order_acquire);
    return bytes <= capacity_ - (head_ - seen_tail_);
  }

  void write_word(std::size_t offset, std::uint64_t value) noexcept {
    std::memcpy(memory_.get() + offset, &value, word);
  }

  std::size_t capacity_;
  std::unique_ptr<std::byte[]> memory_;
  alignas(64) std::atomic<std::uint64_t> published_{0};
  alignas(64) std::atomic<std::uint64_t> consumed_{0};
  // the producer's own
  alignas(64) std::uint64_t head_ = 0;
  std::uint64_t pending_ = 0, seen_tail_ = 0;
  // the consumer's own
  alignas(64) std::uint64_t tail_ = 0;
  std::uint64_t next_ = 0, seen_head_ = 0;
};

} // namespace hilda::log
