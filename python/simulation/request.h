#pragma once

#include "python/simulation/simulation.h"

#include <filesystem>
#include <optional>
#include <pybind11/pybind11.h>
#include <string>
#include <vector>

namespace hilda::python {

/// What Python says of a simulation.
Request request_of(const std::filesystem::path& diagram, const std::string& mode,
                   const std::optional<std::filesystem::path>& rig, const pybind11::dict& settings,
                   const std::vector<std::filesystem::path>& overlays,
                   const std::vector<std::filesystem::path>& plugins, const std::string& solver = "");

/// Settings of a dictionary, in its order.
std::vector<std::pair<std::string, std::string>> settings_of(const pybind11::dict& settings);

} // namespace hilda::python
