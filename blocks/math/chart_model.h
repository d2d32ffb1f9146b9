// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "equation_body.h"

#include <cstdint>
#include <string>
#include <vector>

namespace charts {

using equations::Node;
using equations::Program;
using equations::Symbol;
using equations::Type;

struct ChartState {
  std::string name, path; ///< "slow", "moving.slow"
  std::uint64_t child = 0;
  int parent = -1, first = -1; ///< the state around it; the one inside with which it begins
  int number = -1;             ///< among those that hold no others; what the output `state` says
  bool start = false, ends = false;
  Program entry, during, leaving;
  std::vector<std::size_t> transitions = {}; ///< that begin here, the first that holds is taken
};

/// What an after() waits for.
struct ChartWait {
  Program program;
  std::uint32_t at = 0;          ///< index of the time among the numbers
  bool fixed = false;            ///< it depends on parameters alone
  const char* refusal = nullptr; ///< the error for a time below zero
};

struct ChartTransition {
  int from = -1, to = -1;
  std::uint64_t child = 0;
  bool has_guard = false;
  Program guard, action;
  std::vector<ChartWait> waits = {};
  std::uint32_t truth = 0; ///< index of the guard's value among the numbers
};

/// A body of states and transitions. Outputs keep what actions gave them: they lie three times in a record, one row
/// behind the other: as ports, as kept from the last sample, and as worked on.
class Chart : public equations::Body {
public:
  explicit Chart(const hilda_body& body) : Body(body) {}

  /// False after a report.
  bool read();
  static const Chart& of(const void* record) {
    return *static_cast<const Chart*>(static_cast<const equations::RecordHead*>(record)->body);
  }

  static constexpr std::uint32_t time_in_state = 1; ///< its place among the numbers, s
  std::vector<ChartState> states;
  std::vector<ChartTransition> transitions;
  int start = -1;
  std::uint64_t period = 0, path = 0, state_port = 0, active = 0, since = 0, visits = 0,
                samples = 0; ///< places in the record
  std::uint64_t ports = 0, kept = 0, work = 0, row_bytes = 0;
  struct Initial {
    std::uint64_t to, from, bytes;
  };
  std::vector<Initial> initials; ///< from parameters into what is kept

private:
  bool declare(std::uint64_t index);
  bool add_state(std::uint64_t index);
  bool add_transition(std::uint64_t index);
  bool find_start(int parent);
  bool join();
  int state_named(std::uint64_t index, const char* end) const;
  bool read_flag(std::uint64_t index, const char* name, bool& flag) const;
  void place_all();
  bool compile();
  bool compile_actions(std::uint64_t index, const char* attribute, Program& into);
  bool compile_guard(ChartTransition& of);
  Node timed(const Node& node, ChartTransition& of);
  void wait_for(const Node& time, ChartTransition& of);
  bool changes(const Node& node) const;
  void remark_on_ways();
  void remark_on_order();
  std::vector<bool> reachable() const;
  void add_slots();
  std::string names_of_states() const;

  std::set<std::string> used_; ///< inputs that a guard or an action reads
};

} // namespace charts
