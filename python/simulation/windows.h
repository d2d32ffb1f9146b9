// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/run/runtime.h"
#include "engine/session/simulation.h"
#include "python/simulation/run.h"
#include "tools/modules.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <pybind11/pybind11.h>

namespace hilda::python {

/// A function of Python that a run calls between two ticks, each time so many seconds of it are over. All of it holds
/// the interpreter's lock.
class Windows {
public:
  /// @param every  s, or a text with a unit
  /// Throws TypeError or ValueError unless they are a time above 0 and a function.
  Windows(const pybind11::object& every, pybind11::object function);

  /// From the present tick on.
  void begin(const Runtime& runtime);
  /// The tick before which the function is called.
  std::int64_t next() const { return next_; }
  /// Calls it with what was recorded since the last call. False: it has returned False or raised something.
  bool call(const Run& run, const SimulationResult& result);
  /// Throws what the function has raised: a RunError, or what ends a program as it is.
  void raise(const std::shared_ptr<Run>& run);

private:
  double every_ = 0;
  pybind11::object function_;
  std::int64_t ticks_ = 1, next_ = 0;
  std::size_t first_ = 0; ///< sample of the window
  SimulationResult at_;
  std::optional<pybind11::error_already_set> raised_;
};

} // namespace hilda::python
