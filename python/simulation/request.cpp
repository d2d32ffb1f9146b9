// SPDX-License-Identifier: BSD-3-Clause
#include "python/simulation/request.h"

#include "python/interpreter/values.h"

#include <pybind11/stl.h>

namespace hilda::python {
namespace {

using Path = std::filesystem::path;

std::vector<std::string> strings(const std::vector<Path>& paths) {
  return std::vector<std::string>(paths.begin(), paths.end());
}

} // namespace

std::vector<std::string> list_of(const Names& names) {
  const auto* one = std::get_if<std::string>(&names);
  return one != nullptr ? std::vector<std::string>{*one} : std::get<std::vector<std::string>>(names);
}

std::vector<std::pair<std::string, std::string>> settings_of(const pybind11::dict& settings) {
  std::vector<std::pair<std::string, std::string>> list;
  for (const auto& [path, value] : settings)
    list.emplace_back(plain_text(path, "the path of a setting"), value_text(value));
  return list;
}

Request request_of(const Path& diagram, const std::string& mode, const std::optional<Path>& rig,
                   const pybind11::dict& settings, const std::vector<Path>& overlays, const std::vector<Path>& plugins,
                   const std::string& solver) {
  Request request;
  request.diagram = diagram;
  request.mode = mode;
  request.rig = rig.value_or(Path());
  request.solver = solver;
  request.settings = settings_of(settings);
  request.overlays = strings(overlays);
  request.plugins = strings(plugins);
  return request;
}

} // namespace hilda::python
