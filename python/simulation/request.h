// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "python/simulation/simulation.h"
#include "tools/modules.h"

#include <filesystem>
#include <optional>
#include <pybind11/pybind11.h>
#include <string>
#include <variant>
#include <vector>

namespace hilda::python {

/// One text, or several.
using Names = std::variant<std::string, std::vector<std::string>>;
std::vector<std::string> list_of(const Names& names);

/// What Python says of a simulation.
Request request_of(const std::filesystem::path& diagram, const std::string& mode,
                   const std::optional<std::filesystem::path>& rig, const pybind11::dict& settings,
                   const std::vector<std::filesystem::path>& overlays,
                   const std::vector<std::filesystem::path>& plugins, const std::string& solver = "");

/// Settings of a dictionary, in its order.
std::vector<std::pair<std::string, std::string>> settings_of(const pybind11::dict& settings);

} // namespace hilda::python
