// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/log/log_format.h"
#include "engine/modules.h"

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace hilda::log {

/// An element of a sample as a number; a boolean is 0 or 1.
inline double number_at(const std::byte* from, LogElement element) {
  const auto read = [from](auto number) {
    std::memcpy(&number, from, sizeof number);
    return static_cast<double>(number);
  };
  switch (element) {
  case LogElement::f64: return read(double{});
  case LogElement::i64: return read(std::int64_t{});
  case LogElement::u64: return read(std::uint64_t{});
  case LogElement::boolean: return *from != std::byte{0} ? 1.0 : 0.0;
  }
  return 0;
}

} // namespace hilda::log
