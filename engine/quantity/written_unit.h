// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/quantity/unit.h"

#include <string>

namespace hilda {

/// A unit with the text that people read.
struct WrittenUnit {
  UnitReading reading;
  std::string text;
};

} // namespace hilda
