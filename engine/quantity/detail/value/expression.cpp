// SPDX-License-Identifier: BSD-3-Clause
#include "engine/quantity/expression.h"
#include "engine/base/characters.h"
#include "engine/base/diagnostic.h"
#include "engine/quantity/detail/value/number_list.h"
#include "engine/quantity/detail/value/quantity.h"
#include "engine/quantity/expression_tokens.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <optional>
#include <utility>

namespace hilda::quantity {
namespace {

constexpr std::size_t longest_expression = 4096;
constexpr int deepest_nesting = 1000;

Result<const Value*> look_up(const std::string& name, std::string_view expression, const Scope& scope) {
  Result<const Value*> found = scope.find(name);
  if (!found || *found != nullptr) return found;
  const std::string near = nearest(name, scope.names());
  return make_error("expression-name",
                    "no parameter is called " + in_quotes(name) + ", in " + shown_expression(expression),
                    near.empty() ? "declare it with <parameter name=\"...\" value=\"...\"/>"
                                 : "did you mean " + in_quotes(near) + "?");
}

Error not_scalar(const Token& reference, const std::string& is) {
  return make_error("expression-kind", in_quotes(reference.text) + " is " + is + " and cannot be calculated with",
                    "use one number, or an element such as " + std::string(reference.text) + "[0]");
}

/// Where in the numbers the referred element lies.
Result<std::size_t> element(const Token& reference, const Value& value) {
  const Extent& extent = value.extent;
  const std::vector<int>& indices = reference.indices;
  if (static_cast<int>(indices.size()) != extent.rank)
    return indices.empty() ? not_scalar(reference, extent.text())
                           : make_error("expression-kind",
                                        in_quotes(reference.text) + " is " + extent.text() + " but " +
                                            std::to_string(indices.size()) + " indices are given",
                                        "a vector takes one index, a matrix two: m[0,1]");
  const int row = indices.empty() ? 0 : indices[0];
  const int col = indices.size() < 2 ? 0 : indices[1];
  if (row >= extent.rows || col >= extent.cols)
    return make_error("expression-kind",
                      "an index of " + in_quotes(reference.text) + " is beyond its end: it is " + extent.text(),
                      "indices count from 0");
  return static_cast<std::size_t>(col) * static_cast<std::size_t>(extent.rows) + static_cast<std::size_t>(row);
}

Result<Value> element_value(const Token& reference, const Value& value) {
  if (value.kind == Value::Kind::text) {
    if (value.problem()) return *value.problem();
    return make_error("expression-kind",
                      in_quotes(reference.text) + " is the text " + in_quotes(value.text) + ", no number",
                      "calculate with numbers; a text can be passed or be part of another: run_${name}.csv");
  }
  const Result<std::size_t> at = element(reference, value);
  if (!at) return at.error();
  if (reference.indices.empty()) return value;
  Value one = value;
  one.extent = Extent::scalar();
  one.numbers = {value.numbers[*at]};
  one.basis = value.basis_of(*at);
  one.set_bases({});
  one.text = decimal(one.numbers[0]);
  if (one.unit()) one.text += " " + one.reading().unit.text();
  return one;
}

/// How tightly a sign binds; none: it is not a sign between two operands.
std::optional<int> binding(std::string_view sign) {
  struct Binding {
    std::string_view sign;
    int strength;
  };
  constexpr Binding all[] = {{"?", 0},  {"||", 1}, {"&&", 2}, {"<", 3}, {">", 3}, {"<=", 3}, {">=", 3},
                             {"==", 3}, {"!=", 3}, {"+", 4},  {"-", 4}, {"*", 5}, {"/", 5},  {"^", 6}};
  const auto* found = std::find_if(std::begin(all), std::end(all), [&](const Binding& b) { return b.sign == sign; });
  return found == std::end(all) ? std::nullopt : std::optional<int>(found->strength);
}
constexpr int power_strength = 6;

/// Calculates while it reads, by precedence. The first error ends it.
class Calculation {
public:
  Calculation(std::string_view expression, const std::vector<Token>& tokens, const Scope& scope)
      : expression_(expression), tokens_(tokens), scope_(scope) {}

