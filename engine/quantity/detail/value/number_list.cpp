// SPDX-License-Identifier: BSD-3-Clause
#include "engine/quantity/detail/value/number_list.h"
#include "engine/base/characters.h"

#include <algorithm>
#include <charconv>
#include <limits>
#include <utility>

namespace hilda::quantity {

bool starts_unit(char c) { return is_letter(c) || c == '%' || (static_cast<unsigned char>(c) & 0x80U) != 0; }

namespace {

std::string_view first_word(std::string_view text) {
  std::size_t end = 0;
  while (end < text.size() && !is_blank(text[end]) && text[end] != ';') ++end;
  return text.substr(0, end);
}

std::optional<double> boolean(std::string_view word) {
  if (word == "true" || word == "on") return 1.0;
  if (word == "false" || word == "off") return 0.0;
  return std::nullopt;
}

/// Reads a list of numbers with its rows and its unit. What turns out to be no such list is text.
class ListReader {
public:
  ListReader(std::string_view text, const std::vector<Value>& inserted) : text_(text), inserted_(inserted) {}

  /// The value in full: numbers, or text with or without a problem.
  Value read() {
    if (!collect()) return as_text();
    value_.kind = Value::Kind::number;
    if (!lay_out() || !apply_unit()) return as_text();
    value_.set_bases(std::move(bases_));
    return std::move(value_);
  }

private:
  /// Numbers in the order written, up to the unit. False where the text is not a list of numbers.
  bool collect() {
    while (true) {
      while (at_ < text_.size() && is_blank(text_[at_])) ++at_;
      if (at_ == text_.size()) break;
      if (text_[at_] == ';') {
        ++at_;
        row_ends_.push_back(value_.numbers.size());
        continue;
      }
      const std::size_t start = at_;
      const Step step = text_[at_] == placeholder ? insert() : number();
      if (step == Step::stop) return false;
      if (step == Step::unit) {
        unit_text_ = trimmed(text_.substr(start));
        break;
      }
      if (at_ < text_.size() && starts_unit(text_[at_])) {
        unit_text_ = trimmed(text_.substr(at_));
        break;
      }
    }
    return !value_.numbers.empty() || refuse_first_word(text_);
  }

  enum class Step { element, unit, stop };

  /// At a placeholder.
  Step insert() {
    const Value& value = inserted_[next_inserted_++];
    ++at_;
    if (at_ < text_.size() && !ends_element(text_[at_]) && !starts_unit(text_[at_])) return Step::stop;
    if (value.kind != Value::Kind::number || !value.scalar()) return Step::stop;
    if (value.basis == Value::Basis::measured) take_unit_of(value);
    add(value.numbers[0], value.basis);
    return Step::element;
  }

  Step number() {
    const std::string_view rest = text_.substr(at_);
    const bool sign = rest[0] == '+' || rest[0] == '-';
    const std::string_view word = first_word(rest);
    if (word.substr(sign ? 1 : 0) == "inf") {
      constexpr double infinity = std::numeric_limits<double>::infinity();
      at_ += word.size();
      add(rest[0] == '-' ? -infinity : infinity, Value::Basis::bare);
      return Step::element;
    }
    const std::size_t first = sign ? 1 : 0;
    const bool point = first < rest.size() && rest[first] == '.';
    const std::size_t digit = point ? first + 1 : first;
    if (digit >= rest.size() || !is_digit(rest[digit])) return Step::unit;
    double number = 0;
    const char* begin = rest.data() + (rest[0] == '+' ? 1 : 0);
    const auto [end, error] = std::from_chars(begin, rest.data() + rest.size(), number);
    const auto length = static_cast<std::size_t>(end - rest.data());
    if (length < rest.size() && !ends_element(rest[length]) && !starts_unit(rest[length])) return Step::unit;
    if (error == std::errc::result_out_of_range) {
      problem_ = make_error("value-range", in_quotes(rest.substr(0, length)) + " is beyond what a double can hold",
                            "write a number between 1e-307 and 1e308, or inf");
      return Step::stop;
    }
    at_ += length;
    add(number, Value::Basis::bare);
    return Step::element;
  }

