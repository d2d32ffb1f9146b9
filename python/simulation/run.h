// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/quantity/rational.h"
#include "engine/session/simulation.h"
#include "python/interpreter/made.h"
#include "python/simulation/signal_table.h"
#include "tools/modules.h"

#include <memory>
#include <pybind11/numpy.h>
#include <string>
#include <vector>

namespace hilda::python {

/// What was recorded in memory while a simulation ran: a row of bytes for each tick.
class Run {
public:
  using BoundToPython = void;

  /// A signal to record, where it lies while the loop runs.
  struct Source {
    std::size_t signal = 0; ///< index into the table
    const std::byte* data = nullptr;
    std::size_t bytes = 0;
  };
  Run(std::shared_ptr<const SignalTable> table, std::vector<Source> sources, Rational base);

  /// Without the interpreter's lock.
  void record(std::int64_t tick);
  /// A copy of what was recorded from this sample on.
  std::shared_ptr<Run> since(std::size_t sample) const;
  void finish(const SimulationResult& result) { result_ = result; }

  std::vector<std::string> names() const;
  /// Was a signal, or a part of one, of this name recorded?
  bool has(const std::string& name) const {
    const auto place = table_->find(name);
    return place && offsets_.count(place->signal) > 0;
  }
  pybind11::array array(const std::string& name) const;
  /// s, of each sample
  pybind11::array_t<double> time() const;
  std::size_t samples() const { return ticks_.size(); }
  const SimulationResult& result() const { return result_; }
  /// As texts have it, "m/s"; empty: none.
  std::string unit(const std::string& name) const;

private:
  std::shared_ptr<const SignalTable> table_;
  std::vector<Source> sources_;
  std::map<std::size_t, std::size_t> offsets_; ///< of a signal within a row
  std::size_t row_ = 0;                        ///< bytes
  Rational base_;
  std::vector<std::int64_t> ticks_;
  std::vector<std::byte> rows_;
  SimulationResult result_;
};

/// Unit of a signal or of a part of one; "" where its elements differ in it.
std::string unit_of(const LogField& field, ElementRange part);

} // namespace hilda::python
