// SPDX-License-Identifier: BSD-3-Clause
#include "engine/catalogue/shape_text.h"

#include <algorithm>
#include <charconv>

namespace hilda::catalogue {
namespace {

bool lower(char c) { return c >= 'a' && c <= 'z'; }
bool upper_case(char c) { return c >= 'A' && c <= 'Z'; }
bool digit(char c) { return c >= '0' && c <= '9'; }

std::optional<std::int64_t> integer(std::string_view text) {
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || value < 0 || value > largest_dimension)
    return std::nullopt;
  return value;
}

/// "n", "sum(n)"
std::optional<Dimension::Term> name_term(std::string_view text) {
  Dimension::Term term;
  constexpr std::string_view sum = "sum(";
  if (text.starts_with(sum) && text.ends_with(')')) {
    term.sum = true;
    text = text.substr(sum.size(), text.size() - sum.size() - 1);
  }
  if (!identifier(text)) return std::nullopt;
  term.name = text;
  return term;
}

/// Adds "3", "n", "2*n" or "sum(n)", `sign` times.
bool add_term(Dimension& dimension, std::string_view text, std::int64_t sign) {
  if (const auto whole = integer(text)) {
    dimension.constant += sign * *whole;
    return true;
  }
  std::int64_t factor = 1;
  if (const std::size_t star = text.find('*'); star != std::string_view::npos) {
    const auto number = integer(text.substr(0, star));
    constexpr std::int64_t largest_factor = 10000;
    if (!number || *number > largest_factor) return false;
    factor = *number;
    text.remove_prefix(star + 1);
  }
  auto term = name_term(text);
  if (!term) return false;
  term->factor = sign * factor;
  const auto same = std::find_if(dimension.terms.begin(), dimension.terms.end(), [&](const Dimension::Term& other) {
    return other.name == term->name && other.sum == term->sum;
  });
  if (same == dimension.terms.end())
    dimension.terms.push_back(*term);
  else
    same->factor += term->factor;
  return true;
}

std::optional<Dimension> parse_dimension(std::string_view text) {
  Dimension dimension;
  std::int64_t sign = 1;
  while (true) {
    const std::size_t end = text.find_first_of("+-");
    if (!add_term(dimension, text.substr(0, end), sign)) return std::nullopt;
    if (end == std::string_view::npos) break;
    sign = text[end] == '+' ? 1 : -1;
    text.remove_prefix(end + 1);
  }
  std::erase_if(dimension.terms, [](const Dimension::Term& term) { return term.factor == 0; });
  if (dimension.fixed() && (dimension.constant < 0 || dimension.constant > largest_dimension)) return std::nullopt;
  return dimension;
}

} // namespace

bool identifier(std::string_view text, bool upper) {
  const auto letter = [&](char c) { return lower(c) || (upper && upper_case(c)); };
  return !text.empty() && letter(text.front()) &&
         std::all_of(text.begin(), text.end(), [&](char c) { return letter(c) || digit(c) || c == '_'; });
}

std::optional<ShapePattern> parse_shape(std::string_view text) {
  constexpr std::size_t longest = 200;
  if (text.size() > longest) return std::nullopt;
  ShapePattern shape;
  shape.rows.constant = shape.cols.constant = 1;
  if (text.starts_with('*')) {
    shape.whole = text.substr(1);
    if (!identifier(shape.whole)) return std::nullopt;
    return shape;
  }
  int count = 0;
  while (!text.empty()) {
    if (text.front() == ' ') {
      text.remove_prefix(1);
      continue;
    }
    const std::string_view word = text.substr(0, text.find(' '));
    text.remove_prefix(word.size());
    const auto dimension = parse_dimension(word);
    if (!dimension || ++count > 2) return std::nullopt;
    (count == 1 ? shape.rows : shape.cols) = *dimension;
  }
  return shape;
}

std::string shape_text(std::int64_t rows, std::int64_t cols) {
  if (rows == 1 && cols == 1) return "scalar";
  return cols == 1 ? std::to_string(rows) : std::to_string(rows) + "x" + std::to_string(cols);
}

} // namespace hilda::catalogue
