// SPDX-License-Identifier: BSD-3-Clause
#include "engine/quantity/value.h"

#include <charconv>

namespace hilda::quantity {

std::string decimal(double number) {
  char text[64];
  const auto end = std::to_chars(text, text + sizeof text, number).ptr;
  return {text, end};
}

std::string Extent::text() const {
  const auto count = [](int size) { return size < 0 ? std::string("any number") : std::to_string(size); };
  if (rank < 0) return "any shape";
  if (rank == 0) return "one number";
  if (rank == 1) return rows < 0 ? "a vector" : rows == 1 ? "a vector of one number" : count(rows) + " numbers";
  if (rows < 0 && cols < 0) return "a matrix";
  if (rows < 0) return "a matrix of " + count(cols) + " columns";
  if (cols < 0) return "a matrix of " + count(rows) + " rows";
  return "a " + count(rows) + "x" + count(cols) + " matrix";
}

Value Value::of_text(std::string text) {
  Value value;
  value.text = std::move(text);
  return value;
}

Value Value::of_boolean(bool truth) {
  Value value;
  value.kind = Kind::boolean;
  value.text = truth ? "true" : "false";
  value.numbers = {truth ? 1.0 : 0.0};
  return value;
}

Value Value::bare(double number) {
  Value value;
  value.kind = Kind::number;
  value.text = decimal(number);
  value.numbers = {number};
  return value;
}

Value Value::measured(double number, const Unit& unit) {
  Value value = bare(number);
  value.basis = Basis::measured;
  value.written = WrittenUnit{{.unit = unit}, unit.written_text()};
  if (!unit.dimensionless()) value.text += " " + value.unit_text();
  return value;
}

const UnitReading& Value::reading() const {
  static const UnitReading none;
  return written ? written->reading : none;
}

const std::string& Value::unit_text() const {
  static const std::string none;
  return written ? written->text : none;
}

const Value::Rare& Value::none() {
  static const Rare none;
  return none;
}

void Value::keep(Rare rare) {
  const bool something = !rare.bases.empty() || rare.problem || !rare.with_constants.empty();
  rare_ = something ? Shared<Rare>(std::move(rare)) : Shared<Rare>();
}

void Value::set_bases(std::vector<Basis> changed_bases) {
  if (changed_bases.empty() && !rare_) return;
  Rare changed = rare();
  changed.bases = std::move(changed_bases);
  keep(std::move(changed));
}

void Value::set_problem(std::optional<Error> why) {
  if (!why && !rare_) return;
  Rare changed = rare();
  changed.problem = std::move(why);
  keep(std::move(changed));
}

void Value::set_with_constants(std::string expression) {
  if (expression.empty() && !rare_) return;
  Rare changed = rare();
  changed.with_constants = std::move(expression);
  keep(std::move(changed));
}

std::optional<Unit> Value::unit() const {
  if (kind != Kind::number) return std::nullopt;
  bool measured = basis == Basis::measured;
  for (const Basis one : bases()) measured = measured || one == Basis::measured;
  return measured ? std::optional<Unit>(reading().unit) : std::nullopt;
}

} // namespace hilda::quantity
