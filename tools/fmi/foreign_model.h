// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "tools/modules.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

// An FMU that another tool wrote. These files need neither the engine nor fmt: blocks/fmi compiles them, too.

namespace hilda::fmi {

/// Why an FMU is refused. `line` is that of modelDescription.xml; 0: of no line.
struct Fault {
  std::string what, help;
  int line = 0;
};

/// As the standard's functions are named: of FMI 2.0 f64, i32, boolean and text alone.
enum class Cell : std::uint8_t { f64, f32, i8, u8, i16, u16, i32, u32, i64, u64, boolean, text, binary, clock };

struct ForeignUnit {
  std::array<int, 8> powers{}; ///< kg, m, s, A, K, mol, cd, rad
  double factor = 1, offset = 0;
  bool has_base = false; ///< a unit without them is a name alone
};

struct ForeignVariable {
  std::string name, doc, unit, causality, variability;
  Cell cell = Cell::f64;
  bool enumeration = false, relative = false, has_start = false;
  std::uint32_t reference = 0;
  int line = 0;
  std::vector<std::size_t> dimensions;
  std::vector<std::string> start; ///< of texts one each; else numbers as written
  std::vector<std::pair<std::string, std::int64_t>> items;

  std::size_t size() const;
  bool is(const char* of_causality) const { return causality == of_causality; }
};

/// modelDescription.xml of FMI 2.0 or 3.0, for co-simulation.
struct ForeignModel {
  int version = 0; ///< 2 or 3
  std::string name, doc, tool, token, identifier;
  bool co_simulation = false, model_exchange = false, scheduled = false;
  bool saves_state = false, variable_step = false, needs_tool = false;
  std::optional<double> fixed_step, default_step;
  std::map<std::string, ForeignUnit> units;
  std::vector<ForeignVariable> variables;
  /// By reference of an output (FMI 2.0: by number of the variable): what it depends on. Not there: on everything.
  std::map<std::uint32_t, std::vector<std::uint32_t>> dependencies;

  const ForeignVariable* find(const std::string& variable) const;
  /// Does an output depend on an input at the same time?
  bool feeds_through(const ForeignVariable& input, const ForeignVariable& output) const;
};

/// Reads untrusted text. None, and `fault`, where it is not such a description.
std::optional<ForeignModel> read_foreign_model(const std::string& text, Fault& fault);

/// Why a diagram cannot have the variable, or nothing: "is binary".
std::string why_not_shown(const ForeignVariable& variable);

} // namespace hilda::fmi
