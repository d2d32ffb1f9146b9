// SPDX-License-Identifier: BSD-3-Clause
#include "blocks/math/equation_model.h"

#include <algorithm>

// Which equation is for what, and in which order values are computed.

namespace equations {

/// Which line is for which state or output; an undeclared name on the left is an intermediate value.
bool Model::assign() {
  bool good = true;
  std::set<std::string> defined;
  const auto twice = [&](const Line& line) {
    refuse(line.child, "is", "gives '" + line.equation.left + "' a second value", "each has one equation");
    good = false;
  };
  for (const Line& line : lines_) {
    const std::string& left = line.equation.left;
    State* own = find(states, left);
    if (line.equation.form == Equation::Form::value) {
      if (own != nullptr || find(inputs_, left) != nullptr || find(parameters_, left) != nullptr || left == "t" ||
          left == "pi") {
        refuse(line.child, "is", "sets '" + left + "', which is " + (own != nullptr ? "a state" : "given from outside"),
               own != nullptr ? "write " + left + "' = for its rate of change, or " + left + "+ = for its next value"
                              : "choose another name");
        good = false;
      } else if (!defined.insert(left).second) {
        twice(line);
      } else {
        symbols_[left].kind = Symbol::Kind::defined;
        defining_.push_back(line);
      }
      continue;
    }
    if (own == nullptr) {
      refuse(line.child, "is", "is about '" + left + "', which is not a state",
             "declare <state name=\"" + left + "\"/>");
      good = false;
      continue;
    }
    const bool rate = line.equation.form == Equation::Form::derivative;
    if (!line.has_when && own->set) twice(line);
    if (!line.has_when) own->set = true;
    own->continuous = own->continuous || rate;
    own->set = own->set || line.has_when;
  }
  for (const State& each : states)
    if (!each.set) {
      refuse(each.child, "name", "has the name '" + each.name + "', which no equation defines",
             "write <equation is=\"" + each.name + "' = ...\"/> for its rate of change, or " + each.name +
                 "+ = ... for its next value");
      good = false;
    }
  for (const Declared& each : outputs_)
    if (!defined.contains(each.name)) {
      refuse(each.child, "name", "has the name '" + each.name + "', which no equation defines",
             "write <equation is=\"" + each.name + " = ...\"/>");
      good = false;
    }
  return good;
}

/// Each line behind those that define what it uses.
bool Model::sort_lines() {
  std::vector<Line> sorted;
  std::set<std::string> open;
  for (const Line& line : defining_) open.insert(line.equation.left);
  std::vector<Line> rest = std::move(defining_);
  while (!rest.empty()) {
    std::vector<Line> later;
    const std::size_t before = sorted.size();
    for (Line& line : rest) {
      std::vector<std::string> names;
      collect_names(line.equation.right, names);
      const bool waits =
          std::any_of(names.begin(), names.end(), [&](const std::string& each) { return open.contains(each); });
      if (waits) {
        later.push_back(std::move(line));
        continue;
      }
      open.erase(line.equation.left);
      sorted.push_back(std::move(line));
    }
    if (sorted.size() == before) {
      std::string round;
      for (const Line& line : later) round += (round.empty() ? "'" : ", '") + line.equation.left + "'";
      refuse(later.front().child, "is", "follows from itself: " + round + " need one another at once",
             "an algebraic loop has no order in which it can be computed: solve it by hand, or put a state into it");
      return false;
    }
    rest = std::move(later);
  }
  defining_ = std::move(sorted);
  for (const Line& line : defining_) symbols_[line.equation.left].is = &line.equation.right;
  return true;
}

/// What `when` says is true or false, by itself or by the lines that it names.
bool Model::check_conditions() {
  std::set<std::string> truths;
  for (const Line& line : defining_)
    if (is_condition(line.equation.right, truths)) truths.insert(line.equation.left);
  bool good = true;
  for (const Line& line : lines_) {
    if (!line.has_when) continue;
    try {
      want_condition(line.when, truths);
    } catch (const Refusal& refusal) {
      refuse(line.child, "when", refusal.what(), refusal.help);
      good = false;
    }
  }
  return good;
}

} // namespace equations
