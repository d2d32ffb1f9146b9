// SPDX-License-Identifier: BSD-3-Clause
#include "engine/quantity/detail/units/unit_reading.h"
#include "engine/base/characters.h"
#include "engine/base/diagnostic.h"
#include "engine/quantity/detail/units/foreign_units.h"
#include "engine/quantity/detail/units/unit_names.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <map>

namespace hilda::quantity {
namespace {

constexpr std::size_t longest_text = 200;
constexpr int deepest_nesting = 16;
constexpr int largest_power = 99;

bool in_unit_name(char c) { return is_letter(c) || c == '%' || c == '_'; }

/// Signs beyond ASCII in the spelling of the grammar.
std::string in_ascii(std::string_view text) {
  struct Spelling {
    std::string_view sign, plain;
  };
  static constexpr Spelling spellings[] = {{"\u00B7", "."},   {"\u22C5", "."},   {"\u00B2", "^2"},
                                           {"\u00B3", "^3"},  {"\u00B5", "u"},   {"\u03BC", "u"},
                                           {"\u2126", "Ohm"}, {"\u03A9", "Ohm"}, {"\u00B0", "deg"}};
  std::string plain;
  for (std::size_t at = 0; at < text.size();) {
    const auto* found = std::find_if(std::begin(spellings), std::end(spellings),
                                     [&](const Spelling& s) { return text.substr(at, s.sign.size()) == s.sign; });
    const bool known = found != std::end(spellings);
    plain += known ? found->plain : text.substr(at, 1);
    at += known ? found->sign.size() : 1;
  }
  return plain;
}

UnitReading raised(const UnitReading& reading, Exponent power) {
  UnitReading result = reading;
  if (power == 1) return result;
  result.unit = reading.unit.pow(power);
  const Exponent decade = Exponent(reading.decade) * power;
  result.decade = decade.whole() ? decade.numerator() : 0;
  result.scale = std::pow(reading.scale, power.value());
  if (!decade.whole()) result.scale *= std::pow(10.0, static_cast<double>(reading.decade) * power.value());
  return result;
}

/// One reading of one text, by recursive descent. The first error ends it.
class UnitTextReader {
public:
  explicit UnitTextReader(std::string_view written) : written_(written), text_(in_ascii(written)) {}

  Result<UnitExpression> read() {
    if (written_.size() > longest_text)
      return make_error("unit-malformed", "unit " + in_quotes(written_) + " is too long", "write a unit such as N/mm");
    skip_blanks();
    if (at_ < text_.size()) product(0, 1);
    if (error_.code.empty() && at_ < text_.size()) malformed("does not end here: " + in_quotes(text_.substr(at_)));
    if (error_.code.empty()) check();
    if (!error_.code.empty()) return error_;
    for (const auto& [name, power] : variables_)
      if (!power.zero()) result_.variables.emplace_back(name, power);
    return result_;
  }

private:
  /// product := power { ('*' | '.' | '/' | nothing) power }, all of it to the power of `outer`
  void product(int depth, Exponent outer) {
    if (depth > deepest_nesting) {
      malformed("nests too deeply");
      return;
    }
    Exponent sign = 1;
    while (error_.code.empty()) {
      power(depth, outer * sign);
      skip_blanks();
      if (!error_.code.empty() || at_ == text_.size() || text_[at_] == ')') return;
      sign = text_[at_] == '/' ? -1 : 1;
      if (text_[at_] == '/' || text_[at_] == '*' || text_[at_] == '.') ++at_;
      skip_blanks();
    }
  }

  /// power := ('1' | name | '@' variable | '(' product ')') [exponent]
  void power(int depth, Exponent outer) {
    if (at_ == text_.size()) {
      malformed("ends where a unit is expected");
      return;
    }
    const char first = text_[at_];
    if (first == '(')
      group(depth, outer);
    else if (first == '@')
      variable(outer);
    else if (in_unit_name(first))
      name(outer);
    else if (first == '1' && (at_ + 1 == text_.size() || !(is_digit(text_[at_ + 1]) || text_[at_ + 1] == '.')))
      ++at_, ++factors_;
    else if (is_digit(first))
      malformed("holds a number; only exponents and 1 are allowed");
    else
      malformed("has " + in_quotes(first_character(text_.substr(at_))) + " where a unit is expected");
  }