  Result<Value> run() {
    const Quantity result = choice(0, 0);
    if (!error_ && at_ < tokens_.size())
      refuse(sign(",") ? "one number is expected, not several" : "unexpected " + in_quotes(shown(at_)));
    if (error_) return *error_;
    if (std::isnan(result.number) || (std::isinf(result.number) && !infinite_))
      return make_error("expression-result",
                        shown_expression(expression_) + " gives " +
                            (std::isnan(result.number) ? "no number" : "an infinite number"),
                        "look for a division by zero or a function outside its range");
    if (result.point && result.number < 0)
      return make_error("expression-result", shown_expression(expression_) + " gives " + decimal(result.number) + " K",
                        "no temperature is below 0 K; a difference of temperatures is written in K and not in degC");
    Value value = result.bare ? Value::bare(result.number) : Value::measured(result.number, result.unit);
    value.calculated = tokens_.size() > 1;
    if (result.point) value.written = WrittenUnit{*parse_unit("degC"), "degC"};
    return value;
  }

private:
  bool sign(std::string_view wanted) const {
    return at_ < tokens_.size() && tokens_[at_].kind == Token::Kind::sign && tokens_[at_].text == wanted;
  }
  std::string_view shown(std::size_t i) const { return expression_.substr(tokens_[i].at, tokens_[i].length); }

  Quantity refuse(Error error) {
    if (!error_) error_ = std::move(error);
    at_ = tokens_.size();
    return {};
  }
  /// Refuses what is here.
  Quantity refuse(const std::string& why) {
    return refuse(malformed_expression(expression_, at_ < tokens_.size() ? tokens_[at_].at : expression_.size(), why));
  }
  Quantity take(Result<Quantity> outcome) { return outcome ? *std::move(outcome) : refuse(outcome.error()); }

  /// The part of the expression between two tokens.
  std::string_view between(std::size_t first, std::size_t end) const {
    if (first >= end || end > tokens_.size()) return {};
    const std::size_t from = tokens_[first].at;
    return expression_.substr(from, tokens_[end - 1].at + tokens_[end - 1].length - from);
  }

  /// An operand and all signs behind it that bind at least as tightly as `weakest`.
  Quantity choice(int weakest, int depth) {
    if (depth > deepest_nesting) return refuse("it nests too deeply");
    const std::size_t first = at_;
    Quantity left = operand(depth);
    left.text = between(first, at_);
    while (at_ < tokens_.size() && tokens_[at_].kind == Token::Kind::sign) {
      const std::string_view sign = tokens_[at_].text;
      const std::optional<int> strength = binding(sign);
      if (!strength || *strength < weakest) break;
      ++at_;
      if (sign == "?")
        left = alternatives(left, depth);
      else {
        const Quantity right = choice(sign == "^" ? power_strength : *strength + 1, depth + 1);
        if (error_) return {};
        left = combine(sign, left, right);
      }
      left.text = between(first, at_);
    }
    return left;
  }

  Quantity alternatives(const Quantity& condition, int depth) {
    const Quantity chosen = choice(0, depth + 1);
    if (error_) return {};
    if (!sign(":")) return refuse("':' is missing after '?'");
    ++at_;
    const Quantity other = choice(0, depth + 1);
    if (error_) return {};
    if (differ(chosen, other)) return refuse(units_differ(chosen, other, expression_));
    return of_both(chosen, other, condition.number != 0 ? chosen.number : other.number);
  }

