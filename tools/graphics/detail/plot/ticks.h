// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "tools/modules.h"

#include <string>
#include <vector>

namespace hilda::graphics::plot {

/// Whether a value has a place on an axis: it is finite, and sums and differences of such values are. Others are left
/// out, and the panel says so.
bool drawable(double value);

/// Round numbers along an axis: 1, 2 or 5 times a power of ten apart.
struct Ticks {
  double step = 1;
  std::vector<double> at;          ///< inside the range
  std::vector<std::string> labels; ///< with as many decimals as the step needs
};

/// At most `most` intervals between `low` and `high`, which must be finite and low < high.
Ticks round_ticks(double low, double high, int most);

/// Powers of ten along an axis of logarithms; 2 and 5 times them too where there are few.
Ticks decade_ticks(double low, double high);

/// In what the numbers of an axis are written: shown = number / factor.
struct AxisUnit {
  double factor = 1;
  std::string text; ///< "mm/s"; "1e6 kg m2"; "" for a pure number without factor
};

/// The SI prefix in which numbers up to `largest` need no zeros: 0.02 "m/s" is shown in mm/s, 176275 "N/m" in kN/m.
/// Where the unit takes none ("kg m2", "m2", a pure number), a power of ten.
AxisUnit axis_unit(const std::string& unit, double largest);

} // namespace hilda::graphics::plot
