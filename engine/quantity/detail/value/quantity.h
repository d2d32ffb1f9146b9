// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/base/error.h"
#include "engine/modules.h"
#include "engine/quantity/unit.h"

#include <string_view>
#include <vector>

namespace hilda::quantity {

/// What an expression calculates with: a number in SI and what it measures.
///
/// `bare`: made of numbers without a unit alone; so is the truth of a comparison. Two quantities that are added,
/// compared or chosen between must measure the same, where rad counts as 1; a bare 0 and a bare infinity go with all,
/// but a bare 0 with no temperature in degC.
struct Quantity {
  double number = 0;
  Unit unit; ///< dimensionless if bare
  bool bare = true;
  std::string_view text; ///< where it is in the expression, for messages
  bool point = false;    ///< a temperature in degC, which has its own zero, and no difference of two

  static Quantity truth(bool value) { return {value ? 1.0 : 0.0, {}, true, {}}; }
};

/// Why two quantities cannot be added, compared or chosen between; false if they can.
bool differ(const Quantity& a, const Quantity& b);
Error units_differ(const Quantity& a, const Quantity& b, std::string_view expression);

/// Temperatures in degC are compared, chosen between, moved by K, and taken from one another: what else was asked.
Error zero_point(const Quantity& temperature, std::string_view expression);

Quantity product(const Quantity& a, const Quantity& b);
Quantity quotient(const Quantity& a, const Quantity& b);
/// Of the greater or the chosen one: the unit of both.
Quantity of_both(const Quantity& a, const Quantity& b, double number);
/// Of what measures the same. Error: zero_point.
Result<Quantity> sum(const Quantity& a, const Quantity& b, std::string_view expression);
Result<Quantity> difference(const Quantity& a, const Quantity& b, std::string_view expression);
Result<Quantity> power(const Quantity& base, const Quantity& exponent, std::string_view expression);

/// sin, max, atan2 and the like, with the number of arguments that it takes.
bool is_function(std::string_view name);
std::vector<std::string> function_names();
Result<Quantity> apply_function(std::string_view name, const std::vector<Quantity>& arguments,
                                std::string_view expression);

} // namespace hilda::quantity