  Quantity combine(std::string_view sign, const Quantity& a, const Quantity& b) {
    const double x = a.number, y = b.number;
    const bool scales = sign == "*" || sign == "/" || sign == "^";
    if (scales && (a.point || b.point)) return refuse(zero_point(a.point ? a : b, expression_));
    if (sign == "*") return product(a, b);
    if (sign == "/") return quotient(a, b);
    if (sign == "^") return take(power(a, b, expression_));
    if (sign == "&&") return Quantity::truth(x != 0 && y != 0);
    if (sign == "||") return Quantity::truth(x != 0 || y != 0);
    if (differ(a, b)) return refuse(units_differ(a, b, expression_));
    if (sign == "+") return take(sum(a, b, expression_));
    if (sign == "-") return take(difference(a, b, expression_));
    if (sign == "<") return Quantity::truth(x < y);
    if (sign == ">") return Quantity::truth(x > y);
    if (sign == "<=") return Quantity::truth(x <= y);
    if (sign == ">=") return Quantity::truth(x >= y);
    return Quantity::truth(sign == "==" ? x == y : x != y);
  }

  Quantity operand(int depth) {
    if (at_ == tokens_.size()) return refuse("it ends too early");
    const Token& token = tokens_[at_];
    if (token.kind == Token::Kind::number) return number(token);
    if (token.kind == Token::Kind::name) return name(token);
    if (token.kind == Token::Kind::function) return function(token, depth);
    if (token.text == "(") {
      ++at_;
      Quantity inner = choice(0, depth + 1);
      if (!error_ && !sign(")"))
        return refuse(at_ == tokens_.size() ? "a parenthesis is not closed" : "unexpected " + in_quotes(shown(at_)));
      ++at_;
      return inner;
    }
    if (token.text != "-" && token.text != "+" && token.text != "!")
      return refuse("unexpected " + in_quotes(token.text));
    ++at_;
    if (token.text == "-" && at_ < tokens_.size() && tokens_[at_].kind == Token::Kind::number)
      if (const Result<UnitReading> unit = parse_unit(tokens_[at_].text); unit && unit->offset != 0)
        return number(tokens_[at_], -1); // -5 degC is not the opposite of 5 degC
    Quantity inner = choice(power_strength, depth + 1);
    if (inner.point && token.text == "-") return refuse(zero_point(inner, expression_));
    if (token.text == "!") return Quantity::truth(inner.number == 0);
    if (token.text == "-") inner.number = -inner.number;
    return inner;
  }

  Quantity number(const Token& token, double sign = 1) {
    if (token.text.empty()) {
      ++at_;
      return {token.number, {}, true, {}};
    }
    const Result<UnitReading> unit = parse_unit(token.text);
    if (!unit) {
      const bool name = is_name(token.text);
      return refuse(unit.error().what + (name ? "; to multiply write '*'" : ""));
    }
    if (const std::string both = also_parameter(token.text); !both.empty())
      return refuse(in_quotes(both) + " in " + in_quotes(token.text) +
                    " is a unit and a parameter: to divide by the parameter put blanks around '/', to divide by the "
                    "unit write / 1 " +
                    both);
    ++at_;
    const Quantity made{unit->to_si(sign * token.number), unit->unit, false, {}, unit->offset != 0};
    return made.point && made.number < 0 ? refuse(below_absolute_zero(sign * token.number, std::string(token.text)))
                                         : made;
  }

  /// The name of a parameter that is in a unit behind '/', where it may have been meant.
  std::string also_parameter(std::string_view unit) const {
    std::vector<std::string> names;
    for (std::size_t at = unit.find('/'); at != std::string_view::npos; at = unit.find('/', at)) {
      std::size_t end = ++at;
      while (end < unit.size() && in_name(unit[end])) ++end;
      if (names.empty()) names = scope_.names();
      std::string name(unit.substr(at, end - at));
      if (std::find(names.begin(), names.end(), name) != names.end()) return name;
    }
    return {};
  }

  Quantity name(const Token& token) {
    if (token.indices.empty() && (token.text == "pi" || token.text == "inf")) {
      ++at_;
      infinite_ = infinite_ || token.text == "inf";
      return {token.text == "pi" ? std::numbers::pi : std::numeric_limits<double>::infinity(), {}, true, {}};
    }
    const Result<const Value*> found = look_up(std::string(token.text), expression_, scope_);
    if (!found) return refuse(found.error());
    const Result<Value> one = element_value(token, **found);
    if (!one) return refuse(one.error());
    ++at_;
    const double value = one->numbers[0];
    infinite_ = infinite_ || std::isinf(value);
    const std::optional<Unit> unit = one->unit();
    return {value, unit.value_or(Unit()), !unit, {}, unit && one->reading().offset != 0};
  }

