// SPDX-License-Identifier: BSD-3-Clause
#ifndef HILDA_TESTING_PARAMETERS_H
#define HILDA_TESTING_PARAMETERS_H

// The values of all parameters of one instance.

#include <hilda/testing/shapes.h>

namespace hilda::testing {
namespace detail {

/// A number within the parameter's range, near `guess`. Ranges are in the declared unit.
inline double guessed_number(const hilda_slot& slot, double guess) {
  const double low = slot.minimum, high = slot.maximum;
  const bool above = has(slot, HILDA_ABOVE) ? guess > low : guess >= low;
  const bool below = has(slot, HILDA_BELOW) ? guess < high : guess <= high;
  if (above && below) return guess;
  if (std::isfinite(low) && std::isfinite(high)) return (low + high) / 2;
  return std::isfinite(low) ? low + std::abs(guess) : high - std::abs(guess);
}

/// Given, by default, or guessed where the diagram would have to give it.
inline Value parameter_value(const hilda_slot& slot, const Setup& setup) {
  if (const auto given = setup.parameters.find(slot.name); given != setup.parameters.end()) {
    const Value& value = given->second;
    return slot.element == HILDA_CHOICE && value.numbers.empty() ? read_value(slot, value.text) : value;
  }
  if (slot.initial != nullptr) return read_value(slot, slot.initial);
  if (slot.kind == HILDA_QUATERNION) return {1, 0, 0, 0};
  if (slot.kind == HILDA_POSE) return {0, 0, 0, 1, 0, 0, 0};
  switch (slot.element) {
  case HILDA_TEXT:
  case HILDA_PATH:
    throw Impossible("the parameter '" + std::string(slot.name) + "' has no default and cannot be guessed");
  case HILDA_CHOICE:
  case HILDA_U8: return 0.0;
  case HILDA_I64:
  case HILDA_U64: return std::round(std::max(1.0, guessed_number(slot, setup.value_guess)));
  default: break;
  }
  const std::optional<UnitPowers> declared = read_unit(slot.unit != nullptr ? slot.unit : "");
  return guessed_number(slot, setup.value_guess) * declared.value_or(UnitPowers{}).factor;
}

/// Brings a value into the shape that the slot has: one number is a multiple of the identity where that is a square
/// matrix, n numbers are its diagonal, and a guess or a default is spread over a vector.
inline Value fitted(const hilda_slot& slot, const Value& value, Shape shape, bool rising) {
  if (value.shape == shape || value.numbers.empty()) return value;
  const auto count = static_cast<std::size_t>(shape.count());
  if (value.numbers.size() == count) return Value(shape, value.numbers);
  const bool square = shape.rows == shape.cols;
  Value matrix(shape, std::vector<double>(count, square ? 0.0 : value.numbers[0]));
  for (std::size_t i = 0; rising && !square && i < count; ++i) matrix.numbers[i] *= static_cast<double>(i + 1);
  if (value.numbers.size() != 1 && !(square && value.numbers.size() == static_cast<std::size_t>(shape.rows)))
    throw Impossible("the parameter '" + std::string(slot.name) + "' has " + std::to_string(value.numbers.size()) +
                     " numbers for the shape " + shape.text());
  for (std::size_t i = 0; square && i < static_cast<std::size_t>(shape.rows); ++i)
    matrix.numbers[i * static_cast<std::size_t>(shape.rows) + i] = value.numbers[value.numbers.size() == 1 ? 0 : i];
  return matrix;
}

} // namespace detail

/// One value for each parameter of the type, in SI; shapes are fitted later.
inline std::map<std::string, Value> parameter_values(const Type& type, const Setup& setup) {
  for (const auto& given : setup.parameters) {
    if (type.find(given.first, HILDA_PARAMETER) == nullptr)
      throw Impossible("the block " + type.name() + " has no parameter '" + given.first + "'");
  }
  std::map<std::string, Value> values;
  for (const hilda_slot& slot : type.slots())
    if (slot.role == HILDA_PARAMETER) values[slot.name] = detail::parameter_value(slot, setup);
  return values;
}

} // namespace hilda::testing

#endif
