// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/diagram/system.h"
#include "tools/modules.h"

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace hilda::cli {

/// One thing that a diagram says, and what two diagrams are compared by.
struct Fact {
  std::string text;            ///< for people
  std::string key;             ///< equal where the texts mean the same; unused where there are numbers
  std::vector<double> numbers; ///< SI
  std::string block;           ///< of which this is a detail; empty: of none

  bool equals(const Fact& other) const;
};

/// What a flattened diagram means, by kind and name: its blocks with their types, parameters, rates; wires by the input
/// they end at; conditions, power ports, limits, quality, what is recorded and shown, and how fast a parameter may
/// change while it runs. Nothing of it depends on the order of the file, on how a value was written, or on subsystems'
/// and diagrams' parameters, which are in the blocks' own.
struct Facts {
  enum Kind { run, block, parameter, wire, rate, condition, power_port, limit, quality, log, figure, live, kinds };
  std::map<std::string, Fact> of[kinds];
};
/// "Parameters", "parameter"
const char* title_of(Facts::Kind kind);
std::string_view name_of(Facts::Kind kind);

Facts facts_of(const System& system);

struct DiagramDifference {
  Facts::Kind kind;
  std::string name;
  const Fact *a, *b; ///< null: only the other has it
};

/// By kind, then by name. Of a block that only one has, or that has another type, the details are left out.
std::vector<DiagramDifference> differences(const Facts& a, const Facts& b);

} // namespace hilda::cli
