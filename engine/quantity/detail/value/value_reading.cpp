// SPDX-License-Identifier: BSD-3-Clause
#include "engine/base/characters.h"
#include "engine/quantity/detail/value/named_constants.h"
#include "engine/quantity/detail/value/number_list.h"
#include "engine/quantity/expression.h"
#include "engine/quantity/value.h"

#include <algorithm>

namespace hilda::quantity {
namespace {

/// `written` is what the text looks like to people, `text` may have placeholders.
Value list_or_text(std::string_view text, const std::vector<Value>& inserted, std::string written) {
  Value value = read_list(text, inserted);
  value.text = std::move(written);
  return value;
}

/// The text with its `${}` taken out and evaluated.
struct Substitution {
  std::string text;     ///< a placeholder for each
  std::string written;  ///< their values inserted
  NamedConstants named; ///< their values as constants
  std::string glued;    ///< a `${}` that is a number and is right at another character, if there is one
  std::vector<Value> values;
  bool numeric = true; ///< all are single numbers
};

Error unclosed(std::string_view text) {
  return make_error("expression-malformed", "in " + in_quotes(text) + ": '${' is not closed",
                    "write ${name} or ${2*name}");
}

/// Text inside text: one number, boolean or text.
std::optional<Error> cannot_insert(const Value& value, std::string_view expression) {
  if (value.kind == Value::Kind::text || value.scalar()) return std::nullopt;
  return make_error("expression-kind",
                    "${" + std::string(expression) + "} is " + value.extent.text() +
                        " and cannot be part of a text or list",
                    "pass it alone, or one element such as " + std::string(expression) + "[0]");
}

/// A number ends at a blank, at the end of a row or list, and where its unit begins.
bool ends_number(std::string_view rest) {
  if (rest.empty() || is_blank(rest[0]) || rest[0] == ';' || rest[0] == '%') return true;
  return is_letter(rest[0]) || (static_cast<unsigned char>(rest[0]) & 0x80U) != 0;
}

Result<Substitution> substitute(std::string_view text, const Scope& scope) {
  Substitution result;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t open = std::min(text.find("${", at), text.size());
    const std::string_view between = text.substr(at, open - at);
    result.text += between;
    result.written += between;
    result.named.append(between);
    if (open == text.size()) break;
    const std::size_t close = text.find('}', open);
    if (close == std::string_view::npos) return unclosed(text);
    const std::string_view expression = trimmed(text.substr(open + 2, close - open - 2));
    Result<Value> value = evaluate(expression, scope);
    if (!value) return value.error();
    if (std::optional<Error> refused = cannot_insert(*value, expression)) return *refused;
    const bool begins = open == 0 || is_blank(text[open - 1]) || text[open - 1] == ';';
    if (value->kind == Value::Kind::number && !(begins && ends_number(text.substr(close + 1))) && result.glued.empty())
      result.glued = text.substr(open, close + 1 - open);
    result.numeric = result.numeric && value->kind == Value::Kind::number;
    result.text += placeholder;
    result.written += value->text;
    result.named.insert(text.substr(open, close + 1 - open), *value);
    result.values.push_back(std::move(*value));
    at = close + 1;
  }
  return result;
}

/// Digits that `${}` put next to others would read as another number.
Value refuse_glued(std::string_view text, Substitution& substitution) {
  Value value = list_or_text(substitution.written, {}, substitution.written);
  if (value.kind == Value::Kind::text || substitution.glued.empty()) return value;
  value = Value::of_text(std::move(substitution.written));
  value.set_problem(make_error("value-number",
                               in_quotes(substitution.glued) + " in " + in_quotes(text) +
                                   " is a number, and the text next to it would become part of it",
                               "calculate within the braces: ${-gap}, ${10*count}"));
  return value;
}

} // namespace

Result<Value> read_value(std::string_view text, const Scope& scope) {
  const bool strange = text.find(placeholder) != std::string_view::npos;
  if (strange) return make_error("value-number", in_quotes(text) + " holds a control character", "remove it");
  const std::size_t open = text.find("${");
  if (open == std::string_view::npos) return list_or_text(text, {}, std::string(text));
  const std::string_view whole = trimmed(text);
  if (whole.substr(0, 2) == "${" && whole.find('}') == whole.size() - 1)
    return evaluate(whole.substr(2, whole.size() - 3), scope);
  Result<Substitution> substitution = substitute(text, scope);
  if (!substitution) return substitution.error();
  if (substitution->numeric) {
    Value value = list_or_text(substitution->text, substitution->values, substitution->written);
    if (value.kind == Value::Kind::number || (value.problem() && substitution->glued.empty())) {
      value.set_with_constants(substitution->named.text());
      return value;
    }
  }
  Value value = refuse_glued(text, *substitution);
  value.set_with_constants(substitution->named.text());
  return value;
}

std::vector<std::string> references(std::string_view text) {
  std::vector<std::string> all;
  for (std::size_t open = text.find("${"); open != std::string_view::npos;) {
    const std::size_t close = text.find('}', open);
    if (close == std::string_view::npos) break;
    for (std::string& name : names_in(text.substr(open + 2, close - open - 2)))
      if (std::find(all.begin(), all.end(), name) == all.end()) all.push_back(std::move(name));
    open = text.find("${", close);
  }
  return all;
}

} // namespace hilda::quantity
