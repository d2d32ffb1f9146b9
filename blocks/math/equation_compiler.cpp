// SPDX-License-Identifier: BSD-3-Clause
#include "equation_compiler.h"

#include "expression_words.h"

#include <cmath>

namespace equations {
namespace {

using Kind = Node::Kind;
using Code = Step::Code;
using Value = Compiler::Value;

constexpr std::size_t most_numbers = 1'000'000;

Type plain(const Type& shape) {
  Type made = shape;
  made.unit = {};
  made.free = false;
  return made;
}

bool same_unit(const Powers& a, const Powers& b) {
  for (std::size_t i = 0; i < a.size(); ++i)
    if (std::fabs(a[i] - b[i]) > 1e-9) return false;
  return true;
}

Powers combined(const Powers& a, const Powers& b, double factor) {
  Powers made = a;
  for (std::size_t i = 0; i < made.size(); ++i) made[i] += factor * b[i];
  return made;
}

Powers scaled(const Powers& a, double factor) { return combined({}, a, factor); }

std::uint32_t stride_of(const Value& value, const Type& result) {
  return value.type.scalar() && !result.scalar() ? 0 : 1;
}

} // namespace

std::string shape_name(const Type& type) {
  if (type.scalar()) return "one number";
  return type.cols == 1 ? "a vector of " + std::to_string(type.rows)
                        : "a matrix of " + std::to_string(type.rows) + " x " + std::to_string(type.cols);
}

std::string Compiler::unit_name(const Type& type) const { return type.free ? "any unit" : unit_text_(type.unit); }

std::uint32_t Compiler::room(int count) {
  if (numbers_.size() + static_cast<std::size_t>(count) > most_numbers)
    throw Refusal("makes more than a million numbers", "use blocks such as math/MatrixProduct for large matrices");
  const auto at = static_cast<std::uint32_t>(numbers_.size());
  numbers_.resize(numbers_.size() + static_cast<std::size_t>(count));
  return at;
}

Value Compiler::emit(Code code, const Type& type, const Value& a, const Value& b) {
  Step step{.code = code, .to = room(type.count()), .a = a.at, .b = b.at};
  step.count = static_cast<std::uint32_t>(type.count());
  step.a_stride = stride_of(a, type), step.b_stride = stride_of(b, type);
  program.steps.push_back(step);
  return {type, step.to};
}

Value Compiler::emit(Code code, const Type& type, const Value& a) { return emit(code, type, a, a); }

/// The shape of both, where one number goes with any; and, with `units`, that their units are alike.
Type Compiler::same(const Value& a, const Value& b, const std::string& what, bool units) {
  if (!a.type.scalar() && !b.type.scalar() && (a.type.rows != b.type.rows || a.type.cols != b.type.cols))
    throw Refusal(what + " takes " + shape_name(a.type) + " and " + shape_name(b.type), "both must have one shape");
  if (units && !a.type.free && !b.type.free && !same_unit(a.type.unit, b.type.unit))
    throw Refusal(what + " takes " + unit_name(a.type) + " and " + unit_name(b.type),
                  "both must have one unit; a number with a unit is a <parameter name=\"...\" value=\"9.81 m/s^2\"/>");
  Type made = a.type.scalar() ? b.type : a.type;
  made.unit = a.type.free ? b.type.unit : a.type.unit;
  made.free = a.type.free && b.type.free;
  return made;
}

void Compiler::want_number(const Value& value, const std::string& what) {
  if (!value.type.free && !same_unit(value.type.unit, {}))
    throw Refusal(what + " takes a number without a unit, but has " + unit_name(value.type),
                  "divide by something of that unit first");
}

Value Compiler::number(double value) {
  Value made;
  made.at = room(1);
  numbers_[made.at] = value;
  made.literal = true;
  made.number = value;
  made.type.free = value == 0;
  return made;
}

Value Compiler::name(const std::string& text) {
  if (const auto known = known_.find(text); known != known_.end()) return known->second;
  const auto found = symbols_.find(text);
  if (found == symbols_.end()) {
    std::string names;
    for (const auto& [each, symbol] : symbols_)
      if (is_identifier(each)) names += (names.empty() ? "" : ", ") + each;
    throw Refusal("names '" + text + "', which is not declared", "there are: " + names);
  }
  const Symbol& symbol = found->second;
  Value made{symbol.type, 0};
  switch (symbol.kind) {
  case Symbol::Kind::time: time = true; break; // is first
  case Symbol::Kind::constant: made = number(symbol.number), made.type = symbol.type; break;
  case Symbol::Kind::number: made.at = static_cast<std::uint32_t>(symbol.offset); break;
  case Symbol::Kind::defined: made = compile(*symbol.is); break; // those it needs come before it
  case Symbol::Kind::input:
  case Symbol::Kind::memory: {
    const bool input = symbol.kind == Symbol::Kind::input;
    if (input) inputs.insert(text);
    Step step{.code = input ? Code::load_pointer : Code::load, .to = room(symbol.type.count())};
    step.count = static_cast<std::uint32_t>(symbol.type.count());
    step.memory = symbol.offset;
    made.at = step.to;
    program.steps.push_back(step);
    break;
  }
  }
  known_[text] = made;
  return made;
}

Value Compiler::compile(const Node& node) {
  switch (node.kind) {
  case Kind::number: return number(node.number);
  case Kind::name: return name(node.text);
  case Kind::negation: {
    const Value of = compile(node.of[0]);
    Value made = emit(Code::negated, of.type, of);
    made.literal = of.literal, made.number = -of.number;
    return made;
  }
  case Kind::inversion: {
    const Value of = compile(node.of[0]);
    want_number(of, "!");
    return emit(Code::inverted, plain(of.type), of);
  }
  case Kind::operation: return operation(node);
  case Kind::choice: return choice(node);
  case Kind::call: return call(node);
  case Kind::element: return element(node);
  }
  return {};
}

Value Compiler::operation(const Node& node) {
  const Value a = compile(node.of[0]), b = compile(node.of[1]);
  const std::string& sign = node.text;
  if (sign == "^") return powered(a, b);
  if (sign == "+" || sign == "-") return emit(sign == "+" ? Code::add : Code::subtract, same(a, b, sign, true), a, b);
  if (sign == "*" && !a.type.scalar() && !b.type.scalar()) return matrix_product(a, b);
  if (sign == "*" || sign == "/") {
    if (sign == "/" && !b.type.scalar())
      throw Refusal("divides by " + shape_name(b.type), "divide(a, b) divides element by element");
    Type made = a.type.scalar() ? b.type : a.type;
    made.unit = combined(a.type.unit, b.type.unit, sign == "*" ? 1 : -1);
    made.free = a.type.free || (sign == "*" && b.type.free);
    return emit(sign == "*" ? Code::multiply : Code::divide, made, a, b);
  }
  if (sign == "&&" || sign == "||") {
    want_number(a, sign), want_number(b, sign);
    return emit(sign == "&&" ? Code::both : Code::either, plain(same(a, b, sign, false)), a, b);
  }
  const Type shape = plain(same(a, b, sign, true));
  if (sign == "<") return emit(Code::less, shape, a, b);
  if (sign == ">") return emit(Code::less, shape, b, a);
  if (sign == "<=") return emit(Code::less_equal, shape, a, b);
  if (sign == ">=") return emit(Code::less_equal, shape, b, a);
  const Value equal = emit(Code::equal, shape, a, b);
  return sign == "==" ? equal : emit(Code::inverted, shape, equal);
}

Value Compiler::distance(const Node& node) {
  if (node.kind == Kind::inversion) return emit(Code::negated, {}, distance(node.of[0]));
  if (node.kind == Kind::name) {
    const auto found = symbols_.find(node.text);
    if (found != symbols_.end() && found->second.kind == Symbol::Kind::defined) return distance(*found->second.is);
  }
  if (node.kind == Kind::operation) {
    const std::string& sign = node.text;
    if (sign == "&&" || sign == "||") {
      const Value a = distance(node.of[0]), b = distance(node.of[1]);
      return emit(sign == "&&" ? Code::smaller : Code::larger, {}, a, b);
    }
    if (sign[0] == '<' || sign[0] == '>') {
      const Value a = compile(node.of[0]), b = compile(node.of[1]);
      return sign[0] == '<' ? emit(Code::subtract, {}, b, a) : emit(Code::subtract, {}, a, b);
    }
  }
  const Value yes = number(1), no = number(-1);
  const Value result = emit(Code::choose, {}, compile(node), yes);
  program.steps.back().c = no.at;
  return result;
}

Value Compiler::powered(const Value& base, const Value& exponent) {
  want_number(exponent, "an exponent");
  const bool has_unit = !base.type.free && !same_unit(base.type.unit, {});
  if (has_unit && !exponent.literal)
    throw Refusal("raises " + unit_name(base.type) + " to a power that is not a number as written",
                  "the unit would depend on the value: write the exponent as a number, or divide by a unit first");
  Type made = same(base, exponent, "^", false);
  made.unit = scaled(base.type.unit, exponent.literal ? exponent.number : 0);
  made.free = false;
  Value result = emit(Code::of_two, made, base, exponent);
  program.steps.back().two = expression_words::power;
  return result;
}

Value Compiler::matrix_product(const Value& a, const Value& b) {
  if (a.type.cols != b.type.rows)
    throw Refusal(
        "multiplies " + shape_name(a.type) + " by " + shape_name(b.type),
        "a matrix goes with a vector of as many elements as it has columns; times(a, b) multiplies element by "
        "element, dot(a, b) is the scalar product");
  Type made;
  made.rows = a.type.rows, made.cols = b.type.cols;
  made.unit = combined(a.type.unit, b.type.unit, 1);
  Value result = emit(Code::product, made, a, b);
  program.steps.back().rows = static_cast<std::uint32_t>(a.type.rows);
  program.steps.back().inner = static_cast<std::uint32_t>(a.type.cols);
  return result;
}

Value Compiler::choice(const Node& node) {
  const Value condition = compile(node.of[0]);
  want_number(condition, "the condition of ?");
  const Value yes = compile(node.of[1]), no = compile(node.of[2]);
  Type made = same(yes, no, "c ? a : b", true);
  if (!condition.type.scalar()) {
    same(condition, {made, 0}, "c ? a : b", false);
    if (made.scalar()) made.rows = condition.type.rows, made.cols = condition.type.cols;
  }
  const Value result = emit(Code::choose, made, condition, yes);
  program.steps.back().c = no.at;
  program.steps.back().c_stride = stride_of(no, made);
  return result;
}

Value Compiler::element(const Node& node) {
  const Value of = compile(node.of[0]);
  const int i = static_cast<int>(node.of[1].number), j = node.of.size() > 2 ? static_cast<int>(node.of[2].number) : 0;
  const bool matrix = of.type.cols > 1;
  if (matrix != (node.of.size() > 2) || i >= of.type.rows || j >= of.type.cols)
    throw Refusal("takes an element that " + shape_name(of.type) + " does not have",
                  "elements count from 0: x[0] of a vector, A[0,1] of a matrix");
  Value made = of;
  made.type.rows = made.type.cols = 1;
  made.at = of.at + static_cast<std::uint32_t>(j * of.type.rows + i);
  made.literal = false;
  return made;
}

void Compiler::define(const std::string& name, const Node& node) { known_[name] = compile(node); }

void Compiler::fit(const Value& value, const Type& wanted, const std::string& taker) {
  if (!value.type.scalar() && (value.type.rows != wanted.rows || value.type.cols != wanted.cols))
    throw Refusal("gives " + shape_name(value.type) + " to " + taker + ", which is " + shape_name(wanted),
                  "mend the shape=\"...\" of its declaration, or the equation");
  if (!value.type.free && !same_unit(value.type.unit, wanted.unit))
    throw Refusal("gives " + unit_name(value.type) + " to " + taker + ", which is in " + unit_name(wanted),
                  "mend the unit=\"...\" of a declaration, or the equation; rad counts as 1 here" +
                      std::string(same_unit(value.type.unit, {}) && taker.starts_with("the rate of change")
                                      ? "; without any unit inside the block, time is a "
                                        "plain number, too"
                                      : ""));
}

void Compiler::store(const Value& value, const Type& wanted, std::uint64_t offset) {
  Step step{.code = Code::store, .to = 0, .a = value.at};
  step.a_stride = stride_of(value, wanted);
  step.count = static_cast<std::uint32_t>(wanted.count());
  step.memory = offset;
  program.steps.push_back(step);
}

void Compiler::store_if(const Value& condition, const Value& value, const Type& wanted, std::uint64_t offset) {
  store(value, wanted, offset);
  program.steps.back().code = Code::store_if;
  program.steps.back().b = condition.at;
}

} // namespace equations