  static bool ends_element(char c) { return is_blank(c) || c == ';'; }

  void add(double number, Value::Basis basis) {
    value_.numbers.push_back(number);
    // Most lists are bare throughout and need no list of bases.
    if (basis != Value::Basis::bare && bases_.empty()) bases_.assign(value_.numbers.size() - 1, Value::Basis::bare);
    if (basis != Value::Basis::bare || !bases_.empty()) bases_.push_back(basis);
  }

  void take_unit_of(const Value& value) {
    if (measured_ != nullptr && !agree(*measured_, value.reading().unit, value.calculated) && !problem_)
      problem_ =
          make_error("unit-mismatch",
                     "the list mixes " + in_quotes(measured_->unit_text()) + " and " + in_quotes(value.unit_text()),
                     "all numbers of a list share one unit");
    // What was written distinguishes rad from 1, what was calculated does not.
    if (measured_ == nullptr || (measured_->calculated && !value.calculated)) measured_ = &value;
  }

  /// The unit of a value is `unit`; rad counts as 1 where one of the two was calculated.
  static bool agree(const Value& value, const Unit& unit, bool calculated) {
    const Unit& own = value.reading().unit;
    return own == unit || ((value.calculated || calculated) && own.without_angle() == unit.without_angle());
  }

  /// The text begins like a number but is none: a slot for numbers will want to know why.
  bool refuse_first_word(std::string_view rest) {
    const std::string_view word = first_word(trimmed(rest));
    if (word.empty() || problem_) return false;
    if (!is_digit(word[0]) && std::string_view("+-.").find(word[0]) == std::string_view::npos) return false;
    const bool comma = word.find(',') != std::string_view::npos;
    const bool calculation = word.find_first_of("/*(^") != std::string_view::npos;
    problem_ = make_error("value-number", in_quotes(word) + " is not a number",
                          comma         ? "write a decimal point, and blanks between numbers"
                          : calculation ? "write a calculation as ${" + std::string(word) + "}, and the unit behind it"
                                        : "write numbers such as 0.5 or 2e-3, and the unit behind the last");
    return false;
  }

  /// Extent and column-major order.
  bool lay_out() {
    const std::size_t count = value_.numbers.size();
    if (row_ends_.empty()) {
      value_.extent = count == 1 ? Extent::scalar() : Extent::vector(static_cast<int>(count));
      return !problem_;
    }
    if (row_ends_.back() != count) row_ends_.push_back(count);
    const std::size_t rows = row_ends_.size();
    const std::size_t cols = row_ends_[0];
    for (std::size_t row = 1; row < rows && !problem_; ++row)
      if (const std::size_t width = row_ends_[row] - row_ends_[row - 1]; width != cols || cols == 0)
        problem_ = make_error("value-shape",
                              "row 1 has " + std::to_string(cols) + " numbers, row " + std::to_string(row + 1) +
                                  " has " + std::to_string(width),
                              "rows are of equal length and end with ';'");
    if (problem_) return false;
    value_.extent = Extent::matrix(static_cast<int>(rows), static_cast<int>(cols));
    transpose<double>(value_.numbers, rows, cols);
    transpose<Value::Basis>(bases_, rows, cols);
    return true;
  }

  template <class T, class List> static void transpose(List& list, std::size_t rows, std::size_t cols) {
    if (list.empty() || rows == 1 || cols == 1) return;
    std::vector<T> turned(list.size());
    for (std::size_t row = 0; row < rows; ++row)
      for (std::size_t col = 0; col < cols; ++col) turned[col * rows + row] = list[row * cols + col];
    list = std::move(turned);
  }

