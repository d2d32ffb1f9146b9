// SPDX-License-Identifier: BSD-3-Clause
#ifndef HILDA_WATCHED_DESCRIPTOR_H
#define HILDA_WATCHED_DESCRIPTOR_H

// A socket, a serial line or a file that a block holds open while it runs: no other plugin may close it.

#include <hilda/block.h>
#include <hilda/descriptors.h>
#include <utility>

namespace hilda {
inline namespace sdk1 {
namespace detail {

inline const hilda_descriptors_1* descriptors_of_program() {
  if (host == nullptr || host->extension == nullptr) return nullptr;
  return static_cast<const hilda_descriptors_1*>(host->extension(host->engine, "hilda.descriptors/1"));
}

} // namespace detail

/// While it lives, hilda restores the descriptor where code of another plugin closes it or puts another file in its
/// place, and reports that by this name. In a program that does not offer it, it does nothing. Not for the loop.
class WatchedDescriptor {
public:
  WatchedDescriptor() = default;
  /// `name`: "the serial line /dev/ttyUSB0". `descriptor` must be open.
  WatchedDescriptor(int descriptor, const char* name)
      : table_(detail::descriptors_of_program()),
        watched_(table_ != nullptr ? table_->watch(descriptor, name) : nullptr) {}
  ~WatchedDescriptor() { forget(); }
  WatchedDescriptor(WatchedDescriptor&& other) noexcept
      : table_(other.table_), watched_(std::exchange(other.watched_, nullptr)) {}
  WatchedDescriptor& operator=(WatchedDescriptor&& other) noexcept {
    if (this != &other) forget(), table_ = other.table_, watched_ = std::exchange(other.watched_, nullptr);
    return *this;
  }

  /// Before the block closes the descriptor: from then on the number may be another's.
  void forget() {
    if (watched_ != nullptr) table_->forget(std::exchange(watched_, nullptr));
  }

private:
  const hilda_descriptors_1* table_ = nullptr;
  void* watched_ = nullptr;
};

} // namespace sdk1
} // namespace hilda

#endif
