// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/modules.h"
#include "engine/run/runtime.h"

#include <nlohmann/json_fwd.hpp>
#include <string>

namespace hilda::session {

/// Every parameter of a running system by path, in SI: those of the diagram and its subsystems as evaluated
/// ("response_delay", "rig.stiffness"), "period", and those of each block as it uses them ("rig.wall.stiffness").
/// Vectors are lists, matrices lists of rows, choices and files texts.
nlohmann::ordered_json parameter_values(const Runtime& runtime);

/// A value as evaluated: a bare number is taken without a unit, for nothing gives its unit before a block reads it.
nlohmann::ordered_json parameter_value(const Value& value);

/// JSON as text that is JSON whatever is in it: names that are not UTF-8 are mended, what is not finite is null.
/// @param indent  -1: on one line
std::string json_text(const nlohmann::ordered_json& json, int indent = -1);

} // namespace hilda::session
