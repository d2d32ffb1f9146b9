// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/modules.h"

#include <bit>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <string_view>
#include <utility>
#include <vector>

namespace hilda::diagram {

/// What has which name, in the order in which it was entered: used like a std::unordered_map, for a hundred thousand
/// names in a fifth of its memory. The names must live elsewhere.
template <class T> class NameTable {
public:
  struct Item {
    std::string_view first;
    T second;
  };

  /// Room for so many.
  void reserve(std::size_t count) {
    items_.reserve(count);
    if (2 * count > places_.size()) spread(std::bit_ceil(2 * count));
  }
  std::size_t size() const { return items_.size(); }
  const Item* begin() const { return items_.data(); }
  const Item* end() const { return items_.data() + items_.size(); }
  /// end() where there is none.
  const Item* find(std::string_view name) const {
    if (places_.empty()) return end();
    const Place& place = places_[at(name, hash(name))];
    return place.item == nothing ? end() : items_.data() + place.item;
  }
  /// The item of this name, and whether it is new.
  std::pair<Item*, bool> try_emplace(std::string_view name, T value) {
    if (2 * (items_.size() + 1) > places_.size()) spread(std::bit_ceil(2 * (items_.size() + 8)));
    const std::uint32_t number = hash(name);
    Place& place = places_[at(name, number)];
    if (place.item != nothing) return {items_.data() + place.item, false};
    place = {number, static_cast<std::uint32_t>(items_.size())};
    items_.push_back({name, std::move(value)});
    return {&items_.back(), true};
  }
  void insert_or_assign(std::string_view name, T value) {
    const auto [item, fresh] = try_emplace(name, value);
    if (!fresh) item->second = std::move(value);
  }

private:
  static constexpr std::uint32_t nothing = std::numeric_limits<std::uint32_t>::max();
  struct Place {
    std::uint32_t hash = 0;
    std::uint32_t item = nothing;
  };

  static std::uint32_t hash(std::string_view name) {
    const std::uint64_t wide = std::hash<std::string_view>()(name);
    return static_cast<std::uint32_t>(wide ^ wide >> 32);
  }
  /// Where it is, or where it would be.
  std::size_t at(std::string_view name, std::uint32_t number) const {
    const std::size_t mask = places_.size() - 1;
    std::size_t i = number & mask;
    while (places_[i].item != nothing && (places_[i].hash != number || items_[places_[i].item].first != name))
      i = (i + 1) & mask;
    return i;
  }
  void spread(std::size_t count) {
    places_.assign(count, {});
    for (std::uint32_t item = 0; item < items_.size(); ++item) {
      std::size_t i = hash(items_[item].first) & (count - 1);
      while (places_[i].item != nothing) i = (i + 1) & (count - 1);
      places_[i] = {hash(items_[item].first), item};
    }
  }

  std::vector<Item> items_;
  std::vector<Place> places_; ///< a power of two, at least twice as many
};

} // namespace hilda::diagram
