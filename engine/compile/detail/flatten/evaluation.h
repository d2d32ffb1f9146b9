// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/base/diagnostic.h"
#include "engine/diagram/system.h"
#include "engine/modules.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace hilda::compile {

/// Evaluates the parameters of a system, each once and behind those that its text names, and whatever else has `${}`.
/// Faults are reported here, at the parameter, once. Finds cycles, and bounds how deep parameters may refer to
/// one another and how much `${}` may make of a small file.
class Evaluation {
public:
  /// Values are written into the table.
  Evaluation(ParameterTable& table, Diagnostics& diagnostics) : table_(table), diagnostics_(diagnostics) {}

  /// The value of a parameter; null where there is none, which has been reported.
  /// Codes: parameter-cycle, parameter-chain, and those of read.
  const Value* value(ParameterIndex parameter);

  /// The value of a text; none where that fails, which is reported. Codes: value-too-large and those of expressions.
  std::optional<Value> read(const std::string& text, Location where, ScopeIndex scope);

  /// The same for a text that is not a parameter, such as a limit: the table keeps it.
  std::optional<Value> settle(const std::string& text, Location where, ScopeIndex scope);

  /// The value that the table has is the parameter's.
  void keep(ParameterIndex parameter) { state(parameter) = State::done; }
  /// The parameter has no value, which has been reported.
  void give_up(ParameterIndex parameter) { state(parameter) = State::failed; }

  Diagnostics& diagnostics() { return diagnostics_; }

private:
  enum class State : std::uint8_t { fresh, open, done, failed };
  class View;

  State& state(ParameterIndex parameter);
  /// Parameters that the text names, up to the first that has no value.
  void evaluate_named(const std::string& text, ScopeIndex scope);
  void report_cycle(ParameterIndex parameter);
  /// Names for near misses; none where so many have been looked through that a wrong name costs too much time.
  std::vector<std::string> names(ScopeIndex scope);
  /// Where the parameters are that the unknown names of a text are near to.
  std::vector<Note> near_misses(const std::string& text, ScopeIndex scope);

  ParameterTable& table_;
  Diagnostics& diagnostics_;
  Indexed<ParameterIndex, State> states_;
  std::vector<ParameterIndex> open_; ///< being evaluated, each on behalf of the one before
  std::size_t bytes_ = 0;            ///< of all values that came from `${}`
  /// Names that may still be looked through: many wrong names among many right ones should not cost time.
  std::size_t names_left_ = 4'000'000;
};

} // namespace hilda::compile
