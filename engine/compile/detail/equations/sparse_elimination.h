// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/modules.h"
#include "engine/quantity/exponent.h"

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <utility>
#include <vector>

namespace hilda::compile::inference {

/// factor * unknown
struct LinearTerm {
  int variable;
  Exponent factor;
};

/// Gaussian elimination with exact factors on few, sparse equations; equal unknowns are merged first (union-find).
/// Diagrams in which it would become long (beyond `budget` terms) leave the rest of their unknowns unknown.
template <class Algebra> class Elimination {
public:
  using Value = typename Algebra::Value;
  struct Found {
    int variable;
    int equation;
    Value value;
  };

  Elimination(Algebra& algebra, int variables) : algebra_(algebra), parent_(index(variables)) {
    std::iota(parent_.begin(), parent_.end(), 0);
  }

  void merge(int a, int b) {
    a = root(a), b = root(b);
    parent_[index(std::max(a, b))] = std::min(a, b);
  }

  /// Adds sum(terms) = constant. False if that contradicts what was added before.
  bool add(const std::vector<LinearTerm>& terms, Value constant, int equation) {
    Row row{{}, constant, equation};
    for (const LinearTerm& term : terms) row.terms.push_back({root(term.variable), term.factor});
    tidy(row);
    reduce(row);
    if (spent_ > budget || !sound(row)) return true;
    if (row.terms.empty()) return row.constant == Value();
    const LinearTerm pivot = row.terms.back();
    scale(row, Exponent(1) / pivot.factor);
    if (pivots_.empty()) pivots_.assign(parent_.size(), -1);
    pivots_[index(pivot.variable)] = static_cast<int>(rows_.size());
    rows_.push_back(std::move(row));
    return true;
  }

  /// The unknowns that have one value. Call once, at the end.
  std::vector<Found> solution() {
    std::vector<Found> result;
    for (std::size_t i = rows_.size(); i-- > 0 && spent_ <= budget;) {
      Row& row = rows_[i];
      const LinearTerm pivot = row.terms.back();
      row.terms.pop_back();
      reduce(row);
      if (!sound(row) || spent_ > budget) break;
      if (row.terms.empty()) result.push_back({pivot.variable, row.equation, row.constant});
      row.terms.push_back(pivot);
    }
    std::reverse(result.begin(), result.end());
    return result;
  }

  /// The budget was spent.
  bool exhausted() const { return spent_ > budget; }

private:
  struct Row {
    std::vector<LinearTerm> terms; ///< sorted by variable, each once; a finished row's pivot comes last with factor 1
    Value constant;
    int equation;
  };
  static constexpr std::size_t budget = 4'000'000;

  static constexpr std::size_t index(int i) { return static_cast<std::size_t>(i); }

  int root(int v) {
    while (parent_[index(v)] != v) v = parent_[index(v)] = parent_[index(parent_[index(v)])];
    return v;
  }
  static void tidy(Row& row) {
    std::stable_sort(row.terms.begin(), row.terms.end(),
                     [](const LinearTerm& a, const LinearTerm& b) { return a.variable < b.variable; });
    std::size_t kept = 0;
    for (const LinearTerm& term : row.terms) {
      if (kept > 0 && row.terms[kept - 1].variable == term.variable)
        row.terms[kept - 1].factor = row.terms[kept - 1].factor + term.factor;
      else
        row.terms[kept++] = term;
    }
    row.terms.resize(kept);
    std::erase_if(row.terms, [](const LinearTerm& term) { return term.factor.zero(); });
  }
  static bool sound(const Row& row) {
    return std::all_of(row.terms.begin(), row.terms.end(), [](const LinearTerm& t) { return t.factor.valid(); });
  }
  void scale(Row& row, Exponent factor) {
    for (LinearTerm& term : row.terms) term.factor = term.factor * factor;
    row.constant = algebra_.add(Value(), factor, row.constant);
  }
  /// Replaces every unknown that a finished row determines.
  void reduce(Row& row) {
    if (pivots_.empty()) return;
    while (spent_ <= budget) {
      const auto told = std::find_if(row.terms.rbegin(), row.terms.rend(),
                                     [&](const LinearTerm& term) { return pivots_[index(term.variable)] >= 0; });
      if (told == row.terms.rend()) return;
      const Row& by = rows_[index(pivots_[index(told->variable)])];
      const Exponent factor = told->factor;
      if (!factor.valid()) return;
      spent_ += row.terms.size() + by.terms.size() + 1;
      for (const LinearTerm& term : by.terms) row.terms.push_back({term.variable, -(factor * term.factor)});
      row.constant = algebra_.add(row.constant, -factor, by.constant);
      tidy(row);
    }
  }

  Algebra& algebra_;
  std::vector<int> parent_;
  std::vector<int> pivots_; ///< by variable: the finished row that determines it, or -1
  std::vector<Row> rows_;
  std::size_t spent_ = 0;
};

} // namespace hilda::compile::inference
