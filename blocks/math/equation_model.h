// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "equation_body.h"

#include <cstdint>
#include <string>
#include <vector>

namespace equations {

/// One body of equations: its slots and its programs. A block of it has a record each.
class Model : public Body {
public:
  explicit Model(const hilda_body& body) : Body(body) {}

  /// False after a report.
  bool read();
  static const Model& of(const RecordHead& head) { return *static_cast<const Model*>(head.body); }

  /// A state, and where its parameter `initial` lies.
  struct State {
    std::string name;
    Type type;
    bool continuous = false, set = false;
    std::uint64_t child = 0, at = 0, derivative = 0, initial = 0;
  };

  /// A condition of `when`: where its last value lies; and of one that is located, how far it is from becoming true,
  /// the side of zero that this is on, and whether it has just become true.
  struct Condition {
    std::uint64_t last = 0, distance = 0, side = 0, fired = 0;
  };

  Program state_output, output, derivative, update;
  Program distances, event; ///< of conditions that are located
  std::vector<State> states;
  bool follows_time = false; ///< outputs or rates of change do
  bool has_events = false;   ///< a `when` sets a state that has a rate of change: it acts at the very time
  std::vector<Condition> conditions;

protected:
  /// The two halves of `read`: declarations and equations; places and programs. Slots follow.
  bool read_body();
  bool lay_out();

  struct Line {
    Equation equation;
    Node when;
    bool has_when = false;
    std::uint64_t child = 0;
  };

  std::vector<Line> lines_, defining_; ///< all; and those that define a value, each before what uses it
  std::set<std::string> feeding_;      ///< inputs that an output follows from at once

private:
  bool declare(std::uint64_t index);
  bool read_line(std::uint64_t index);
  bool assign();
  bool sort_lines();
  bool check_conditions();
  bool compile();
  void compile_outputs(Compiler& compiler, bool from_inputs);
  void compile_updates(Compiler& compiler, bool at_events);
  void compile_distances(Compiler& compiler);
  bool sets_between_ticks() const;
  void add_slots();
  bool reads_input(const Node& node) const;

  std::map<std::string, bool> from_input_; ///< of what a line defines
  std::uint64_t at_fault_ = 0;             ///< the element that is worked on
};

} // namespace equations
