// SPDX-License-Identifier: BSD-3-Clause
#include "engine/analysis/detail/linearize/limits_reached.h"

#include "engine/base/error.h"
#include "engine/catalogue/output_limits.h"

#include <cmath>

namespace hilda::analysis {
namespace {

void find_in(const Runtime& runtime, BlockIndex block, const OutputLimits& limits, std::vector<std::string>& found) {
  const auto& slots = runtime.memory().layout(block).slots;
  const Span values = runtime.memory().span(block, limits.output);
  for (const OutputLimits::Limit& limit : {limits.lower, limits.upper}) {
    if (!limit.parameter.valid()) continue;
    const Span numbers = runtime.memory().span(block, limit.parameter);
    for (std::size_t i = 0; i < values.count; ++i) {
      const double value = static_cast<const double*>(values.data)[i];
      if (!std::isfinite(value) || value != limit.of(i, {static_cast<const double*>(numbers.data), numbers.count}))
        continue;
      const std::string output = runtime.system().blocks[block].path + "." + slots[limits.output].name;
      found.push_back(in_quotes(output + (values.count == 1 ? "" : "[" + std::to_string(i) + "]")) + " at " +
                      (limit.negative ? "-" : "") + slots[limit.parameter].name + " = " + decimal(value));
    }
  }
}

} // namespace

std::vector<std::string> limits_reached(const Runtime& runtime, const Indexed<BlockIndex, bool>& blocks) {
  std::vector<std::string> found, told_when_loaded;
  for (const BlockIndex b : runtime.system().blocks.indices()) {
    if (!blocks[b]) continue;
    for (const OutputLimits& each : output_limits(*runtime.system().blocks[b].type, told_when_loaded))
      find_in(runtime, b, each, found);
  }
  return found;
}

} // namespace hilda::analysis
