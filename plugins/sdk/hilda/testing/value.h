// SPDX-License-Identifier: BSD-3-Clause
#ifndef HILDA_TESTING_VALUE_H
#define HILDA_TESTING_VALUE_H

// Values of parameters and signals, for tests that run without the engine.

#include <cctype>
#include <concepts>
#include <cstdint>
#include <hilda/abi.h>
#include <hilda/number_text.h>
#include <hilda/testing/unit.h>
#include <initializer_list>
#include <limits>
#include <stdexcept>
#include <string>
#include <vector>

namespace hilda::testing {

/// Rows and columns; a scalar is 1 by 1, a vector a column.
struct Shape {
  std::int64_t rows = 1, cols = 1;
  std::int64_t count() const { return rows * cols; }
  std::string text() const { return std::to_string(rows) + "x" + std::to_string(cols); }
  friend bool operator==(const Shape&, const Shape&) = default;
};

/// A number, a vector, a matrix (column by column) or a text. Numbers are in SI, booleans are 0 and 1, of a choice the
/// number is the index or the text the word.
struct Value {
  Shape shape;
  std::vector<double> numbers;
  std::string text;

  Value() = default;
  Value(double number) : numbers{number} {}
  template <std::integral Integer> Value(Integer number) : Value(static_cast<double>(number)) {}
  Value(const char* word) : text(word) {}
  Value(std::string word) : text(std::move(word)) {}
  Value(std::initializer_list<double> vector) : Value(std::vector<double>(vector)) {}
  Value(std::vector<double> vector) : shape{static_cast<std::int64_t>(vector.size()), 1}, numbers(std::move(vector)) {}
  Value(Shape of, std::vector<double> by_column) : shape(of), numbers(std::move(by_column)) {}
};

/// What a test asked for cannot be done: the message says why.
class Impossible : public std::runtime_error {
public:
  using std::runtime_error::runtime_error;
};

/// The block's own word, from infer or configure.
class Refused : public std::runtime_error {
public:
  using std::runtime_error::runtime_error;
};

namespace detail {

/// "1 2; 3 4 mm" as a diagram would write it.
class ValueReader {
public:
  explicit ValueReader(std::string_view text) : rest_(text) {}

  Value read(const UnitPowers& declared) {
    std::vector<std::vector<double>> rows(1);
    bool matrix = false;
    for (double number = 0; skip_blanks();) {
      if (rest_[0] == ';') {
        rest_.remove_prefix(1);
        matrix = true;
        rows.emplace_back();
      } else if (read_number(number)) {
        rows.back().push_back(number);
      } else {
        break;
      }
    }
    if (rows.size() > 1 && rows.back().empty()) rows.pop_back();
    double factor = declared.factor;
    if (!rest_.empty()) {
      const std::optional<UnitPowers> unit = read_unit(rest_);
      if (!unit) throw Impossible("the unit '" + std::string(rest_) + "' is not known to hilda/testing.h");
      factor = unit->factor;
    }
    return arrange(rows, matrix, factor);
  }

private:
  bool skip_blanks() {
    while (!rest_.empty() && rest_[0] == ' ') rest_.remove_prefix(1);
    return !rest_.empty();
  }

  bool read_number(double& number) {
    const char* first = rest_.data();
    const char* last = first + rest_.size();
    const char* begin = first + (rest_[0] == '+' ? 1 : 0);
    const char* end = hilda::detail::read_number(begin, last, number);
    if (end == begin) return false;
    rest_.remove_prefix(static_cast<std::size_t>(end - first));
    return true;
  }

  static Value arrange(const std::vector<std::vector<double>>& rows, bool matrix, double factor) {
    Value value;
    const std::size_t cols = rows[0].size();
    for (const auto& row : rows)
      if (row.size() != cols || cols == 0) throw Impossible("a default has rows of different length");
    for (std::size_t c = 0; c < cols; ++c)
      for (const auto& row : rows) value.numbers.push_back(row[c] * factor);
    if (matrix)
      value.shape = {static_cast<std::int64_t>(rows.size()), static_cast<std::int64_t>(cols)};
    else
      value.shape = {static_cast<std::int64_t>(cols), 1};
    return value;
  }

  std::string_view rest_;
};

inline Value choice_of(std::string_view choices, std::string_view word) {
  for (std::int64_t index = 0;; ++index) {
    const std::size_t end = choices.find('|');
    if (choices.substr(0, end) == word) return static_cast<double>(index);
    if (end == std::string_view::npos) throw Impossible("'" + std::string(word) + "' is not one of the choices");
    choices.remove_prefix(end + 1);
  }
}

} // namespace detail

/// A parameter's value as a diagram would write it: "20 ms", "1 0; 0 1", "true", "paper".
inline Value read_value(const hilda_slot& slot, std::string_view text) {
  switch (slot.element) {
  case HILDA_TEXT:
  case HILDA_PATH: return Value(std::string(text));
  case HILDA_CHOICE: return detail::choice_of(slot.choices, text);
  case HILDA_U8:
    if (text == "true" || text == "on") return 1.0;
    if (text == "false" || text == "off") return 0.0;
    if (!text.empty() && std::isalpha(static_cast<unsigned char>(text[0])) != 0)
      throw Impossible("'" + std::string(text) + "' is not a boolean; write on or off, true or false");
    break;
  default: break;
  }
  const std::optional<UnitPowers> declared = read_unit(slot.unit != nullptr ? slot.unit : "");
  return detail::ValueReader(text).read(declared.value_or(UnitPowers{}));
}

} // namespace hilda::testing

#endif
