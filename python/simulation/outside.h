// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/session/input.h"
#include "python/interpreter/made.h"
#include "python/simulation/signal_table.h"
#include "tools/modules.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <pybind11/numpy.h>
#include <span>
#include <string>
#include <vector>

namespace hilda::python {

class Simulation;

/// Python's numbers as an input takes them, column by column; `room` holds them where they do not lie so already.
/// Throws TypeError for what is not a number, ValueError for an array of another shape.
std::span<const double> numbers_of(const pybind11::handle& value, const Input& input, std::vector<double>& room);

/// Throws ValueError for numbers that do not fit, Error where the input is of another run or of one that is over.
[[noreturn]] void raise_refused(const Input& input, Written why, std::span<const double> numbers);

/// hilda.Input: a parameter that is written as numbers.
class InputHandle {
public:
  using BoundToPython = void;
  InputHandle(Simulation& simulation, std::shared_ptr<Input> input)
      : simulation_(simulation), input_(std::move(input)), room_(input_->size()) {}

  const Input& input() const { return *input_; }
  const std::shared_ptr<Input>& shared() const { return input_; }
  void write(const pybind11::handle& value);

private:
  Simulation& simulation_; ///< Python keeps it
  std::shared_ptr<Input> input_;
  std::vector<double> room_;
};

/// hilda.Output: a signal or a part of one, as it was computed last.
class OutputHandle {
public:
  using BoundToPython = void;
  OutputHandle(Simulation& simulation, std::uint64_t generation, std::string path, const std::byte* data,
               LogField field, ElementRange part);

  const std::string& path() const { return path_; }
  std::string unit() const;
  pybind11::object read() const;

private:
  Simulation& simulation_; ///< Python keeps it
  std::uint64_t generation_;
  std::string path_;
  const std::byte* data_;
  LogField field_;
  ElementRange part_;
  bool plain_; ///< real numbers in a row
};

} // namespace hilda::python
