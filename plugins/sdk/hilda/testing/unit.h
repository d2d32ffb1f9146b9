// SPDX-License-Identifier: BSD-3-Clause
#ifndef HILDA_TESTING_UNIT_H
#define HILDA_TESTING_UNIT_H

// Units as slots declare them, for tests that run without the engine.

#include <cctype>
#include <charconv>
#include <cmath>
#include <map>
#include <numbers>
#include <optional>
#include <string>
#include <string_view>

namespace hilda::testing {

/// A unit: SI value = number * factor; and powers of the SI base units ("m", "kg") and of variables ("@u").
struct UnitPowers {
  double factor = 1;
  std::map<std::string, double> powers;

  void multiply(const UnitPowers& other, double power) {
    factor *= std::pow(other.factor, power);
    for (const auto& [base, exponent] : other.powers) powers[base] += exponent * power;
  }
};

namespace detail {

struct UnitSymbol {
  const char* symbol;
  double factor;
  double kg, m, s, A, rad;
};

inline const UnitSymbol* find_unit_symbol(std::string_view name) {
  constexpr double pi = std::numbers::pi;
  static constexpr UnitSymbol table[] = {
      {"1", 1, 0, 0, 0, 0, 0},        {"kg", 1, 1, 0, 0, 0, 0},         {"m", 1, 0, 1, 0, 0, 0},
      {"s", 1, 0, 0, 1, 0, 0},        {"A", 1, 0, 0, 0, 1, 0},          {"rad", 1, 0, 0, 0, 0, 1},
      {"g", 1e-3, 1, 0, 0, 0, 0},     {"t", 1e3, 1, 0, 0, 0, 0},        {"min", 60, 0, 0, 1, 0, 0},
      {"h", 3600, 0, 0, 1, 0, 0},     {"deg", pi / 180, 0, 0, 0, 0, 1}, {"rev", 2 * pi, 0, 0, 0, 0, 1},
      {"Hz", 2 * pi, 0, 0, -1, 0, 1}, {"rpm", pi / 30, 0, 0, -1, 0, 1}, {"N", 1, 1, 1, -2, 0, 0},
      {"Nm", 1, 1, 2, -2, 0, 0},      {"Nms", 1, 1, 2, -1, 0, 0},       {"Ns", 1, 1, 1, -1, 0, 0},
      {"Pa", 1, 1, -1, -2, 0, 0},     {"bar", 1e5, 1, -1, -2, 0, 0},    {"J", 1, 1, 2, -2, 0, 0},
      {"W", 1, 1, 2, -3, 0, 0},       {"V", 1, 1, 2, -3, -1, 0},        {"Ohm", 1, 1, 2, -3, -2, 0},
      {"C", 1, 0, 0, 1, 1, 0},        {"%", 1e-2, 0, 0, 0, 0, 0}};
  for (const UnitSymbol& each : table)
    if (name == each.symbol) return &each;
  return nullptr;
}

/// "mm", "kN": a symbol, or a prefix and a symbol.
inline std::optional<UnitPowers> read_unit_symbol(std::string_view name) {
  const UnitSymbol* symbol = find_unit_symbol(name);
  double prefix = 1;
  if (symbol == nullptr && name.size() > 1) {
    static constexpr std::string_view letters = "pnumcdkMGT";
    static constexpr double scales[] = {1e-12, 1e-9, 1e-6, 1e-3, 1e-2, 1e-1, 1e3, 1e6, 1e9, 1e12};
    const std::size_t at = letters.find(name[0]);
    if (at == std::string_view::npos) return std::nullopt;
    prefix = scales[at];
    symbol = find_unit_symbol(name.substr(1));
  }
  if (symbol == nullptr) return std::nullopt;
  UnitPowers unit;
  unit.factor = prefix * symbol->factor;
  unit.powers = {{"kg", symbol->kg}, {"m", symbol->m}, {"s", symbol->s}, {"A", symbol->A}, {"rad", symbol->rad}};
  return unit;
}

/// Reads one unit from left to right: products and quotients group from the left.
class UnitReader {
public:
  explicit UnitReader(std::string_view text) : rest_(text) {}

  std::optional<UnitPowers> read() {
    UnitPowers unit;
    while (skip_blanks()) {
      double sign = 1;
      if (rest_[0] == '/' || rest_[0] == '*' || rest_[0] == '.') {
        if (rest_[0] == '/') sign = -1;
        rest_.remove_prefix(1);
        if (!skip_blanks()) return std::nullopt;
      }
      const std::optional<UnitPowers> factor = read_name();
      if (!factor) return std::nullopt;
      const std::optional<double> power = read_power();
      if (!power) return std::nullopt;
      unit.multiply(*factor, sign * *power);
    }
    return unit;
  }

private:
  bool skip_blanks() {
    while (!rest_.empty() && rest_[0] == ' ') rest_.remove_prefix(1);
    return !rest_.empty();
  }

  std::string_view take(std::size_t length) {
    const std::string_view taken = rest_.substr(0, length);
    rest_.remove_prefix(length);
    return taken;
  }

  std::optional<UnitPowers> read_name() {
    const bool variable = rest_[0] == '@';
    std::size_t end = variable ? 1 : 0;
    if (rest_[0] == '%' || rest_[0] == '1') return read_unit_symbol(take(1));
    const auto belongs = [&](char c) {
      return std::isalpha(static_cast<unsigned char>(c)) != 0 ||
             (variable && (std::isdigit(static_cast<unsigned char>(c)) != 0 || c == '_'));
    };
    while (end < rest_.size() && belongs(rest_[end])) ++end;
    const std::string_view name = take(end);
    if (!variable) return read_unit_symbol(name);
    UnitPowers unit;
    unit.powers[std::string(name)] = 1;
    return unit;
  }

  /// "2", "^2", "^-1", "^(1/2)"; none: 1.
  std::optional<double> read_power() {
    if (!rest_.empty() && rest_[0] == '^') take(1);
    const bool bracket = !rest_.empty() && rest_[0] == '(';
    if (bracket) take(1);
    double power = 1;
    const std::size_t digits = read_number(power);
    if (!bracket) return digits > 0 || rest_.empty() || rest_[0] != '-' ? std::optional(power) : std::nullopt;
    if (!rest_.empty() && rest_[0] == '/') {
      take(1);
      double below = 1;
      if (read_number(below) == 0 || below == 0) return std::nullopt;
      power /= below;
    }
    if (rest_.empty() || rest_[0] != ')') return std::nullopt;
    take(1);
    return power;
  }

  std::size_t read_number(double& number) {
    int whole = 0;
    const auto [end, error] = std::from_chars(rest_.data(), rest_.data() + rest_.size(), whole);
    if (error != std::errc()) return 0;
    number = whole;
    return take(static_cast<std::size_t>(end - rest_.data())).size();
  }

  std::string_view rest_;
};

} // namespace detail

/// Reads "N/mm", "N s/m", "@y/@u", "@u^(1/2)". Empty text is "1". None where a name is not known here: the engine knows
/// more units than tests need.
inline std::optional<UnitPowers> read_unit(std::string_view text) { return detail::UnitReader(text).read(); }

} // namespace hilda::testing

#endif
