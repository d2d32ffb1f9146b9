// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/study/store.h"
#include "tools/modules.h"

#include <string>
#include <vector>

namespace hilda::graphics {

/// In what a column of a store is shown: the unit of the study file, where a store has SI.
struct ShownUnit {
  UnitReading reading = {};
  std::string text = {};
  bool logarithmic = false; ///< the study spaces the values by ratios
  double of_si(double number) const;
};

/// Of each coordinate, read from the study file that the store keeps; SI where it does not say.
std::vector<ShownUnit> shown_units(const StoreHead& head);

} // namespace hilda::graphics
