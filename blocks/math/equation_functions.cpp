// SPDX-License-Identifier: BSD-3-Clause
#include "equation_body.h"
#include "equation_compiler.h"
#include "expression_words.h"

#include <algorithm>
#include <iterator>
#include <sstream>

// The functions of equations: their units and shapes.

namespace equations {
namespace {

using FunctionCode = Step::Code;
using FunctionValue = Compiler::Value;

/// Functions that keep the unit of what they take, and one that halves its powers; the others want a bare number.
bool keeps_unit(const std::string& name) { return name == "abs" || name == "hypot" || name == "mod"; }

void want_count(const Node& node, std::size_t least, std::size_t most) {
  if (node.of.size() >= least && node.of.size() <= most) return;
  throw Refusal("gives " + std::to_string(node.of.size()) + " values to " + node.text,
                node.text + " takes " + std::to_string(least) + (most > least ? " or more" : ""));
}

std::string all_functions() {
  return std::string(expression_words::names_of_words) + " dot cross norm sum times divide transpose vector";
}

std::vector<std::string> function_names() {
  std::vector<std::string> names;
  std::istringstream words(all_functions());
  for (std::string word; words >> word;)
    if (word.find_first_of("()") == std::string::npos) names.push_back(word);
  return names;
}

} // namespace

void refuse_unknown_function(const std::string& name, const std::vector<std::string>& more) {
  std::vector<std::string> names = function_names();
  names.insert(names.end(), more.begin(), more.end());
  if (std::find(names.begin(), names.end(), name) != names.end()) return;
  std::string all = all_functions();
  for (const std::string& each : more) all += " " + each;
  throw Refusal("calls " + name + ", which is not a function" + near_miss(name, names), "functions are " + all);
}

Compiler::Value Compiler::call(const Node& node) {
  const std::string& name = node.text;
  refuse_unknown_function(name, {});
  if (node.of[0].kind == Node::Kind::number && !node.of[0].text.empty())
    throw Refusal("has '" + node.of[0].text + "' behind a number in " + name + "()",
                  "a number with a unit is a <parameter name=\"...\" value=\"9.81 m/s^2\"/>");
  const auto named = [&](const auto& entry) { return name == entry.first; };
  using namespace expression_words;
  if (const auto one = std::find_if(std::begin(of_one), std::end(of_one), named); one != std::end(of_one)) {
    want_count(node, 1, 1);
    const Value a = compile(node.of[0]);
    Type made = a.type;
    if (name == "sqrt")
      for (double& power : made.unit) power /= 2;
    else if (name == "sign")
      made.unit = {}, made.free = false;
    else if (!keeps_unit(name))
      want_number(a, name), made.free = false;
    const Value result = emit(FunctionCode::of_one, made, a);
    program.steps.back().one = one->second;
    return result;
  }
  if (const auto two = std::find_if(std::begin(of_two), std::end(of_two), named); two != std::end(of_two)) {
    want_count(node, 2, 2);
    const Value a = compile(node.of[0]), b = compile(node.of[1]);
    if (name == "pow") return powered(a, b);
    Type made = same(a, b, name, true);
    if (!keeps_unit(name)) made.unit = {}, made.free = false;
    const Value result = emit(FunctionCode::of_two, made, a, b);
    program.steps.back().two = two->second;
    return result;
  }
  if (name == "min" || name == "max") return extreme(node);
  if (name == "vector") return column(node);
  return of_vectors(node);
}

/// The least or the greatest of several; of one vector, of its elements.
Compiler::Value Compiler::extreme(const Node& node) {
  want_count(node, 1, 100);
  const FunctionCode code = node.text == "min" ? FunctionCode::smaller : FunctionCode::larger;
  Value best = compile(node.of[0]);
  if (node.of.size() == 1) {
    const Value all = best;
    best.type.rows = best.type.cols = 1, best.literal = false;
    for (int i = 1; i < all.type.count(); ++i) {
      Value next = best;
      next.at = all.at + static_cast<std::uint32_t>(i);
      best = emit(code, best.type, best, next);
    }
    return best;
  }
  for (std::size_t i = 1; i < node.of.size(); ++i) {
    const Value next = compile(node.of[i]);
    best = emit(code, same(best, next, node.text, true), best, next);
  }
  return best;
}

/// vector(a, b, c): numbers of one unit, one below the other.
Compiler::Value Compiler::column(const Node& node) {
  want_count(node, 1, 100);
  std::vector<Value> parts;
  for (const Node& each : node.of) {
    parts.push_back(compile(each));
    if (!parts.back().type.scalar())
      throw Refusal("puts " + shape_name(parts.back().type) + " into a vector", "vector(a, b) takes single numbers");
    parts.front().type = same(parts.front(), parts.back(), "vector", true);
  }
  Value made;
  made.type = parts.front().type;
  made.type.rows = static_cast<int>(parts.size());
  made.at = room(made.type.rows);
  for (std::size_t i = 0; i < parts.size(); ++i) {
    Step step{.code = FunctionCode::copy, .to = made.at + static_cast<std::uint32_t>(i), .a = parts[i].at};
    program.steps.push_back(step);
  }
  return made;
}

Compiler::Value Compiler::of_vectors(const Node& node) {
  const std::string& name = node.text;
  const bool of_one = name == "norm" || name == "sum" || name == "transpose";
  const bool of_two = name == "dot" || name == "cross" || name == "times" || name == "divide";
  want_count(node, of_one ? 1 : 2, of_one ? 1 : 2);
  const Value a = compile(node.of[0]), b = of_two ? compile(node.of[1]) : a;
  Type made = of_two ? same(a, b, name, false) : a.type;
  made.free = false;
  const bool divides = name == "divide";
  if (of_two || name == "norm")
    for (std::size_t i = 0; i < made.unit.size(); ++i)
      made.unit[i] = name == "norm" ? a.type.unit[i] : a.type.unit[i] + (divides ? -1 : 1) * b.type.unit[i];
  if (name == "times" || divides) return emit(divides ? FunctionCode::divide : FunctionCode::multiply, made, a, b);
  if (of_two && a.type.count() != b.type.count())
    throw Refusal(name + " takes " + shape_name(a.type) + " and " + shape_name(b.type), "both must have one shape");
  if (name == "cross") {
    if (made.rows != 3 || made.cols != 1)
      throw Refusal("takes a cross product of " + shape_name(made), "it is of vectors of 3");
    return emit(FunctionCode::cross, made, a, b);
  }
  if (name == "transpose") {
    std::swap(made.rows, made.cols);
    Value result = emit(FunctionCode::transposed, made, a);
    program.steps.back().rows = static_cast<std::uint32_t>(a.type.rows);
    return result;
  }
  made.rows = made.cols = 1;
  Value result = emit(name == "dot"   ? FunctionCode::dot
                      : name == "sum" ? FunctionCode::sum
                                      : FunctionCode::norm,
                      made, a, b);
  program.steps.back().inner = static_cast<std::uint32_t>(a.type.count());
  return result;
}

} // namespace equations
