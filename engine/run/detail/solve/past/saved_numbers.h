// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/modules.h"

#include <cstring>
#include <span>
#include <vector>

namespace hilda::run {

/// Numbers in a checkpoint, one after the other.
inline void append_numbers(std::vector<unsigned char>& bytes, std::span<const double> numbers) {
  const auto* from = reinterpret_cast<const unsigned char*>(numbers.data());
  bytes.insert(bytes.end(), from, from + numbers.size_bytes());
}

/// False where there are not so many.
inline bool take_numbers(const std::vector<unsigned char>& bytes, std::size_t& at, std::span<double> into) {
  const std::size_t size = into.size_bytes();
  if (size > bytes.size() - at) return false;
  if (size > 0) std::memcpy(into.data(), bytes.data() + at, size);
  at += size;
  return true;
}

} // namespace hilda::run
