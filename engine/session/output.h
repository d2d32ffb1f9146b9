// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/modules.h"
#include "engine/run/runtime.h"

#include <optional>
#include <string>

namespace hilda::session {

/// A signal of a runtime, or a part of one, to be read between two ticks: the twin of Input. It stays valid as long as
/// the runtime, whatever the run does, and shows the values of the last tick.
class Output {
public:
  const std::string& path() const { return path_; }
  const SignalType& type() const { return type_; }
  std::size_t size() const { return span_.count; }
  /// "N s/m"; empty: a pure number, or one whose elements differ in unit.
  std::string unit() const;
  hilda_element element() const { return span_.element; }
  /// In SI, a matrix column by column.
  double number(std::size_t element = 0) const noexcept;
  /// Of real numbers: where they lie.
  std::span<const double> numbers() const noexcept { return {static_cast<const double*>(span_.data), span_.count}; }

private:
  friend std::optional<Output> find_output(const Runtime& runtime, const std::string& path, Diagnostics& diagnostics,
                                           Location where);
  std::string path_;
  SignalType type_;
  Span span_;
};

/// "lead.y", "rig.sensor.wrench.force.x", "plant.state[2]", also by the name that a port of a subsystem gives it. None
/// after unknown-signal.
std::optional<Output> find_output(const Runtime& runtime, const std::string& path, Diagnostics& diagnostics,
                                  Location where = {});

} // namespace hilda::session
