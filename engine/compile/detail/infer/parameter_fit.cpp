// SPDX-License-Identifier: BSD-3-Clause
#include "engine/compile/detail/infer/parameter_fit.h"

#include "engine/base/word_list.h"
#include "engine/plugin/parameter_record.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <hilda/flags.h>
#include <utility>

namespace hilda::compile {
namespace {

constexpr std::int64_t largest_signal = std::int64_t{1} << 26;

std::optional<Error> fit_choice(Value& value, const Slot& slot) {
  const auto found = std::find(slot.choices.begin(), slot.choices.end(), value.text);
  if (found != slot.choices.end()) {
    value.numbers = {static_cast<double>(found - slot.choices.begin())};
    return std::nullopt;
  }
  std::string words;
  for (const std::string& choice : slot.choices) add_word(words, choice);
  const std::string meant = nearest(value.text, slot.choices);
  return make_error("parameter-choice", in_quotes(value.text) + " is not one of its words",
                    (meant.empty() ? "" : "did you mean " + in_quotes(meant) + "? ") + "It takes one of: " + words +
                        (slot.doc.empty() ? "" : "; it is: " + slot.doc));
}

/// One number is what a scalar takes; written as a matrix it may be where the slot asks for one.
Extent wanted_extent(const Slot& slot, const Value& value, int rows, int cols) {
  const bool matrix = slot.shape.whole.empty() && !(slot.shape.cols.fixed() && slot.shape.cols.constant == 1);
  if (matrix || cols != 1 || value.extent.rank == 2) return Extent::matrix(rows, cols);
  if (rows == 1 && value.extent.rank == 0) return Extent::scalar();
  return Extent::vector(rows);
}

Wanted wanted_by(const Slot& slot, const Value& value, const SignalType& type) {
  Wanted wanted;
  wanted.element = slot.element == HILDA_U8                                 ? Wanted::Element::boolean
                   : slot.element == HILDA_F64                              ? Wanted::Element::real
                   : slot.element == HILDA_I64 || slot.element == HILDA_U64 ? Wanted::Element::integer
                                                                            : Wanted::Element::text;
  if (wanted.element == Wanted::Element::text) return wanted;
  wanted.extent = Extent::any();
  if (value.kind == Value::Kind::text) return wanted; // refused, whatever the shape
  wanted.extent = wanted_extent(slot, value, type.rows, type.cols);
  wanted.rotational = slot.is(HILDA_ROTATIONAL);
  wanted.unit_text = slot.unit_text;
  // A unit that depends on others has been compared with them already.
  if (slot.unit.fixed()) wanted.unit = slot.declared;
  return wanted;
}

/// Zero is the same in every shape; so is what the type's author gives by default and an open limit.
void spread(Value& value, const Slot& slot, const Extent& wanted) {
  if (value.kind == Value::Kind::text || value.extent.rank != 0 || value.numbers.size() != 1) return;
  const std::int64_t count = std::int64_t{wanted.rows} * wanted.cols;
  const double number = value.numbers[0];
  const bool square = wanted.rank == 2 && wanted.rows == wanted.cols;
  const bool any_shape = fits_everything(number) || (slot.initial && *slot.initial == value.text && !square);
  if (!any_shape || slot.shape.fixed() || count <= 1 || count > largest_signal) return;
  value.numbers.assign(static_cast<std::size_t>(count), number);
  value.set_bases({});
  value.extent = wanted;
}

std::optional<Error> out_of_range(const Value& value, const Slot& slot, const Shaped& shaped) {
  if (slot.element >= HILDA_U8) return std::nullopt;
  const auto refuse = [&](const std::string& bounds, const std::string& help) {
    return make_error("parameter-range", "is " + in_quotes(value.text) + ", but must be " + bounds, help);
  };
  for (const double number : shaped.numbers)
    if (!within_range(slot, number))
      return refuse(range_text(slot), "give a value in this range" + (slot.doc.empty() ? "" : "; it is: " + slot.doc));
  if (slot.element == HILDA_U64 &&
      std::any_of(shaped.numbers.begin(), shaped.numbers.end(), [](double n) { return n < 0; }))
    return refuse("at least 0", "give a whole number without a sign");
  return std::nullopt;
}

/// A slot whose unit is a quotient or a product of several units holds a factor, too.
bool takes_differences(const Slot& slot) {
  const auto& variables = slot.unit.variables;
  return slot.is(HILDA_DIFFERENCE) || variables.size() > 1 ||
         std::any_of(variables.begin(), variables.end(), [](const auto& each) { return each.second != 1; });
}

std::optional<Error> zero_point(const Value& value, const Slot& slot) {
  if (value.kind != Value::Kind::number || value.reading().offset == 0 || !takes_differences(slot)) return std::nullopt;
  return make_error("unit-offset",
                    in_quotes(value.text) + " is a temperature, since " + value.unit_text() +
                        " has its own zero point, and the parameter is a difference or a factor",
                    "write K: a difference of 5 degC is 5 K" + (slot.doc.empty() ? "" : "; it is: " + slot.doc));
}

void take(Value& value, const Slot& slot, const Shared<WrittenUnit>& unit, Shaped shaped) {
  // "1 kg" is not an expression.
  if (slot.is(HILDA_EXPRESSION) && value.kind == Value::Kind::number && value.scalar() &&
      value.with_constants().empty())
    value.set_with_constants(decimal(value.numbers[0]));
  if (slot.element >= HILDA_TEXT) return;
  value.kind = slot.element == HILDA_U8 ? Value::Kind::boolean : Value::Kind::number;
  value.extent = shaped.extent;
  value.numbers = std::move(shaped.numbers);
  value.set_bases({});
  if (slot.element == HILDA_U8) return;
  if (unit)
    value.written = unit;
  else if (shaped.unit)
    value.written = WrittenUnit{{.unit = *shaped.unit}, shaped.unit->text()};
  else
    value.written = std::nullopt;
  value.basis = value.written ? Value::Basis::measured : Value::Basis::computed;
}

} // namespace

bool fits_everything(double number) { return number == 0 || std::isinf(number); }

std::string refusal_text(const SystemBlock& block, const Slot& slot, const Error& why) {
  const char* is = why.code == "parameter-range" ? " " : ": ";
  return "parameter " + in_quotes(slot.name) + " of " + in_quotes(block.path) + is + why.what;
}

std::optional<Error> fit_parameter(Value& value, const Slot& slot, const SignalType& type,
                                   const Shared<WrittenUnit>& unit) {
  if (slot.element == HILDA_CHOICE) return fit_choice(value, slot);
  if (std::optional<Error> refused = zero_point(value, slot)) return refused;
  const Wanted wanted = wanted_by(slot, value, type);
  spread(value, slot, wanted.extent);
  Result<Shaped> shaped = fit(value, wanted);
  if (!shaped) return shaped.error();
  if (std::optional<Error> refused = out_of_range(value, slot, *shaped)) return refused;
  take(value, slot, unit, std::move(*shaped));
  return std::nullopt;
}

void fit_driven(Value& value, const Slot& slot, const SignalType& type, const Shared<WrittenUnit>& unit,
                const std::string& driver) {
  if (Value fitted = value; !fit_parameter(fitted, slot, type, unit)) {
    value = std::move(fitted);
  } else if (type.rows >= 0 && type.cols >= 0) { // one number, everywhere
    const double number = value.numbers.size() == 0 ? 0 : value.numbers[0];
    const double si =
        slot.unit.fixed() && value.basis_of(0) == Value::Basis::bare ? slot.declared.to_si(number) : number;
    Shaped shaped;
    shaped.extent = wanted_extent(slot, value, type.rows, type.cols);
    shaped.numbers.assign(type.elements(), si);
    take(value, slot, unit, std::move(shaped));
  }
  value.text = "driven by " + driver;
}

} // namespace hilda::compile
