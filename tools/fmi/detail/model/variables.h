// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/diagram/diagram.h"
#include "engine/session/output.h"
#include "engine/session/simulation.h"
#include "engine/session/tuning.h"
#include "tools/modules.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace hilda::fmi {

enum class Causality : std::uint8_t { independent, input, output, parameter, calculated, local };
enum class Kind : std::uint8_t { real, integer, whole, boolean, text, choice }; ///< whole: an integer from 0 on

/// An element of a signal whose elements have names: ".force.x", and its unit.
struct NamedElement {
  std::string name, unit;
};

/// A variable of an FMU: what a diagram shows to the importer.
struct Variable {
  std::string name, unit, doc;
  Causality causality = Causality::local;
  Kind kind = Kind::real;
  bool tunable = false;
  int rows = 1, cols = 1;
  std::uint32_t reference = 0;        ///< of its first element; the next elements follow
  std::vector<double> start;          ///< in SI, column by column; of inputs and parameters, also calculated ones
  std::string text;                   ///< start value of a text
  std::vector<std::string> choices;   ///< of an enumeration, from 1 on
  std::vector<NamedElement> elements; ///< of a wrench, twist, pose or quaternion; else empty
  std::shared_ptr<Input> input;       ///< writes it while the diagram runs
  std::optional<Output> output;       ///< reads it
  std::vector<std::size_t> follows;   ///< of an output: the inputs on which it depends in the same tick, by number

  std::size_t size() const { return static_cast<std::size_t>(rows) * static_cast<std::size_t>(cols); }
  bool settable() const { return causality == Causality::input || causality == Causality::parameter; }
};

/// All variables of a running diagram, by reference. The order depends on the diagram alone, so that the exporter and
/// the FMU number them alike. Empty, and `error`, where an output of the diagram cannot be shown.
std::vector<Variable> list_variables(const Runtime& runtime, Tuning& tuning, const Sources::File& diagram,
                                     std::string& error);

/// What both sides must agree on: a hash of names, kinds, shapes and references.
std::string token_of(const std::vector<Variable>& variables);

/// Where the i-th element lies that FMI 3.0 counts row by row: hilda counts column by column.
std::size_t column_order(const Variable& variable, std::size_t i);

/// ".force.x", "[2]" or "[1][2]", as diagrams and logs name it.
std::string element_name(const Variable& variable, std::size_t element);

} // namespace hilda::fmi
