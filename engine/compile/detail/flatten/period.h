// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/compile/detail/flatten/flatten.h"
#include "engine/modules.h"

#include <optional>

namespace hilda::compile {

/// A time above zero as an exact fraction of seconds: "2 ms", "${period/20}". None where it is none, which is reported
/// of `what`: "period". Codes: bad-time and those of values and expressions.
std::optional<Rational> read_time(const std::string& what, const std::string& text, Location where, ScopeIndex scope,
                                  Evaluation& evaluation);

/// The period of the system: what a rig fixes, else what is set, else what the diagram says, else 1 ms. A setting that
/// differs from what the rig fixes is an error. Code: period-conflict.
Rational settle_period(Flattened& flat, const Instance* rig, FlattenContext& context);

} // namespace hilda::compile
