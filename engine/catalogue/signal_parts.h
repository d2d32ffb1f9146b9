// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/catalogue/signal_type.h"
#include "engine/modules.h"

#include <optional>
#include <string>
#include <vector>

namespace hilda::catalogue {

/// A part of a signal: where its elements begin and what it is.
struct PartType {
  int offset = 0;
  SignalType type;
};

/// Follows ".force.x", "[2]", "[1][0]" into a signal whose shape is known. Its unit need not be, if the part does not
/// depend on it. Empty, and `why` and `help` say the reason, where there is no such part.
std::optional<PartType> find_part(const SignalType& whole, const std::vector<std::string>& part, std::string& why,
                                  std::string& help);

/// The part of the whole that fits the requested type: "force"; empty where there is none.
std::string part_that_is(const SignalType& whole, const SignalType& wanted);

} // namespace hilda::catalogue
