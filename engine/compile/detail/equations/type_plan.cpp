// SPDX-License-Identifier: BSD-3-Clause
#include "engine/compile/detail/equations/type_plan.h"

#include <algorithm>
#include <iterator>
#include <limits>

namespace hilda::compile::inference {
namespace {

/// How many come before it: all, where it is not among them.
int place_of(const std::vector<std::string>& names, const std::string& name) {
  return static_cast<int>(std::find(names.begin(), names.end(), name) - names.begin());
}

int find_or_add(std::vector<std::string>& names, const std::string& name) {
  const int place = place_of(names, name);
  if (place == std::ssize(names)) names.push_back(name);
  return place;
}

int add_nameless(std::vector<std::string>& names) {
  names.emplace_back();
  return static_cast<int>(names.size()) - 1;
}

class Planner {
public:
  Planner(const BlockType& type, UnitPool& units) : type_(type), units_(units) { plan_.type = &type; }

  TypePlan plan() {
    find_item_names();
    for (const SlotIndex i : type_.slots.indices()) {
      const Slot& slot = type_.slots[i];
      TypePlan::SlotPlan here;
      plan_shape(here, slot, i);
      here.unit = unit_term(slot, i);
      if (slot.role == HILDA_INPUT || slot.role == HILDA_OUTPUT) {
        plan_.ports.push_back(i);
        plan_.repeats = plan_.repeats || slot.is(HILDA_REPEATED);
      }
      const bool number = slot.role == HILDA_PARAMETER && slot.element < HILDA_TEXT;
      here.open = number && (!slot.shape.fixed() || !slot.unit.fixed());
      here.follows = here.open && !slot.unit.fixed() && (has_factor(slot) || follows_inputs(slot));
      if (here.open) plan_.open_parameters.push_back(i);
      plan_.slots.push_back(here);
    }
    find_given();
    return std::move(plan_);
  }

private:
  /// Names over which a sum runs: each item of the repeated port has its own.
  void find_item_names() {
    for (const Slot& slot : type_.slots)
      for (const Dimension* dimension : {&slot.shape.rows, &slot.shape.cols})
        for (const Dimension::Term& term : dimension->terms)
          if (term.sum) find_or_add(plan_.item_dimensions, term.name);
    for (const SlotIndex i : type_.slots.indices())
      if (!plan_.items_of.valid() && type_.slots[i].is(HILDA_REPEATED) && uses_items(type_.slots[i]))
        plan_.items_of = i;
  }
  bool uses_items(const Slot& slot) const {
    const auto uses = [&](const Dimension& dimension) {
      return std::any_of(dimension.terms.begin(), dimension.terms.end(),
                         [&](const Dimension::Term& term) { return !term.sum && is_item(term.name); });
    };
    return uses(slot.shape.rows) || uses(slot.shape.cols);
  }
  bool is_item(const std::string& name) const {
    const auto& names = plan_.item_dimensions;
    return std::find(names.begin(), names.end(), name) != names.end();
  }

  /// "@c s/@e": a bare number cannot be meant as dimensionless.
  static bool has_factor(const Slot& slot) { return slot.unit.constant.unit != Unit(); }
  /// Every variable of the slot's unit is in an input's unit too.
  bool follows_inputs(const Slot& slot) const {
    const auto has = [](const Slot& input, const std::string& name) {
      return input.role == HILDA_INPUT && std::any_of(input.unit.variables.begin(), input.unit.variables.end(),
                                                      [&](const auto& variable) { return variable.first == name; });
    };
    return std::all_of(slot.unit.variables.begin(), slot.unit.variables.end(), [&](const auto& variable) {
      return std::any_of(type_.slots.begin(), type_.slots.end(),
                         [&](const Slot& input) { return has(input, variable.first); });
    });
  }

  void plan_shape(TypePlan::SlotPlan& to, const Slot& slot, SlotIndex index) {
    using Term = PlanTerm;
    const std::string& whole = slot.shape.whole;
    if (!whole.empty()) {
      // "*" cannot be part of a dimension's name, so that s and *s stay two things.
      to.rows = {Term::Where::block, {}, find_or_add(plan_.dimensions, "*" + whole)};
      to.cols = {Term::Where::block, {}, find_or_add(plan_.dimensions, "*" + whole + " columns")};
      return;
    }
    to.rows = dimension_term(slot.shape.rows, slot, index);
    to.cols = dimension_term(slot.shape.cols, slot, index);
  }

  PlanTerm dimension_term(const Dimension& dimension, const Slot& slot, SlotIndex index) {
    using Where = PlanTerm::Where;
    if (dimension.fixed()) return {Where::fixed, static_cast<int>(dimension.constant), -1};
    PlanEquation<Fraction> equation;
    equation.slot = index;
    equation.constant = Fraction(dimension.constant, 1);
    for (const Dimension::Term& term : dimension.terms) {
      const bool item = is_item(term.name);
      auto& names = item ? plan_.item_dimensions : plan_.dimensions;
      equation.terms.push_back({.index = find_or_add(names, term.name),
                                .item = item && !term.sum,
                                .sum = term.sum,
                                .factor = factor(term.factor)});
      equation.item = equation.item || (item && !term.sum && slot.is(HILDA_REPEATED));
    }
    const auto& first = equation.terms.front();
    if (equation.terms.size() == 1 && dimension.constant == 0 && first.factor == 1 && !first.sum)
      return {first.item ? Where::item : Where::block, {}, first.index};
    equation.result = add_nameless(equation.item ? plan_.item_dimensions : plan_.dimensions);
    plan_.shape_equations.push_back(equation);
    return {equation.item ? Where::item : Where::block, {}, equation.result};
  }
  static Exponent factor(std::int64_t whole) { return {whole, 1}; }

  PlanTerm unit_term(const Slot& slot, SlotIndex index) {
    using Where = PlanTerm::Where;
    const int constant = units_.number(slot.unit.constant.unit);
    if (slot.unit.fixed()) return {Where::fixed, constant, -1};
    PlanEquation<int> equation;
    equation.slot = index;
    equation.constant = constant;
    for (const auto& [name, power] : slot.unit.variables)
      equation.terms.push_back({.index = find_or_add(plan_.unit_names, name), .factor = power});
    if (equation.terms.size() == 1 && constant == 0 && equation.terms.front().factor == 1)
      return {Where::block, 0, equation.terms.front().index};
    equation.result = add_nameless(plan_.unit_names);
    plan_.unit_equations.push_back(equation);
    return {Where::block, 0, equation.result};
  }

  void find_given() {
    for (const SlotIndex i : type_.slots.indices()) {
      const Slot& slot = type_.slots[i];
      if (slot.role != HILDA_PARAMETER || (slot.element != HILDA_I64 && slot.element != HILDA_U64)) continue;
      const int dimension = plan_.dimension(slot.name);
      if (dimension >= 0) plan_.given.push_back({i, dimension});
    }
  }

  const BlockType& type_;
  UnitPool& units_;
  TypePlan plan_;
};

} // namespace

int TypePlan::dimension(const std::string& name) const {
  const int place = place_of(dimensions, name);
  return place < std::ssize(dimensions) ? place : -1;
}

TypePlan plan_type(const BlockType& type, UnitPool& units) { return Planner(type, units).plan(); }

} // namespace hilda::compile::inference
