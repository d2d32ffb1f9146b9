// SPDX-License-Identifier: BSD-3-Clause
#ifndef HILDA_ROW_H
#define HILDA_ROW_H

// Equal blocks in one call. Where a diagram has many blocks of a type, the engine calls them in rows, and a block may
// say itself how a row is computed: by a static function `output_row(Row<T>)`, or another of the names in thunks.h.

#include <hilda/block.h>

namespace hilda {
inline namespace sdk1 {

/// Blocks of the type T that lie evenly in memory: `for (T& block : row)`, in the order in which they are to be
/// computed.
template <typename T> class Row {
public:
  struct End {};
  class Iterator {
  public:
    Iterator(char* at, std::uint64_t stride, std::uint64_t left) : at_(at), stride_(stride), left_(left) {}
    T& operator*() const { return *reinterpret_cast<T*>(at_); }
    Iterator& operator++() {
      at_ += stride_, --left_;
      return *this;
    }
    bool operator==(End) const { return left_ == 0; }

  private:
    char* at_;
    std::uint64_t stride_, left_;
  };

  Row(void* first, std::uint64_t stride, std::uint64_t count, const hilda_tick* tick)
      : first_(static_cast<char*>(first)), stride_(stride), count_(count), tick_(tick) {}
  Iterator begin() const { return {first_, stride_, count_}; }
  End end() const { return {}; }
  std::uint64_t size() const { return count_; }
  /// The tick as `block` of the row sees it.
  Tick tick(const T& block) const { return Tick(tick_, &block); }

private:
  char* first_;
  std::uint64_t stride_, count_;
  const hilda_tick* tick_;
};

} // namespace sdk1
} // namespace hilda

#endif
