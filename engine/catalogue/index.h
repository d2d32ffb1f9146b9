// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/modules.h"

#include <cassert>
#include <compare>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

namespace hilda::catalogue {

/// A place in one kind of list, or none. Indices of different kinds do not mix: a function that takes a block does not
/// accept a wire.
template <class Tag> class Index {
public:
  /// None.
  constexpr Index() = default;
  constexpr explicit Index(std::integral auto number) : number_(static_cast<std::int32_t>(number)) {}

  constexpr bool valid() const noexcept { return number_ >= 0; }
  constexpr std::size_t number() const noexcept {
    assert(valid());
    return static_cast<std::size_t>(number_);
  }
  /// -1 for none: as in fingerprints and checkpoints.
  constexpr std::int32_t signed_number() const noexcept { return number_; }

  constexpr Index& operator++() noexcept {
    ++number_;
    return *this;
  }
  friend constexpr auto operator<=>(const Index&, const Index&) = default;

private:
  std::int32_t number_ = -1;
};

/// The indices of a list, in order.
template <class Position> class IndexRange {
public:
  class Iterator {
  public:
    constexpr explicit Iterator(Position at) : at_(at) {}
    constexpr Position operator*() const noexcept { return at_; }
    constexpr Iterator& operator++() noexcept {
      ++at_;
      return *this;
    }
    friend constexpr bool operator==(const Iterator&, const Iterator&) = default;

  private:
    Position at_;
  };

  constexpr explicit IndexRange(std::size_t count) : end_(Position(count)) {}
  constexpr Iterator begin() const noexcept { return Iterator(Position(0)); }
  constexpr Iterator end() const noexcept { return end_; }

private:
  Iterator end_;
};

/// A vector whose places are named by indices of one kind. A bare number is taken too.
template <class Position, class T> class Indexed : public std::vector<T> {
  using List = std::vector<T>;

public:
  using List::List;
  using List::operator[];
  typename List::reference operator[](Position at) { return List::operator[](at.number()); }
  typename List::const_reference operator[](Position at) const { return List::operator[](at.number()); }

  IndexRange<Position> indices() const { return IndexRange<Position>(this->size()); }
  /// Where the next element will be.
  Position next() const { return Position(this->size()); }
  bool has(Position at) const { return at.valid() && at.number() < this->size(); }
};

} // namespace hilda::catalogue

template <class Tag> struct std::hash<hilda::catalogue::Index<Tag>> {
  std::size_t operator()(hilda::catalogue::Index<Tag> index) const noexcept {
    return std::hash<std::int32_t>()(index.signed_number());
  }
};
