// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "tests/engine/map_scope.h"

namespace hilda::test {

/// What the texts of a test may name.
inline const MapScope& scope() {
  static const MapScope parameters{{"speed", "50 mm/s"},  {"count", "3"},      {"robot", "kuka"},
                                   {"fast", "on"},        {"gap", "5 mm"},     {"axis", "1 0 0"},
                                   {"gains", "1 2; 3 4"}, {"torque", "2 N m"}, {"unit", "mm"}};
  return parameters;
}

inline Value read(const std::string& text) {
  const Result<Value> value = read_value(text, scope());
  EXPECT_TRUE(value) << text << ": " << (value ? "" : value.error().what);
  return value ? *value : Value();
}

/// Why the text is refused.
inline Error refusal(const std::string& text) {
  const Result<Value> value = read_value(text, scope());
  EXPECT_FALSE(value) << text;
  return value ? Error{} : value.error();
}

/// What a slot for real numbers takes.
inline Wanted real(const std::string& unit = "1", Extent extent = Extent::scalar()) {
  Wanted wanted;
  wanted.extent = extent;
  wanted.unit = *parse_unit(unit);
  wanted.unit_text = unit;
  return wanted;
}

inline std::vector<double> fitted(const std::string& text, const Wanted& wanted) {
  const Result<Shaped> shaped = fit(read(text), wanted);
  EXPECT_TRUE(shaped) << text << ": " << (shaped ? "" : shaped.error().what);
  return shaped ? shaped->numbers : Numbers();
}

inline Error misfit(const std::string& text, const Wanted& wanted) {
  const Result<Shaped> shaped = fit(read(text), wanted);
  EXPECT_FALSE(shaped) << text;
  return shaped ? Error{} : shaped.error();
}

} // namespace hilda::test
