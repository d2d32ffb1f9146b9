#include "engine/model/calculator.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <exception>
#include <muParser.h>
#include <numbers>

namespace hilda {
namespace {

double sign_of(double x) { return x > 0 ? 1.0 : x < 0 ? -1.0 : 0.0; }
double negate(double x) { return x == 0 ? 1.0 : 0.0; }
/// In the place of muParser's own '^', which takes pow from the process: an interpreter's may be another than ours.
double power(double base, double exponent) { return std::pow(base, exponent); }
double smallest(const double* values, int count) {
  if (count < 1) throw mu::ParserError("min needs an argument");
  return *std::min_element(values, values + count);
}
double largest(const double* values, int count) {
  if (count < 1) throw mu::ParserError("max needs an argument");
  return *std::max_element(values, values + count);
}

struct Function {
  const char* name;
  double (*function)(double);
};
constexpr Function functions[] = {{"sin", std::sin},   {"cos", std::cos},    {"tan", std::tan},   {"asin", std::asin},
                                  {"acos", std::acos}, {"atan", std::atan},  {"sinh", std::sinh}, {"cosh", std::cosh},
                                  {"tanh", std::tanh}, {"exp", std::exp},    {"log", std::log},   {"log10", std::log10},
                                  {"sqrt", std::sqrt}, {"abs", std::fabs},   {"sign", sign_of},   {"floor", std::floor},
                                  {"ceil", std::ceil}, {"round", std::round}};
constexpr const char* functions_of_several[] = {"atan2", "min", "max"};

/// A parser that knows our functions and nothing else.
void set_up(mu::Parser& parser) {
  parser.ClearFun();
  parser.EnableOptimizer(false); // one text, one sequence of operations
  parser.DefineNameChars("0123456789_.#abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ");
  for (const Function& f : functions) parser.DefineFun(f.name, f.function);
  parser.DefineFun("atan2", static_cast<double (*)(double, double)>(std::atan2));
  parser.DefineFun("min", smallest);
  parser.DefineFun("max", largest);
  parser.DefineInfixOprt("!", negate);
  parser.EnableBuiltInOprt(false); // else the name is taken
  parser.DefineOprt("^", power, mu::prPOW, mu::oaRIGHT);
  parser.EnableBuiltInOprt(true);
}

std::string why(const mu::ParserError& error) {
  switch (error.GetCode()) {
  case mu::ecUNEXPECTED_EOF: return "it ends too early";
  case mu::ecMISSING_PARENS: return "a parenthesis is not closed";
  case mu::ecMISSING_ELSE_CLAUSE: return "':' is missing after '?'";
  case mu::ecTOO_MANY_PARAMS: return "too many arguments of " + quoted(error.GetToken());
  case mu::ecTOO_FEW_PARAMS: return "too few arguments of " + quoted(error.GetToken());
  case mu::ecGENERIC: return error.GetMsg();
  default: return error.GetToken().empty() ? "it does not read" : "unexpected " + quoted(error.GetToken());
  }
}

} // namespace

Outcome<double> calculate(std::string_view expression, const std::string& text, const std::vector<Operand>& operands) {
  thread_local mu::Parser parser = [] {
    mu::Parser fresh;
    set_up(fresh);
    return fresh;
  }();
  try {
    parser.ClearConst();
    parser.DefineConst("pi", std::numbers::pi);
    for (const Operand& operand : operands) parser.DefineConst(operand.name, operand.number);
    parser.SetExpr(text);
    int results = 0;
    const double* values = parser.Eval(results);
    if (results == 1) return values[0];
    return malformed_expression(expression, text.find(','), "one number is wanted, not " + std::to_string(results));
  } catch (const mu::ParserError& error) {
    const int at = error.GetPos();
    return malformed_expression(expression, at < 0 ? 0 : std::min(static_cast<std::size_t>(at), expression.size()),
                                why(error));
  } catch (const std::exception& error) { return malformed_expression(expression, 0, error.what()); }
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

Complaint malformed_expression(std::string_view expression, std::size_t at, const std::string& why) {
  return complain("expression-malformed",
                  "in " + shown_expression(expression) + ", column " + std::to_string(at + 1) + ": " + why,
                  "write an expression of numbers and parameters such as ${2*pi*frequency}");
}

std::string shown_expression(std::string_view expression) {
  const std::string text = quoted(expression);
  return "${" + text.substr(1, text.size() - 2) + "}";
}

} // namespace hilda
