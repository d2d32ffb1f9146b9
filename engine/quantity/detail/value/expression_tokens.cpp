// SPDX-License-Identifier: BSD-3-Clause
#include "engine/quantity/expression_tokens.h"
#include "engine/base/characters.h"
#include "engine/base/diagnostic.h"
#include "engine/quantity/detail/value/number_list.h"
#include "engine/quantity/detail/value/quantity.h"
#include "engine/quantity/expression.h"
#include "engine/quantity/unit.h"

#include <algorithm>
#include <charconv>
#include <optional>

namespace hilda::quantity {
namespace {

Error no_function(const std::string& name, std::string_view expression) {
  const std::string near = nearest(name, function_names());
  return make_error("expression-name",
                    "no function is called " + in_quotes(name) + ", in " + shown_expression(expression),
                    near.empty() ? "functions are sin, cos, sqrt, min, max, abs and the like"
                                 : "did you mean " + in_quotes(near) + "?");
}

class Lexer {
public:
  explicit Lexer(std::string_view text) : text_(text) {}

  Result<std::vector<Token>> run() {
    for (at_ = after_blanks(0); at_ < text_.size() && !error_; at_ = after_blanks(at_)) {
      if (is_digit(text_[at_]) || text_[at_] == '.')
        number();
      else if (starts_name(text_[at_]))
        name();
      else
        sign();
    }
    if (error_) return *error_;
    return std::move(found_);
  }

private:
  std::size_t after_blanks(std::size_t at) const {
    while (at < text_.size() && is_blank(text_[at])) ++at;
    return at;
  }
  char sign_at(std::size_t at) const { return at < text_.size() ? text_[at] : '\0'; }
  void refuse(std::size_t at, const std::string& why) { error_ = malformed_expression(text_, at, why); }

  void number() {
    Token token{Token::Kind::number, at_, 0, {}, 0, {}};
    const auto [end, error] = std::from_chars(text_.data() + at_, text_.data() + text_.size(), token.number);
    if (error == std::errc::invalid_argument)
      return refuse(at_, "unexpected " + in_quotes(first_character(text_.substr(at_))));
    if (error == std::errc::result_out_of_range) return refuse(at_, "the number is beyond what a double can hold");
    at_ = static_cast<std::size_t>(end - text_.data());
    const std::size_t unit = after_blanks(at_);
    const std::size_t unit_end = after_unit(unit);
    if (unit_end > unit) {
      token.text = text_.substr(unit, unit_end - unit);
      at_ = unit_end;
    }
    token.length = at_ - token.at;
    found_.push_back(std::move(token));
  }

  /// The end of one factor of a unit with its exponent: "mm", "m2", "s^-1", "Hz^(1/2)"; `at` itself if there is none.
  std::size_t after_factor(std::size_t at) const {
    std::size_t end = at;
    while (end < text_.size() && starts_unit(text_[end])) ++end;
    if (end == at || sign_at(after_blanks(end)) == '(') return at;
    const bool raised = sign_at(end) == '^';
    std::size_t power = raised ? end + 1 : end;
    if (raised && sign_at(power) == '(') {
      const std::size_t close = text_.find(')', power);
      return close == std::string_view::npos ? end : close + 1;
    }
    if (sign_at(power) == '-' && (raised || is_digit(sign_at(power + 1)))) ++power;
    if (!is_digit(sign_at(power)) || (!raised && text_[end] == '-')) return end;
    while (is_digit(sign_at(power))) ++power;
    return power;
  }

  std::size_t after_unit(std::size_t at) const {
    std::size_t end = after_factor(at);
    while (end > at) {
      const char next = sign_at(end);
      const bool joined = next == '/' && starts_unit(sign_at(end + 1));
      const std::size_t start = joined ? end + 1 : after_blanks(end);
      if (!joined && start == end) break;
      const std::size_t more = after_factor(start);
      if (more == start || (joined && !parse_unit(text_.substr(start, more - start)))) break; // divided by a parameter
      end = more;
    }
    return end;
  }

  void name() {
    Token token{Token::Kind::name, at_, 0, {}, 0, {}};
    while (at_ < text_.size() && in_name(text_[at_])) ++at_;
    token.text = text_.substr(token.at, at_ - token.at);
    const std::size_t next = after_blanks(at_);
    if (sign_at(next) == '(') {
      token.kind = Token::Kind::function;
      if (!is_function(token.text)) {
        error_ = no_function(std::string(token.text), text_);
        return;
      }
    } else if (sign_at(next) == '[') {
      at_ = next;
      if (!indices(token.indices)) return;
    }
    token.length = at_ - token.at;
    found_.push_back(std::move(token));
  }

  /// Reads "[2]" or "[0,1]".
  bool indices(std::vector<int>& into) {
    do {
      at_ = after_blanks(at_ + 1);
      int index = 0;
      const auto [end, error] = std::from_chars(text_.data() + at_, text_.data() + text_.size(), index);
      if (error != std::errc() || index < 0) {
        refuse(at_, "an index is a whole number from 0");
        return false;
      }
      into.push_back(index);
      at_ = after_blanks(static_cast<std::size_t>(end - text_.data()));
    } while (sign_at(at_) == ',' && into.size() < 2);
    if (sign_at(at_) != ']') {
      refuse(at_, "']' is missing");
      return false;
    }
    ++at_;
    return true;
  }

  void sign() {
    constexpr std::string_view pairs[] = {"<=", ">=", "==", "!=", "&&", "||"};
    constexpr std::string_view singles = "+-*/^(),<>!?:";
    const std::string_view two = text_.substr(at_, 2);
    std::size_t length = std::find(std::begin(pairs), std::end(pairs), two) != std::end(pairs) ? 2 : 1;
    if (length == 1 && singles.find(text_[at_]) == std::string_view::npos)
      return refuse(at_, "unexpected " + in_quotes(first_character(text_.substr(at_))));
    found_.push_back({Token::Kind::sign, at_, length, text_.substr(at_, length), 0, {}});
    at_ += length;
  }

  std::string_view text_;
  std::size_t at_ = 0;
  std::vector<Token> found_;
  std::optional<Error> error_;
};

} // namespace

bool starts_name(char c) { return is_letter(c) || c == '_'; }
bool in_name(char c) { return starts_name(c) || is_digit(c) || c == '.'; }

Result<std::vector<Token>> tokens(std::string_view expression) { return Lexer(expression).run(); }

Error malformed_expression(std::string_view expression, std::size_t at, const std::string& why) {
  return make_error("expression-malformed",
                    "in " + shown_expression(expression) + ", column " + std::to_string(at + 1) + ": " + why,
                    "write an expression of numbers and parameters such as ${2*pi*frequency}");
}

} // namespace hilda::quantity
