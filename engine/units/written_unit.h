#pragma once

#include "engine/units/unit.h"

#include <string>

namespace hilda {

/// A unit with the text that people read.
struct WrittenUnit {
  UnitReading reading;
  std::string text;
};

} // namespace hilda
