// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/compile/detail/equations/sparse_elimination.h"
#include "engine/modules.h"
#include "engine/quantity/exponent.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace hilda::compile::inference {

/// Unknowns that are equal (ties, from source to destination) or obey sum(factor * unknown) = constant (equations).
///
/// Known values flow along the ties, first forwards, so that a conflict is found where a signal arrives and not where
/// it starts, then backwards as well; an equation with one unknown left gives it. Only what then remains is eliminated
/// as a system. Each value keeps its cause. A value once found is never changed: what contradicts it is found at the
/// end.
///
/// A large diagram has many unknowns: the knowledge of each is kept as an int.
///
/// Algebra: `Value`; `Value add(Value sum, Exponent factor, Value x)` is sum + factor * x; `bool valid(Value)`: may an
/// unknown have it; `Value of(int)` and `int kept(Value)`, what is kept of a valid one; operator== of Value.
template <class Algebra> class LinearSystem {
public:
  using Value = typename Algebra::Value;
  using Term = LinearTerm;
  struct Tie {
    int from, to;
    int label;
  };
  struct Equation {
    int first, count; ///< of its terms
    Value constant;
    int label;
    bool impossible; ///< its solution was no valid value
  };
  struct Cause {
    enum class Kind : std::uint8_t { none, given, tie, equation } kind = Kind::none;
    int index = -1; ///< label, tie or equation
  };

  explicit LinearSystem(Algebra& algebra) : algebra_(algebra) {}

  /// Room for so many, where that is known before: lists of a hundred thousands are dear to move.
  struct Sizes {
    std::size_t unknowns = 0, ties = 0, equations = 0, terms = 0;
  };
  void reserve(const Sizes& sizes) {
    cells_.reserve(sizes.unknowns);
    queue_.reserve(sizes.unknowns);
    ties_.reserve(sizes.ties);
    links_.reserve(2 * sizes.ties + sizes.terms);
    equations_.reserve(sizes.equations);
    open_.reserve(sizes.equations);
    terms_.reserve(sizes.terms);
  }
  /// Adds `count` unknowns and returns the first one's index.
  int add(int count) {
    const int first = number_of(cells_);
    cells_.resize(cells_.size() + index(count));
    return first;
  }
  int size() const { return number_of(cells_); }

  /// False if the unknown has another value already (which it keeps).
  bool give(int variable, int value, int label) {
    Cell& cell = cells_[index(variable)];
    if (cell.known) return cell.value == value;
    set(cell, variable, value, {Cause::Kind::given, label});
    return true;
  }
  void tie(int from, int to, int label) {
    const int id = number_of(ties_);
    ties_.push_back({from, to, label});
    link(from, id);
    link(to, id);
    flow(id);
  }
  /// The variables of the terms differ from each other.
  void equate(std::span<const Term> terms, Value constant, int label) {
    const int id = number_of(equations_);
    equations_.push_back({.first = number_of(terms_),
                          .count = number_of(terms),
                          .constant = constant,
                          .label = label,
                          .impossible = false});
    open_.push_back(number_of(terms));
    for (const Term& term : terms) {
      terms_.push_back(term);
      link(term.variable, ~id);
      if (cells_[index(term.variable)].passed) --open_.back();
    }
    if (open_.back() == 1) solve(id);
  }

  /// Lets values flow until nothing more follows.
  void propagate() {
    while (next_ < queue_.size()) {
      const int variable = queue_[next_++];
      cells_[index(variable)].passed = true;
      for (int link = cells_[index(variable)].links; link >= 0; link = links_[index(link)].next) {
        const int id = links_[index(link)].id;
        if (id >= 0)
          flow(id);
        else if (--open_[index(~id)] == 1)
          solve(~id);
      }
    }
  }
  /// From now on values flow against the ties too.
  void open_backwards() {
    backwards_ = true;
    for (int id = 0; id < number_of(ties_); ++id) flow(id);
    propagate();
  }
  /// Solves what remains as one system.
  void eliminate();
  /// eliminate() gave up: the system that remained was too large.
  bool exhausted() const { return exhausted_; }

  bool known(int variable) const { return cells_[index(variable)].known; }
  int value(int variable) const { return cells_[index(variable)].value; }
  Cause cause(int variable) const {
    const Cell& cell = cells_[index(variable)];
    return {cell.cause, cell.cause_index};
  }
  const std::vector<Tie>& ties() const { return ties_; }
  const std::vector<Equation>& equations() const { return equations_; }
  std::span<const Term> terms(const Equation& equation) const {
    return std::span(terms_).subspan(index(equation.first), index(equation.count));
  }
  /// Whether what is known contradicts the equation.
  bool violated(const Equation& equation) const {
    if (equation.impossible) return true;
    Value rest = equation.constant;
    for (const Term& term : terms(equation)) {
      if (!known(term.variable)) return false;
      rest = algebra_.add(rest, -term.factor, algebra_.of(value(term.variable)));
    }
    return !(rest == Value());
  }

private:
  struct Cell {
    int value = 0;
    int cause_index = -1;
    int links = -1;
    typename Cause::Kind cause = Cause::Kind::none;
    bool known = false;
    bool passed = false; ///< its equations have heard of it
  };
  struct Link {
    int next;
    int id; ///< tie, or ~equation
  };

  static constexpr std::size_t index(int i) { return static_cast<std::size_t>(i); }
  template <class List> static constexpr int number_of(const List& list) { return static_cast<int>(list.size()); }

  void link(int variable, int id) {
    Cell& cell = cells_[index(variable)];
    links_.push_back({cell.links, id});
    cell.links = number_of(links_) - 1;
  }
  void set(Cell& cell, int variable, int value, Cause cause) {
    cell.value = value;
    cell.cause = cause.kind, cell.cause_index = cause.index;
    cell.known = true;
    queue_.push_back(variable);
  }
  void flow(int id) {
    const Tie& tie = ties_[index(id)];
    Cell &from = cells_[index(tie.from)], &to = cells_[index(tie.to)];
    if (from.known && !to.known)
      set(to, tie.to, from.value, {Cause::Kind::tie, id});
    else if (backwards_ && to.known && !from.known)
      set(from, tie.from, to.value, {Cause::Kind::tie, id});
  }
  void solve(int id) {
    Equation& equation = equations_[index(id)];
    Value rest = equation.constant;
    const Term* unknown = nullptr;
    for (const Term& term : terms(equation)) {
      if (known(term.variable))
        rest = algebra_.add(rest, -term.factor, algebra_.of(value(term.variable)));
      else if (unknown == nullptr)
        unknown = &term;
      else
        return;
    }
    if (unknown != nullptr) conclude(equation, id, unknown->variable, Exponent(1) / unknown->factor, rest);
  }
  void conclude(Equation& equation, int id, int variable, Exponent factor, const Value& rest) {
    Value value = algebra_.add(Value(), factor, rest);
    if (algebra_.valid(value))
      set(cells_[index(variable)], variable, algebra_.kept(value), {Cause::Kind::equation, id});
    else
      equation.impossible = true;
  }

  Algebra& algebra_;
  std::vector<Cell> cells_;
  std::vector<Link> links_;
  std::vector<Tie> ties_;
  std::vector<Equation> equations_;
  std::vector<Term> terms_;
  std::vector<int> open_; ///< by equation: how many of its unknowns have not passed
  std::vector<int> queue_;
  std::size_t next_ = 0;
  bool backwards_ = false;
  bool exhausted_ = false;
};

template <class Algebra> void LinearSystem<Algebra>::eliminate() {
  propagate();
  Elimination<Algebra> rest(algebra_, size());
  for (const Tie& tie : ties_)
    if (!known(tie.from) && !known(tie.to)) rest.merge(tie.from, tie.to);
  for (int id = 0; id < number_of(equations_); ++id) {
    Equation& equation = equations_[index(id)];
    if (equation.impossible) continue; // its unknown stays unknown, and so does what follows from it
    Value constant = equation.constant;
    std::vector<Term> open;
    for (const Term& term : terms(equation)) {
      if (known(term.variable))
        constant = algebra_.add(constant, -term.factor, algebra_.of(value(term.variable)));
      else
        open.push_back(term);
    }
    if (!open.empty() && !rest.add(open, constant, id)) equation.impossible = true;
  }
  const auto solution = rest.solution();
  exhausted_ = rest.exhausted();
  for (const auto& found : solution)
    if (!known(found.variable))
      conclude(equations_[index(found.equation)], found.equation, found.variable, Exponent(1), found.value);
  propagate();
}

} // namespace hilda::compile::inference
