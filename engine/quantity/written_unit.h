// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/modules.h"
#include "engine/quantity/unit.h"

#include <string>

namespace hilda::quantity {

/// A unit with the text that people read.
struct WrittenUnit {
  UnitReading reading;
  std::string text;
};

} // namespace hilda::quantity
