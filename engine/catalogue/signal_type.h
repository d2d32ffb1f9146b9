// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/modules.h"
#include "engine/quantity/shared.h"
#include "engine/quantity/unit.h"

#include <cstddef>
#include <hilda/abi.h>

namespace hilda::catalogue {

/// Shape, unit and kind of a signal as inferred.
struct SignalType {
  int rows = -1, cols = -1; ///< -1: not known
  Shared<Unit> unit;
  hilda_element element = HILDA_F64;
  hilda_kind kind = HILDA_PLAIN;

  /// How many, of a known shape.
  std::size_t elements() const { return static_cast<std::size_t>(rows) * static_cast<std::size_t>(cols); }
};

} // namespace hilda::catalogue
