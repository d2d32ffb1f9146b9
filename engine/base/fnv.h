// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/modules.h"

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace hilda::base {

/// FNV-1a of 64 bits: the same on every machine. It shows that two contents differ by accident, and protects from
/// no one.
class Fnv {
public:
  constexpr Fnv() = default;
  /// Continues from a value.
  constexpr explicit Fnv(std::uint64_t from) : value_(from) {}

  /// A byte by its definition; a longer word at once is cheaper and mixes its high bits less.
  constexpr Fnv& word(std::uint64_t word) {
    value_ = (value_ ^ word) * 1099511628211u;
    return *this;
  }
  constexpr Fnv& text(std::string_view text) {
    for (const char c : text) word(static_cast<unsigned char>(c));
    return *this;
  }
  Fnv& bytes(const void* data, std::size_t count) { return text({static_cast<const char*>(data), count}); }
  constexpr std::uint64_t value() const { return value_; }

private:
  std::uint64_t value_ = 14695981039346656037u;
};

} // namespace hilda::base