  /// Converts what is bare by the unit behind the list, and joins bases that are all alike.
  bool apply_unit() {
    if (!unit_text_.empty()) {
      if (!read_unit()) return false;
      const UnitReading& unit = value_.reading();
      for (std::size_t i = 0; i < value_.numbers.size(); ++i) {
        if (!bases_.empty() && bases_[i] == Value::Basis::measured) continue;
        const double number = std::exchange(value_.numbers[i], unit.to_si(value_.numbers[i]));
        if (unit.offset == 0 || value_.numbers[i] >= 0) continue;
        problem_ = below_absolute_zero(number, unit_text_);
        return false;
      }
      bases_.clear();
      value_.basis = Value::Basis::measured;
      return true;
    }
    if (measured_ != nullptr) {
      value_.written = measured_->written;
      value_.calculated = measured_->calculated;
    }
    const auto differs = [this](Value::Basis basis) { return basis != bases_[0]; };
    if (!bases_.empty() && std::none_of(bases_.begin(), bases_.end(), differs)) {
      value_.basis = bases_[0];
      bases_.clear();
    }
    return true;
  }

  bool read_unit() {
    if (unit_text_.find(placeholder) != std::string::npos) return false;
    const Result<UnitReading> reading = parse_unit(unit_text_);
    if (!reading) {
      refuse_first_word(unit_text_);
      if (!problem_) problem_ = reading.error();
    } else if (reading->offset != 0 && value_.numbers.size() > 1) {
      problem_ =
          make_error("unit-malformed", in_quotes(unit_text_) + " has its own zero point and fits one number only",
                     "write the numbers in K");
    } else if (measured_ != nullptr && !agree(*measured_, reading->unit, false)) {
      problem_ = make_error("unit-mismatch",
                            "the list mixes " + in_quotes(measured_->unit_text()) + " and " + in_quotes(unit_text_),
                            "all numbers of a list share one unit");
    } else if (measured_ != nullptr && measured_->reading().unit != reading->unit && reading->scale != 1) {
      problem_ = turns_or_radians(measured_->reading().unit.text(), unit_text_);
    } else {
      value_.written = WrittenUnit{*reading, unit_text_};
      return true;
    }
    return false;
  }

  Value as_text() {
    Value text;
    text.set_problem(std::move(problem_));
    return text;
  }

  std::string_view text_;
  const std::vector<Value>& inserted_;
  std::size_t next_inserted_ = 0;
  std::size_t at_ = 0;
  std::vector<std::size_t> row_ends_;
  const Value* measured_ = nullptr;
  std::optional<Error> problem_;
  std::string unit_text_;
  std::vector<Value::Basis> bases_; ///< empty while all are bare
  Value value_;
};

/// A list of true, false, on, off; none where another word is in it.
std::optional<Value> read_booleans(std::string_view text) {
  Value value;
  value.kind = Value::Kind::boolean;
  for (text = trimmed(text); !text.empty(); text = trimmed(text)) {
    const std::string_view word = first_word(text);
    const std::optional<double> truth = boolean(word);
    if (!truth) return std::nullopt;
    value.numbers.push_back(*truth);
    text.remove_prefix(word.size());
  }
  if (value.numbers.empty()) return std::nullopt;
  const auto count = static_cast<int>(value.numbers.size());
  value.extent = count == 1 ? Extent::scalar() : Extent::vector(count);
  return value;
}

} // namespace

Error turns_or_radians(const std::string& given, const std::string& wanted) {
  return make_error("unit-mismatch",
                    "the result of ${} is in " + given + ", which may count radians, but " + in_quotes(wanted) +
                        " counts others",
                    "say that it counts radians by a unit behind it, such as ${...} rad/s for 1/s, or calculate with "
                    "numbers that have units");
}

Error below_absolute_zero(double number, const std::string& unit) {
  return make_error("value-range", in_quotes(decimal(number) + " " + unit) + " is below absolute zero, -273.15 degC",
                    "write a temperature that can be; a difference of temperatures is written in K");
}

Value read_list(std::string_view text, const std::vector<Value>& inserted) {
  std::optional<Value> booleans = read_booleans(text);
  return booleans ? std::move(*booleans) : ListReader(text, inserted).read();
}

} // namespace hilda::quantity
