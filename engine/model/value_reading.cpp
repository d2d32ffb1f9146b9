#include "engine/model/characters.h"
#include "engine/model/expression.h"
#include "engine/model/number_list.h"
#include "engine/model/value.h"

#include <algorithm>

namespace hilda {
namespace {

/// `written` is what the text looks like to people, `text` may have placeholders.
Value list_or_text(std::string_view text, const std::vector<Value>& inserted, std::string written) {
  Value value = read_list(text, inserted);
  value.text = std::move(written);
  return value;
}

/// The text with its `${}` taken out and evaluated.
struct Substitution {
  std::string text;    ///< a placeholder for each
  std::string written; ///< their values inserted
  std::vector<Value> values;
  bool numeric = true; ///< all are single numbers
};

Complaint unclosed(std::string_view text) {
  return complain("expression-malformed", "in " + quoted(text) + ": '${' is not closed", "write ${name} or ${2*name}");
}

/// Text inside text: one number, boolean or text.
std::optional<Complaint> cannot_insert(const Value& value, std::string_view expression) {
  if (value.kind == Value::Kind::text || value.scalar()) return std::nullopt;
  return complain("expression-kind",
                  "${" + std::string(expression) + "} is " + value.extent.text() +
                      " and cannot stand within a text or list",
                  "pass it alone, or one element such as " + std::string(expression) + "[0]");
}

Outcome<Substitution> substitute(std::string_view text, const Scope& scope) {
  Substitution result;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t open = std::min(text.find("${", at), text.size());
    result.text += text.substr(at, open - at);
    result.written += text.substr(at, open - at);
    if (open == text.size()) break;
    const std::size_t close = text.find('}', open);
    if (close == std::string_view::npos) return unclosed(text);
    const std::string_view expression = trimmed(text.substr(open + 2, close - open - 2));
    Outcome<Value> value = evaluate(expression, scope);
    if (!value) return value.complaint();
    if (std::optional<Complaint> refused = cannot_insert(*value, expression)) return *refused;
    result.numeric = result.numeric && value->kind == Value::Kind::number;
    result.text += placeholder;
    result.written += value->text;
    result.values.push_back(std::move(*value));
    at = close + 1;
  }
  return result;
}

} // namespace

Outcome<Value> read_value(std::string_view text, const Scope& scope) {
  const bool strange = text.find(placeholder) != std::string_view::npos;
  if (strange) return complain("value-number", quoted(text) + " holds a control character", "remove it");
  const std::size_t open = text.find("${");
  if (open == std::string_view::npos) return list_or_text(text, {}, std::string(text));
  const std::string_view whole = trimmed(text);
  if (whole.substr(0, 2) == "${" && whole.find('}') == whole.size() - 1)
    return evaluate(whole.substr(2, whole.size() - 3), scope);
  Outcome<Substitution> substitution = substitute(text, scope);
  if (!substitution) return substitution.complaint();
  if (substitution->numeric) {
    Value value = list_or_text(substitution->text, substitution->values, substitution->written);
    if (value.kind == Value::Kind::number || value.problem) return value;
  }
  return list_or_text(substitution->written, {}, substitution->written);
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

} // namespace hilda
