// SPDX-License-Identifier: BSD-3-Clause
#include "expression_words.h"

#include <algorithm>
#include <hilda/block.h>
#include <hilda/flags.h>
#include <memory>
#include <muParser.h>
#include <string>
#include <vector>

namespace {
using namespace hilda;

double smallest(const double* x, int n) { return *std::min_element(x, x + n); }
double largest(const double* x, int n) { return *std::max_element(x, x + n); }

/// muParser's built-in '^' is taken where a digit follows, and does not group to the right with one of ours: 2^u^2 was
/// (2^u)^2. So ours has another sign, which expressions may not contain.
constexpr char power_sign = '@';

/// A parser that knows the functions below and nothing else: muParser's own set holds a random generator.
void define_functions(mu::Parser& p) {
  p.ClearFun();
  for (const auto& [name, function] : expression_words::of_one) p.DefineFun(name, function);
  for (const auto& [name, function] : expression_words::of_two) p.DefineFun(name, function);
  p.DefineFun("min", smallest);
  p.DefineFun("max", largest);
  const std::string power(1, power_sign);
  p.DefineOprtChars(power.c_str());
  p.DefineOprt(power, expression_words::power, mu::prPOW, mu::oaRIGHT);
  p.ClearConst();
  p.DefineConst("pi", M_PI);
}

struct Function : Block {
  static constexpr std::uint32_t type_flags = HILDA_RAISES_NO_FLAGS; // constants of the expression may be infinite
  Input<Elements<>> u{*this, "u", "*s", "@u", "Variable u of the expression, in SI", optional};
  Input<Elements<>> v{*this, "v", "*s", "@v", "Variable v, of the same shape", optional};
  Input<Elements<>> w{*this, "w", "*s", "@w", "Variable w, of the same shape", optional};
  Input<Elements<>> a{*this, "a", "*s", "@a", "Variable a, of the same shape", optional};
  Input<Elements<>> b{*this, "b", "*s", "@b", "Variable b, of the same shape", optional};
  Input<Elements<>> c{*this, "c", "*s", "@c", "Variable c, of the same shape", optional};
  Output<Elements<>> y{*this, "y", "*s", "@y", "Value of the expression in SI, element by element"};
  Parameter<Expression> expression{*this, "expression",
                                   "In the variables that are wired and t (s), such as \"a*sin(2*pi*t) + u^2\""};

  void configure(const Instance& self) override {
    parser_ = std::make_unique<mu::Parser>();
    variables_.clear();
    // muParser would assign: u = 2 ? 5 : 7 would change u, and be true.
    if (const std::size_t sign = expression_words::equal_sign(*expression); sign != std::string_view::npos)
      return self.report("expression", "cannot be read at character " + std::to_string(sign + 1) +
                                           ": '=' would assign, and an expression changes nothing. Compare with ==.");
    if (const std::size_t sign = (*expression).find(power_sign); sign != std::string::npos)
      return self.report("expression", "cannot be read at character " + std::to_string(sign + 1) +
                                           ": '@' is not part of an expression.");
    try {
      define_functions(*parser_);
      parser_->DefineVar("t", &time_);
      const std::pair<const char*, const Input<Elements<>>*> inputs[] = {{"u", &u}, {"v", &v}, {"w", &w},
                                                                         {"a", &a}, {"b", &b}, {"c", &c}};
      for (std::size_t k = 0; k < most; ++k) {
        if (!inputs[k].second->connected()) continue;
        parser_->DefineVar(inputs[k].first, &values_[k]);
        variables_.push_back({inputs[k].second, &values_[k]});
      }
      // One sign more than muParser's own: what `${}` brought is called as it is written.
      parser_->DefineNameChars("0123456789_${}abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ");
      for (const auto& constant : expression.constants()) parser_->DefineConst(constant.name, constant.number);
      std::string text = *expression;
      std::replace(text.begin(), text.end(), '^', power_sign);
      parser_->SetExpr(text);
      parser_->Eval(); // translates the expression, so that the loop only evaluates it
      if (parser_->GetNumResults() != 1)
        self.report("expression", "has several values, separated by commas; write one");
    } catch (const mu::ParserError& e) { self.report("expression", describe(e)); }
  }
  void output(const Tick& t) override {
    auto out = *y;
    time_ = t.time();
    for (Eigen::Index i = 0; i < out.size(); ++i) {
      for (const Variable& variable : variables_) *variable.value = (**variable.input)[i];
      out[i] = parser_->Eval();
    }
  }

private:
  static constexpr std::size_t most = 6;
  struct Variable {
    const Input<Elements<>>* input;
    double* value;
  };
  static std::string describe(const mu::ParserError& e) {
    const std::string place = e.GetPos() < 0 ? "" : " at character " + std::to_string(e.GetPos() + 1);
    const bool unknown = e.GetCode() == mu::ecUNASSIGNABLE_TOKEN;
    std::string message = e.GetMsg();
    std::replace(message.begin(), message.end(), power_sign, '^');
    return "cannot be read" + place + ": " + message +
           (unknown ? " Variables are t and the inputs u, v, w, a, b, c that are wired." : "");
  }

  std::unique_ptr<mu::Parser> parser_;
  std::vector<Variable> variables_;
  double values_[most]{};
  double time_ = 0;
};

HILDA_BLOCK(Function,
            "Evaluates an expression of its inputs and of time, element by element; for time alone wire a Clock to u. "
            "Operators + - * / ^, comparisons, && || "
            "and c ? a : b; functions sin cos tan asin acos atan sinh cosh tanh exp ln log (the same) log10 sqrt abs "
            "floor ceil round sign "
            "atan2 hypot mod pow min max; the constant pi. Angles are in rad, all values in SI.")
} // namespace