  Quantity function(const Token& token, int depth) {
    std::vector<Quantity> arguments;
    at_ += 2; // its name and the parenthesis
    while (!error_ && !sign(")")) {
      if (!spread(token.text, arguments)) arguments.push_back(choice(0, depth + 1));
      if (error_) return {};
      if (at_ == tokens_.size()) return refuse("a parenthesis is not closed");
      if (!sign(")") && !sign(",")) return refuse("unexpected " + in_quotes(shown(at_)));
      if (!sign(",")) continue;
      ++at_;
      if (sign(")")) return refuse("unexpected ')'");
    }
    ++at_;
    return take(apply_function(token.text, arguments, expression_));
  }

  /// A vector or matrix that is an argument of min or max by itself stands for all its elements.
  bool spread(std::string_view function, std::vector<Quantity>& arguments) {
    const std::size_t here = at_;
    const auto ends = [&](std::string_view by) {
      return here + 1 < tokens_.size() && tokens_[here + 1].kind == Token::Kind::sign && tokens_[here + 1].text == by;
    };
    const bool alone = here < tokens_.size() && tokens_[here].kind == Token::Kind::name &&
                       tokens_[here].indices.empty() && (ends(",") || ends(")"));
    if (!alone || (function != "min" && function != "max")) return false;
    const Result<const Value*> found = scope_.find(std::string(tokens_[here].text));
    if (!found || *found == nullptr || (*found)->kind == Value::Kind::text || (*found)->extent.rank < 1) return false;
    const Extent& extent = (*found)->extent;
    for (int row = 0; row < extent.rows; ++row)
      for (int col = 0; col < extent.cols && !error_; ++col) {
        Token one = tokens_[here];
        one.indices = extent.rank == 1 ? std::vector<int>{row} : std::vector<int>{row, col};
        at_ = here;
        arguments.push_back(name(one));
      }
    return true;
  }

  std::string_view expression_;
  const std::vector<Token>& tokens_;
  const Scope& scope_;
  std::size_t at_ = 0;
  bool infinite_ = false; ///< an operand is
  std::optional<Error> error_;
};

} // namespace

bool is_name(std::string_view text) {
  return !text.empty() && starts_name(text.front()) && std::all_of(text.begin(), text.end(), in_name);
}

std::string shown_expression(std::string_view expression) {
  const std::string text = in_quotes(expression);
  return "${" + text.substr(1, text.size() - 2) + "}";
}

std::vector<std::string> names_in(std::string_view expression) {
  std::vector<std::string> names;
  if (expression.size() > longest_expression) return names;
  const Result<std::vector<Token>> found = tokens(expression);
  if (!found) return names;
  for (const Token& token : *found)
    if (token.kind == Token::Kind::name && token.text != "pi" && token.text != "inf" &&
        std::find(names.begin(), names.end(), token.text) == names.end())
      names.emplace_back(token.text);
  return names;
}

Result<Value> evaluate(std::string_view expression, const Scope& scope) {
  expression = trimmed(expression);
  if (expression.empty()) return malformed_expression(expression, 0, "it is empty");
  if (expression.size() > longest_expression)
    return malformed_expression(expression, longest_expression, "it is too long");
  const bool constant = expression == "pi" || expression == "inf";
  if (is_name(expression) && !constant) {
    const Result<const Value*> found = look_up(std::string(expression), expression, scope);
    if (!found) return found.error();
    return **found;
  }
  const Result<std::vector<Token>> words = tokens(expression);
  if (!words) return words.error();
  const Token& first = words->front();
  if (words->size() == 1 && first.kind == Token::Kind::name && !constant) {
    const Result<const Value*> found = look_up(std::string(first.text), expression, scope);
    if (!found) return found.error();
    return element_value(first, **found);
  }
  return Calculation(expression, *words, scope).run();
}

} // namespace hilda::quantity
