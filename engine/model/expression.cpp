#include "engine/model/expression.h"
#include "engine/model/calculator.h"
#include "engine/model/characters.h"
#include "engine/model/diagnostic.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <utility>

namespace hilda {
namespace {

constexpr std::size_t longest_expression = 4096;

bool starts_name(char c) { return is_letter(c) || c == '_'; }
bool in_name(char c) { return starts_name(c) || is_digit(c) || c == '.'; }
/// A name as it stands in an expression: "gap", or "v[2]" with its indices.
struct Reference {
  std::string name;
  std::size_t at = 0;     ///< where it begins
  std::size_t length = 0; ///< with the brackets
  std::vector<int> indices;
};

std::size_t after_blanks(std::string_view text, std::size_t at) {
  while (at < text.size() && is_blank(text[at])) ++at;
  return at;
}

std::size_t after_number(std::string_view text, std::size_t at) {
  double number = 0;
  const char* end = std::from_chars(text.data() + at, text.data() + text.size(), number).ptr;
  return std::max(at + 1, static_cast<std::size_t>(end - text.data()));
}

/// Reads "[2]" or "[0,1]" behind a name.
Outcome<std::size_t> read_indices(std::string_view text, std::size_t at, std::vector<int>& indices) {
  do {
    at = after_blanks(text, at + 1);
    int index = 0;
    const auto [end, error] = std::from_chars(text.data() + at, text.data() + text.size(), index);
    if (error != std::errc() || index < 0) return malformed_expression(text, at, "an index is a whole number from 0");
    indices.push_back(index);
    at = after_blanks(text, static_cast<std::size_t>(end - text.data()));
  } while (at < text.size() && text[at] == ',' && indices.size() < 2);
  if (at == text.size() || text[at] != ']') return malformed_expression(text, at, "']' is missing");
  return at + 1;
}

/// True for the signs that expressions are made of, beside names and numbers.
bool is_sign(std::string_view text, std::size_t at) {
  constexpr std::string_view signs = "+-*/^(),<>!?: \t\n\r";
  if (signs.find(text[at]) != std::string_view::npos) return true;
  const char next = at + 1 < text.size() ? text[at + 1] : '\0';
  const char last = at > 0 ? text[at - 1] : '\0';
  if (text[at] == '=')
    return next == '=' || (last != '\0' && std::string_view("=<>!").find(last) != std::string_view::npos);
  return (text[at] == '&' || text[at] == '|') && (next == text[at] || last == text[at]);
}

Complaint no_function(const std::string& name, std::string_view expression) {
  const std::string near = nearest(name, function_names());
  return complain("expression-name", "no function is called " + quoted(name) + ", in " + shown_expression(expression),
                  near.empty() ? "functions are sin, cos, sqrt, min, max, abs and the like"
                               : "did you mean " + quoted(near) + "?");
}

/// The references of an expression; names of functions (followed by a parenthesis) and pi are none.
Outcome<std::vector<Reference>> scan(std::string_view text) {
  std::vector<Reference> found;
  for (std::size_t at = 0; at < text.size();) {
    if (is_digit(text[at]) || text[at] == '.') {
      at = after_number(text, at);
      continue;
    }
    if (!starts_name(text[at])) {
      if (!is_sign(text, at)) return malformed_expression(text, at, "unexpected " + quoted(text.substr(at, 1)));
      ++at;
      continue;
    }
    std::size_t end = at;
    while (end < text.size() && in_name(text[end])) ++end;
    Reference reference{std::string(text.substr(at, end - at)), at, end - at, {}};
    const std::size_t next = after_blanks(text, end);
    const char follower = next < text.size() ? text[next] : '\0';
    if (follower == '(') {
      if (!is_function(reference.name)) return no_function(reference.name, text);
    } else if (reference.name != "pi") {
      if (follower == '[') {
        const Outcome<std::size_t> close = read_indices(text, next, reference.indices);
        if (!close) return close.complaint();
        end = *close;
        reference.length = end - at;
      }
      found.push_back(std::move(reference));
    }
    at = end;
  }
  return found;
}

Outcome<const Value*> look_up(const std::string& name, std::string_view expression, const Scope& scope) {
  Outcome<const Value*> found = scope.find(name);
  if (!found || *found != nullptr) return found;
  const std::string near = nearest(name, scope.names());
  return complain("expression-name", "no parameter is called " + quoted(name) + ", in " + shown_expression(expression),
                  near.empty() ? "declare it with <parameter name=\"...\" value=\"...\"/>"
                               : "did you mean " + quoted(near) + "?");
}

Complaint not_scalar(const Reference& reference, const std::string& is) {
  return complain("expression-kind", quoted(reference.name) + " is " + is + " and cannot be calculated with",
                  "use one number, or an element such as " + reference.name + "[0]");
}

/// Where in the numbers the referred element lies.
Outcome<std::size_t> element(const Reference& reference, const Value& value) {
  const Extent& extent = value.extent;
  const std::vector<int>& indices = reference.indices;
  if (static_cast<int>(indices.size()) != extent.rank)
    return indices.empty() ? not_scalar(reference, extent.text())
                           : complain("expression-kind",
                                      quoted(reference.name) + " is " + extent.text() + " but " +
                                          std::to_string(indices.size()) + " indices are given",
                                      "a vector takes one index, a matrix two: m[0,1]");
  const int row = indices.empty() ? 0 : indices[0];
  const int col = indices.size() < 2 ? 0 : indices[1];
  if (row >= extent.rows || col >= extent.cols)
    return complain("expression-kind",
                    "an index of " + quoted(reference.name) + " is beyond its end: it is " + extent.text(),
                    "indices count from 0");
  return static_cast<std::size_t>(col) * static_cast<std::size_t>(extent.rows) + static_cast<std::size_t>(row);
}

Outcome<Value> element_value(const Reference& reference, const Value& value) {
  if (value.kind == Value::Kind::text) {
    if (value.problem) return *value.problem;
    return complain("expression-kind", quoted(reference.name) + " is the text " + quoted(value.text) + ", no number",
                    "calculate with numbers; a text can be passed or stand within another: run_${name}.csv");
  }
  const Outcome<std::size_t> at = element(reference, value);
  if (!at) return at.complaint();
  if (reference.indices.empty()) return value;
  Value one = value;
  one.extent = Extent::scalar();
  one.numbers = {value.numbers[*at]};
  one.basis = value.basis_of(*at);
  one.bases.clear();
  one.text = decimal(one.numbers[0]);
  return one;
}

/// muParser wants the parenthesis right behind a function's name: "cos (x)" becomes "cos( x)".
void close_gaps(std::string& text) {
  for (std::size_t at = 1; at < text.size(); ++at) {
    if (text[at] != '(' || !is_blank(text[at - 1])) continue;
    std::size_t name_end = at;
    while (name_end > 0 && is_blank(text[name_end - 1])) --name_end;
    if (name_end > 0 && in_name(text[name_end - 1])) std::swap(text[name_end], text[at]);
  }
}

Outcome<Value> compute(std::string_view expression, const std::vector<Reference>& references, const Scope& scope) {
  std::string text(expression);
  std::vector<Operand> operands;
  bool from_bare = true;
  bool infinite = false;
  for (const Reference& reference : references) {
    const Outcome<const Value*> found = look_up(reference.name, expression, scope);
    if (!found) return found.complaint();
    const Outcome<Value> operand = element_value(reference, **found);
    if (!operand) return operand.complaint();
    // Of the same length as what it stands for, so that columns in messages are right.
    std::string alias(text, reference.at, reference.length);
    for (char& c : alias)
      if (!in_name(c)) c = '#';
    text.replace(reference.at, reference.length, alias);
    const double number = operand->numbers[0];
    infinite = infinite || std::isinf(number);
    from_bare = from_bare && (operand->basis == Value::Basis::bare || operand->from_bare);
    operands.push_back({std::move(alias), number});
  }
  close_gaps(text);
  const Outcome<double> result = calculate(expression, text, operands);
  if (!result) return result.complaint();
  if (std::isnan(*result) || (std::isinf(*result) && !infinite))
    return complain("expression-result",
                    shown_expression(expression) + " gives " +
                        (std::isnan(*result) ? "no number" : "an infinite number"),
                    "look for a division by zero or a function outside its range");
  Value value = Value::computed(*result);
  value.from_bare = from_bare;
  return value;
}

} // namespace

bool is_name(std::string_view text) {
  return !text.empty() && starts_name(text.front()) && std::all_of(text.begin(), text.end(), in_name);
}

std::vector<std::string> names_in(std::string_view expression) {
  std::vector<std::string> names;
  if (expression.size() > longest_expression) return names;
  const Outcome<std::vector<Reference>> found = scan(expression);
  if (!found) return names;
  for (const Reference& reference : *found)
    if (std::find(names.begin(), names.end(), reference.name) == names.end()) names.push_back(reference.name);
  return names;
}

Outcome<Value> evaluate(std::string_view expression, const Scope& scope) {
  expression = trimmed(expression);
  if (expression.empty()) return malformed_expression(expression, 0, "it is empty");
  if (expression.size() > longest_expression)
    return malformed_expression(expression, longest_expression, "it is too long");
  if (is_name(expression) && expression != "pi") {
    const Outcome<const Value*> found = look_up(std::string(expression), expression, scope);
    if (!found) return found.complaint();
    return **found;
  }
  const Outcome<std::vector<Reference>> references = scan(expression);
  if (!references) return references.complaint();
  if (references->size() == 1 && references->front().length == expression.size()) {
    const Outcome<const Value*> found = look_up(references->front().name, expression, scope);
    if (!found) return found.complaint();
    return element_value(references->front(), **found);
  }
  return compute(expression, *references, scope);
}

} // namespace hilda
