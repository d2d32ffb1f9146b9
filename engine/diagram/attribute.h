// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/base/diagnostic.h"
#include "engine/modules.h"

#include <string>

namespace hilda::diagram {

/// A text as written, with its place: `time_constant="2 ms"` of a block, the value of a `<parameter>`, what a subsystem
/// forwards, and `--set lead.time_constant=4ms`, whose name is a path.
struct Attribute {
  std::string name;
  std::string text;
  Location where;

  bool empty() const { return name.empty(); }
};

} // namespace hilda::diagram
