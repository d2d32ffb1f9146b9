// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "python/simulation/simulation.h"
#include "python/simulation/workers.h"
#include "tools/modules.h"

#include <cstdint>
#include <memory>
#include <pybind11/numpy.h>
#include <span>
#include <string>
#include <vector>

namespace hilda::python {

/// Environments' steps: numbers into inputs, ticks, numbers out of signals, for simulations of one diagram together.
class Stepper {
public:
  using BoundToPython = void;
  using Numbers = pybind11::array_t<double, pybind11::array::c_style | pybind11::array::forcecast>;

  /// @param figures  signals of which a step returns the first number, such as a reward
  /// @param threads  how many step at a time
  Stepper(const pybind11::list& simulations, std::vector<std::string> actions, std::vector<std::string> observations,
          std::vector<std::string> figures, std::size_t threads);

  /// (actions, observations, figures) of one simulation.
  pybind11::tuple sizes();
  /// The observations now: a row for each simulation.
  pybind11::array_t<double> look();
  /// Of a single simulation: (observation, action, figures, not ended, time). ValueError where the action does not fit.
  pybind11::tuple step(const pybind11::handle& action, std::int64_t ticks);
  /// Of all, one row each: (observations, figures, not ended, times).
  pybind11::tuple step_each(const Numbers& actions, std::int64_t ticks);

private:
  struct Target {
    std::shared_ptr<Input> input;
    std::vector<std::size_t> order; ///< of its numbers among those of an action
  };
  struct Source {
    const std::byte* data = nullptr;
    LogElement element{};
  };
  struct One {
    Simulation* simulation = nullptr; ///< Python keeps it
    std::uint64_t generation = 0;
    std::vector<Target> targets;
    std::vector<Source> observations, figures;
    std::size_t actions = 0;
  };
  void find(One& one);
  void find_all();
  void write(const double* actions);
  /// Without the interpreter's lock between; throws what one of them throws.
  std::vector<char> advance(std::int64_t ticks);

  pybind11::list kept_;
  std::vector<std::string> actions_, observations_, figures_;
  std::vector<One> all_;
  std::vector<double> room_;
  Workers workers_;
};

} // namespace hilda::python
