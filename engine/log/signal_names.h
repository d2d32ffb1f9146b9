// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/log/log_format.h"
#include "engine/modules.h"

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace hilda::log {

/// Where a signal's elements lie in a log.
struct SignalPlace {
  std::size_t channel = 0, field = 0;
  ElementRange elements;
};

/// The signals of a schema by name.
class SignalNames {
public:
  SignalNames() = default;
  explicit SignalNames(const LogSchema& schema);

  /// "rig.sensor.wrench" of every field, in the log's order.
  const std::vector<std::string>& all() const { return names_; }
  /// A signal or a part of one, also by alias: "rig.sensor.wrench", "rig.wrench.force.x", "plant.state[2]".
  std::optional<SignalPlace> find(const LogSchema& schema, const std::string& name) const;
  /// The name that is nearest to one that is not there; a path that holds signals may be meant. Empty: none is near.
  std::string nearest_to(const std::string& name) const;

private:
  std::vector<std::string> names_;
  std::map<std::string, std::pair<std::size_t, std::size_t>> places_; ///< of whole signals
};

} // namespace hilda::log