  void group(int depth, Exponent outer) {
    // The exponent is behind the group but is needed within it.
    const std::size_t open = at_;
    std::size_t close = open;
    for (int level = 0; close < text_.size(); ++close) {
      if (text_[close] == '(') ++level;
      if (text_[close] == ')' && --level == 0) break;
    }
    if (close == text_.size()) {
      malformed("has a '(' without its ')'");
      return;
    }
    at_ = close + 1;
    const Exponent power = exponent();
    const std::size_t after = at_;
    at_ = open + 1;
    skip_blanks();
    product(depth + 1, outer * power);
    if (error_.code.empty()) at_ = after;
  }

  void variable(Exponent outer) {
    const std::size_t start = ++at_;
    while (at_ < text_.size() && (is_lower(text_[at_]) || text_[at_] == '_' || (at_ > start && is_digit(text_[at_]))))
      ++at_;
    if (at_ == start) {
      malformed("needs a lower-case name after '@'");
      return;
    }
    const std::string name = text_.substr(start, at_ - start);
    const Exponent power = outer * exponent();
    const auto [place, fresh] = variables_.emplace(name, power);
    if (!fresh) place->second = place->second + power;
    ++factors_;
  }

  void name(Exponent outer) {
    const std::size_t start = at_;
    while (at_ < text_.size() && in_unit_name(text_[at_])) ++at_;
    std::string name = text_.substr(start, at_ - start);
    if (name == "g" && at_ < text_.size() && text_[at_] == '0') name += text_[at_++];
    const std::optional<UnitReading> found = find_unit(name);
    if (!found) {
      unknown(name);
      return;
    }
    const Exponent own = exponent();
    if (!error_.code.empty()) return;
    if (name == "%" && own != 1) { // meant as the remainder of a division
      malformed("raises % to a power: % is percent, 1/100; the remainder of a/b is a - b*floor(a/b)");
      return;
    }
    ++factors_;
    if (found->offset != 0) {
      if (own != 1 || outer != 1) {
        zero_point(name);
        return;
      }
      offset_name_ = name;
    }
    const UnitReading factor = raised(*found, own * outer);
    UnitReading& sum = result_.constant;
    sum.unit = sum.unit * factor.unit;
    sum.scale *= factor.scale;
    sum.decade += factor.decade;
    sum.offset += found->offset;
    sum.energy = sum.energy || found->energy;
  }

  /// exponent := [ ['^'] integer | '^' '(' integer '/' integer ')' | '^' decimal ]
  Exponent exponent() {
    const bool marked = at_ < text_.size() && text_[at_] == '^';
    if (marked) ++at_;
    const bool fraction = marked && at_ < text_.size() && text_[at_] == '(';
    if (fraction) ++at_;
    const std::size_t start = at_;
    const int above = integer(marked);
    if (at_ == start) return 1;
    if (!marked) refuse_unmarked(start);
    Exponent result = above;
    if (fraction) {
      if (at_ < text_.size() && text_[at_] == '/') {
        ++at_;
        result = Exponent(above, integer(true));
      }
      if (at_ == text_.size() || text_[at_] != ')')
        malformed("has an exponent '(' without its ')'");
      else
        ++at_;
    } else if (marked && at_ + 1 < text_.size() && text_[at_] == '.' && is_digit(text_[at_ + 1])) {
      result = decimals(above, text_[start] == '-');
    }
    if (!result.valid() || abs(result) > largest_power) malformed("has an exponent out of range");
    return result;
  }

  /// "W0.5" and "m1/2": an exponent that is not a whole number must follow a '^'.
  void refuse_unmarked(std::size_t start) {
    const bool point = at_ < text_.size() && text_[at_] == '.', bar = at_ < text_.size() && text_[at_] == '/';
    if ((!point && !bar) || at_ + 1 == text_.size() || !is_digit(text_[at_ + 1])) return;
    std::size_t name = start, end = at_ + 1;
    while (name > 0 && in_unit_name(text_[name - 1])) --name;
    while (end < text_.size() && is_digit(text_[end])) ++end;
    if (bar && text_.substr(at_, end - at_) == "/1") return; // a factor of 1
    const std::string exponent = text_.substr(start, end - start);
    malformed("has the exponent " + exponent + " without '^'",
              "write " + text_.substr(name, start - name) + (point ? "^" + exponent : "^(" + exponent + ")"));
  }

