// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/run/memory.h"
#include "tests/modules.h"

#include <cstddef>
#include <cstdint>

namespace hilda::test {

/// An element of a signal as a number; a boolean is 0 or 1.
inline double number_at(const Span& span, std::size_t i) {
  switch (span.element) {
  case HILDA_F64: return static_cast<const double*>(span.data)[i];
  case HILDA_I64: return static_cast<double>(static_cast<const std::int64_t*>(span.data)[i]);
  case HILDA_U64: return static_cast<double>(static_cast<const std::uint64_t*>(span.data)[i]);
  default: return static_cast<const std::uint8_t*>(span.data)[i];
  }
}

} // namespace hilda::test
