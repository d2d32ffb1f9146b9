// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <set>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

// The text of an equation as a tree.

namespace equations {

/// Why a text was refused.
struct Refusal : std::runtime_error {
  Refusal(const std::string& what, std::string advice) : std::runtime_error(what), help(std::move(advice)) {}
  std::string help;
};

struct Node {
  enum class Kind { number, name, negation, inversion, operation, choice, call, element };
  Kind kind = Kind::number;
  double number = 0;
  std::string text; ///< a name, a function, an operator; of the number in after(2 s), its unit
  std::vector<Node> of;
};

/// Reads an expression: + - * / ^, comparisons, && || !, c ? a : b, calls f(a, b), elements x[0], A[1,2].
Node read_expression(std::string_view text);

/// "x' = v", "n+ = n + 1", "y = x": the name on the left, and how it is meant.
struct Equation {
  enum class Form { derivative, next, value };
  Form form = Form::value;
  std::string left;
  Node right;
};
Equation read_equation(std::string_view text);

/// Whether an expression is true or false and not a number; `truths`: names that stand for such.
bool is_condition(const Node& node, const std::set<std::string>& truths = {});
/// Throws where it is none.
void want_condition(const Node& node, const std::set<std::string>& truths = {});

/// The names that an expression uses, each once.
void collect_names(const Node& node, std::vector<std::string>& names);

bool is_identifier(std::string_view text);

} // namespace equations