  Exponent decimals(int whole, bool negative) {
    int digits = 0, power = 1;
    for (++at_; at_ < text_.size() && is_digit(text_[at_]); ++at_)
      if (power < 1000)
        digits = 10 * digits + (text_[at_] - '0'), power *= 10;
      else
        malformed("has an exponent with too many decimals");
    return Exponent(whole) + Exponent(negative ? -digits : digits, power);
  }

  int integer(bool required) {
    const std::size_t start = at_;
    std::size_t digits = at_;
    if (digits < text_.size() && (text_[digits] == '-' || text_[digits] == '+')) ++digits;
    while (digits < text_.size() && is_digit(text_[digits])) ++digits;
    const char* first = text_.data() + start + (text_[start] == '+' ? 1 : 0);
    int value = 0;
    const auto [end, error] = std::from_chars(first, text_.data() + digits, value);
    if (error == std::errc() && std::abs(value) <= largest_power) {
      at_ = digits;
      return value;
    }
    if (error != std::errc::invalid_argument)
      malformed("has an exponent out of range");
    else if (required || digits > start)
      malformed("lacks an exponent");
    return 0;
  }

  static Exponent abs(Exponent power) { return power.negative() ? -power : power; }

  void check() {
    const UnitReading& constant = result_.constant;
    if (constant.offset != 0 && factors_ > 1) {
      zero_point(offset_name_);
      return;
    }
    bool valid = constant.unit.valid() && std::isfinite(constant.factor()) && constant.factor() > 0;
    for (const auto& [name, power] : variables_) valid = valid && power.valid();
    if (!valid) malformed("is out of range");
  }

  void skip_blanks() {
    while (at_ < text_.size() && is_blank(text_[at_])) ++at_;
  }

  void malformed(const std::string& why,
                 const std::string& help = "write a unit such as N/mm, N s/m, kg m2, rad/s or 1/s") {
    if (error_.code.empty()) error_ = make_error("unit-malformed", "unit " + in_quotes(written_) + " " + why, help);
  }

  void zero_point(const std::string& name) {
    error_ =
        make_error("unit-malformed",
                   "unit " + in_quotes(written_) + ": " + name + " has its own zero point and cannot be multiplied",
                   "write K for a difference of temperatures");
  }

  void unknown(const std::string& name);

  std::string_view written_;
  std::string text_;
  std::size_t at_ = 0;
  int factors_ = 0;
  std::string offset_name_;
  UnitExpression result_;
  std::map<std::string, Exponent> variables_;
  Error error_;
};

std::string lower(std::string text) {
  for (char& c : text) c = static_cast<char>(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
  return text;
}

/// The known name that was probably meant; one that begins alike is preferred.
std::string suggestion(const std::string& name) {
  std::vector<std::string> alike;
  for (const std::string& other : unit_names()) {
    if (lower(other) == lower(name)) return other;
    if (other[0] == name[0]) alike.push_back(other);
  }
  const std::string near = nearest(name, alike);
  return near.empty() ? nearest(name, unit_names()) : near;
}

void UnitTextReader::unknown(const std::string& name) {
  const std::string foreign = help_for_foreign_unit(name);
  const std::string near = foreign.empty() ? suggestion(name) : "";
  const std::string place = written_ == name ? "" : ", in " + in_quotes(written_);
  error_ = make_error("unit-unknown", "no unit is called " + in_quotes(name) + place,
                      !foreign.empty() ? foreign
                      : near.empty()   ? "write a unit such as N/mm, N s/m, kg m2, rad/s or 1/s"
                                       : "did you mean " + in_quotes(near) + "?");
}

} // namespace

Result<UnitExpression> read_unit(std::string_view text) { return UnitTextReader(text).read(); }

} // namespace hilda::quantity
