// SPDX-License-Identifier: BSD-3-Clause
#include "engine/quantity/detail/value/quantity.h"
#include "engine/quantity/expression.h"

#include <algorithm>
#include <cmath>
#include <string>

namespace hilda::quantity {
namespace {

bool fits_all(const Quantity& q) { return q.bare && (q.number == 0 || std::isinf(q.number)); }

std::string side(const Quantity& q) {
  if (q.bare) return in_quotes(q.text) + " has no unit";
  return in_quotes(q.text) + (q.unit.dimensionless() ? " has the unit 1" : " is in " + q.unit.text());
}

/// What a number is raised to: a fraction of small numbers, since units have such powers alone.
Exponent exact(double number) {
  for (const int denominator : {1, 2, 3, 4, 5, 6}) {
    const double numerator = number * denominator;
    if (std::abs(numerator) < 100 && numerator == std::round(numerator))
      return {static_cast<std::int64_t>(numerator), denominator};
  }
  return {0, 0};
}

/// How a function treats units.
enum class Kind {
  plain,   ///< a number to a number; an angle will do
  angle,   ///< a number to an angle
  same,    ///< any unit to the same
  sign,    ///< any unit to a bare number
  root,    ///< any unit to its square root
  rounding ///< numbers alone: how many of what would be rounded?
};

double sign_of(double x) { return x > 0 ? 1.0 : x < 0 ? -1.0 : 0.0; }

struct Function {
  std::string_view name;
  double (*function)(double);
  Kind kind;
};
constexpr Function functions[] = {
    {"sin", std::sin, Kind::plain},       {"cos", std::cos, Kind::plain},        {"tan", std::tan, Kind::plain},
    {"asin", std::asin, Kind::angle},     {"acos", std::acos, Kind::angle},      {"atan", std::atan, Kind::angle},
    {"sinh", std::sinh, Kind::plain},     {"cosh", std::cosh, Kind::plain},      {"tanh", std::tanh, Kind::plain},
    {"exp", std::exp, Kind::plain},       {"log", std::log, Kind::plain},        {"ln", std::log, Kind::plain},
    {"log10", std::log10, Kind::plain},   {"sqrt", std::sqrt, Kind::root},       {"abs", std::fabs, Kind::same},
    {"sign", sign_of, Kind::sign},        {"floor", std::floor, Kind::rounding}, {"ceil", std::ceil, Kind::rounding},
    {"round", std::round, Kind::rounding}};
constexpr std::string_view functions_of_several[] = {"atan2", "min", "max"};

Error wrong_count(std::string_view name, bool many, std::string_view expression) {
  return make_error(
      "expression-malformed",
      "in " + shown_expression(expression) + ": too " + (many ? "many" : "few") + " arguments of " + in_quotes(name),
      name == "atan2" ? "atan2 takes two: atan2(y, x)"
                      : "write " + std::string(name) + "(x)" +
                            (name == "min" || name == "max" ? ", or with more, separated by commas" : ""));
}

Error has_unit(std::string_view name, const Quantity& x, std::string_view expression) {
  return make_error("expression-units",
                    "in " + shown_expression(expression) + ": " + side(x) + ", but " + std::string(name) +
                        " takes a number without a unit",
                    "divide it by what it counts, such as 1 " + x.unit.text());
}

Result<Quantity> apply(const Function& function, const Quantity& x, std::string_view expression) {
  Quantity result{function.function(x.number), x.unit, x.bare, {}};
  switch (function.kind) {
  case Kind::same: return result;
  case Kind::root: result.unit = x.unit.pow(Exponent(1, 2)); return result;
  case Kind::sign: return Quantity{result.number, {}, true, {}};
  case Kind::plain:
  case Kind::angle:
    if (!x.unit.without_angle().dimensionless()) return has_unit(function.name, x, expression);
    result.unit = function.kind == Kind::angle ? Unit(Unit::Base::angle) : Unit();
    result.bare = function.kind == Kind::angle ? false : x.bare;
    return result;
  case Kind::rounding:
    if (!x.unit.dimensionless()) return has_unit(function.name, x, expression);
    return result;
  }
  return result;
}

/// min, max and atan2: all arguments measure the same.
Result<Quantity> apply_to_several(std::string_view name, const std::vector<Quantity>& x, std::string_view expression) {
  if (x.empty() || (name == "atan2" && x.size() < 2)) return wrong_count(name, false, expression);
  if (name == "atan2" && x.size() > 2) return wrong_count(name, true, expression);
  Quantity best = x[0];
  for (std::size_t i = 1; i < x.size(); ++i) {
    if (differ(best, x[i])) return units_differ(best, x[i], expression);
    // As std::min_element and std::max_element choose.
    const bool better = name == "min" ? x[i].number < best.number : best.number < x[i].number;
    const std::string_view text = best.text;
    best = of_both(best, x[i], better ? x[i].number : best.number);
    best.text = text;
  }
  if (name == "atan2") return Quantity{std::atan2(x[0].number, x[1].number), Unit(Unit::Base::angle), false, {}};
  return best;
}

} // namespace

bool differ(const Quantity& a, const Quantity& b) {
  const auto zero = [](const Quantity& q) { return q.bare && q.number == 0; };
  if ((zero(a) && b.point) || (zero(b) && a.point)) return true; // 0 K or 0 degC?
  if (fits_all(a) || fits_all(b)) return false;
  if (a.bare != b.bare) return !(a.bare ? b : a).unit.dimensionless();
  return a.unit.without_angle() != b.unit.without_angle();
}

Error units_differ(const Quantity& a, const Quantity& b, std::string_view expression) {
  const bool one_bare = a.bare != b.bare;
  const Quantity& bare = a.bare ? a : b;
  const Quantity& other = a.bare ? b : a;
  const bool literal = !bare.text.empty() && bare.text.find_first_not_of("0123456789.eE") == std::string_view::npos;
  std::string help = "values that are added, compared or chosen between must measure the same";
  if (one_bare)
    help = literal
               ? "numbers in an expression may have units: write " + std::string(bare.text) + " " + other.unit.text()
               : "give its numbers a unit where they are written";
  return make_error("expression-units", "in " + shown_expression(expression) + ": " + side(a) + ", but " + side(b),
                    help);
}

Error zero_point(const Quantity& temperature, std::string_view expression) {
  return make_error(
      "expression-units",
      "in " + shown_expression(expression) + ": " + in_quotes(temperature.text) +
          " is a temperature in degC, which can be compared, chosen, moved by K or taken from another",
      "write a difference of temperatures in K, such as 5 K, and in K what is multiplied, such as 293.15 K");
}

Result<Quantity> sum(const Quantity& a, const Quantity& b, std::string_view expression) {
  if (a.point && b.point) return zero_point(b, expression);
  return of_both(a, b, a.number + b.number);
}

Result<Quantity> difference(const Quantity& a, const Quantity& b, std::string_view expression) {
  if (b.point && !a.point) return zero_point(b, expression);
  Quantity made = of_both(a, b, a.number - b.number);
  made.point = a.point && !b.point;
  return made;
}

Quantity product(const Quantity& a, const Quantity& b) {
  return {a.number * b.number, a.unit * b.unit, a.bare && b.bare, {}};
}

Quantity quotient(const Quantity& a, const Quantity& b) {
  return {a.number / b.number, a.unit / b.unit, a.bare && b.bare, {}};
}

Quantity of_both(const Quantity& a, const Quantity& b, double number) {
  const Quantity& telling = fits_all(a) || (a.bare && !b.bare && !fits_all(b)) ? b : a;
  return {number, telling.unit, telling.bare, {}, a.point || b.point};
}

Result<Quantity> power(const Quantity& base, const Quantity& exponent, std::string_view expression) {
  if (!exponent.unit.dimensionless()) return has_unit("an exponent", exponent, expression);
  Quantity result{std::pow(base.number, exponent.number), {}, base.bare && exponent.bare, {}};
  if (base.unit.dimensionless()) return result;
  const Exponent by = exact(exponent.number);
  if (!by.valid())
    return make_error("expression-units",
                      "in " + shown_expression(expression) + ": " + side(base) + " and cannot be raised to " +
                          in_quotes(exponent.text),
                      "raise a number without a unit, or to a whole number or a small fraction such as 1/2");
  result.unit = base.unit.pow(by);
  return result;
}

bool is_function(std::string_view name) {
  const auto same = [&](const Function& function) { return name == function.name; };
  return std::any_of(std::begin(functions), std::end(functions), same) ||
         std::find(std::begin(functions_of_several), std::end(functions_of_several), name) !=
             std::end(functions_of_several);
}

std::vector<std::string> function_names() {
  std::vector<std::string> names(std::begin(functions_of_several), std::end(functions_of_several));
  for (const Function& function : functions) names.emplace_back(function.name);
  return names;
}

Result<Quantity> apply_function(std::string_view name, const std::vector<Quantity>& arguments,
                                std::string_view expression) {
  const auto* found = std::find_if(std::begin(functions), std::end(functions),
                                   [&](const Function& function) { return name == function.name; });
  const auto point = std::find_if(arguments.begin(), arguments.end(), [](const Quantity& each) { return each.point; });
  if (point != arguments.end() && name != "min" && name != "max") return zero_point(*point, expression);
  if (found == std::end(functions)) return apply_to_several(name, arguments, expression);
  if (arguments.size() != 1) return wrong_count(name, arguments.size() > 1, expression);
  return apply(*found, arguments[0], expression);
}

} // namespace hilda::quantity
