// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/log/log.h"
#include "python/interpreter/made.h"
#include "tools/modules.h"

#include <nlohmann/json.hpp>
#include <pybind11/numpy.h>
#include <string>
#include <tuple>
#include <vector>

namespace hilda::python {

/// hilda.Log.
class RecordedLog {
public:
  using BoundToPython = void;

  /// Throws hilda.Error where there is nothing to read.
  explicit RecordedLog(const std::string& file);

  std::vector<std::string> signals() const { return log_.signal_names(); }
  /// Shapes as those of samples_array; one pass over the file each.
  pybind11::array array(const std::string& name);
  pybind11::array_t<double> time(const std::string& name);
  std::string unit(const std::string& name);
  std::map<std::string, std::string> metadata() const;
  nlohmann::ordered_json parameters() const;
  nlohmann::ordered_json limits() const;
  nlohmann::ordered_json quality() const;
  nlohmann::ordered_json summary() const;
  std::vector<std::pair<std::string, std::vector<std::string>>> figures() const;
  bool has(const std::string& name) const { return log_.find(name).has_value(); }
  bool complete() const { return log_.complete(); }
  std::vector<std::string> problems() const { return log_.problems(); }
  double period() const { return log_.schema().period.value(); }
  std::vector<std::tuple<std::int64_t, std::string, std::string>> events();

private:
  Signal read(const std::string& name);

  Log log_;
};

} // namespace hilda::python
