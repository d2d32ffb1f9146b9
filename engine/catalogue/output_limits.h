// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/catalogue/catalogue.h"
#include "engine/modules.h"

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace hilda::catalogue {

/// Between which parameters a block type holds one of its outputs.
struct OutputLimits {
  struct Limit {
    SlotIndex parameter;   ///< none: there is no limit on this side
    bool negative = false; ///< the limit is the negative of the parameter

    /// That of an element, where the parameter has these numbers: one is that of all elements. None: it is not limited.
    std::optional<double> of(std::size_t element, std::span<const double> numbers) const {
      if (!parameter.valid() || (numbers.size() != 1 && element >= numbers.size())) return std::nullopt;
      const double number = numbers[numbers.size() == 1 ? 0 : element];
      return negative ? -number : number;
    }
    friend bool operator==(const Limit&, const Limit&) = default;
  };
  SlotIndex output;
  Limit lower, upper;
};

/// What a type declares by "hilda.limits/1"; calls its plugin. A faulty entry is left out, and a sentence is added to
/// `problems` for it.
std::vector<OutputLimits> output_limits(const BlockType& type, std::vector<std::string>& problems);

} // namespace hilda::catalogue
