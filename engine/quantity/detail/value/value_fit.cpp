// SPDX-License-Identifier: BSD-3-Clause
#include "engine/quantity/detail/value/number_list.h"
#include "engine/quantity/value.h"

#include <algorithm>
#include <cmath>

namespace hilda::quantity {
namespace {

using Element = Wanted::Element;

std::string shown_unit(const UnitReading& reading, const std::string& written) {
  std::string si = reading.unit.written_text();
  const bool in_si = reading.scale == 1 && reading.decade == 0 && reading.offset == 0;
  if (written.empty()) return si;
  if (in_si) return written;
  return written + " (" + si + ")";
}

/// A torque written N m and an energy are the same to a reader of units; here the slot says which is meant.
std::optional<Unit> accepted_unit(const Value& value, const Wanted& wanted) {
  const Unit& given = value.reading().unit;
  const Unit& target = wanted.unit->unit;
  if (value.calculated && given.without_angle() == target.without_angle())
    return given == target || wanted.unit->scale == 1 ? std::optional<Unit>(target) : std::nullopt;
  const Unit completed = given.rotational();
  if (!wanted.rotational || completed == given) return given == target ? std::optional<Unit>(target) : std::nullopt;
  if (completed == target && !value.reading().energy) return target;
  // Written in full: N m/rad2. (N m/rad in full would be a torque, but reads as a stiffness.)
  const Exponent angles = given.power(Unit::Base::angle);
  const bool in_full = given == target && (angles <= -2 || angles >= 2);
  return in_full ? std::optional<Unit>(target) : std::nullopt;
}

std::string unit_help(const Value& value, const Wanted& wanted, const std::string& declared) {
  const Unit& target = wanted.unit->unit;
  const Unit per_second = Unit(Unit::Base::time).pow(-1);
  for (const auto pseudo : {Unit::Base::wrench, Unit::Base::twist, Unit::Base::pose})
    if (!target.power(pseudo).zero()) return "write the numbers alone, in SI";
  if (target.dimensionless()) return "write the number without a unit";
  if (target / per_second == Unit(Unit::Base::angle) && value.reading().unit == per_second)
    return "an angle counts as a unit: write rad/s, deg/s or Hz";
  if (wanted.rotational && value.reading().energy) return "a torque is not an energy: write it in N m";
  const bool same_number = value.reading().scale == 1 && value.reading().decade == 0;
  if (same_number && value.reading().unit.without_angle() == target.without_angle())
    return "the two differ by rad alone, which counts as 1 there: the number stays, write it in " + declared;
  return "write the value in " + declared;
}

Error unit_mismatch(const Value& value, const Wanted& wanted) {
  const std::string declared = wanted.unit_text.empty() ? wanted.unit->unit.text() : wanted.unit_text;
  if (value.calculated && value.reading().unit.without_angle() == wanted.unit->unit.without_angle())
    return turns_or_radians(value.reading().unit.text(), declared);
  UnitReading given = value.reading();
  if (wanted.rotational && !given.energy) given.unit = given.unit.rotational();
  return make_error("unit-mismatch",
                    in_quotes(value.text) + " is in " + shown_unit(given, value.unit_text()) + ", but " +
                        shown_unit(*wanted.unit, declared) + " is expected",
                    unit_help(value, wanted, declared));
}

const char* noun(Element element) {
  switch (element) {
  case Element::boolean: return "true or false";
  case Element::integer: return "a whole number";
  case Element::real: return "a number";
  case Element::text: break;
  }
  return "a text";
}

Error wrong_kind(const Value& value, Element wanted) {
  const bool boolean = wanted == Element::boolean;
  const std::string given = value.text.empty() ? "an empty text" : in_quotes(value.text);
  return make_error("value-kind", given + " is given where " + noun(wanted) + " is expected",
                    boolean ? "write true, false, on or off"
                            : "write " + std::string(noun(wanted)) +
                                  (wanted == Element::real ? ", with its unit behind it" : ""));
}

/// What the booleans of a value are; a computed 0 or 1 will do.
std::optional<Error> take_booleans(const Value& value, Shaped& shaped) {
  const bool truth = value.kind == Value::Kind::number && value.scalar() && value.calculated && !value.unit() &&
                     (value.numbers[0] == 0 || value.numbers[0] == 1);
  if (value.kind != Value::Kind::boolean && !truth) return wrong_kind(value, Element::boolean);
  shaped.numbers = value.numbers;
  return std::nullopt;
}

std::optional<Error> take_numbers(const Value& value, const Wanted& wanted, Shaped& shaped) {
  if (value.problem()) return value.problem();
  if (value.kind != Value::Kind::number) return wrong_kind(value, wanted.element);
  shaped.unit = value.unit();
  if (shaped.unit && wanted.unit) {
    shaped.unit = accepted_unit(value, wanted);
    if (!shaped.unit) return unit_mismatch(value, wanted);
  }
  shaped.numbers = value.numbers;
  if (!wanted.unit) return std::nullopt;
  const bool zero_point = wanted.unit->offset != 0 && value.numbers.size() > 1;
  for (std::size_t i = 0; i < value.numbers.size(); ++i) {
    if (value.basis_of(i) != Value::Basis::bare) continue;
    if (zero_point)
      return make_error("unit-mismatch",
                        "numbers of a list cannot be in " + in_quotes(wanted.unit_text) +
                            ", which has its own zero point",
                        "write their unit, K, behind them");
    shaped.numbers[i] = wanted.unit->to_si(value.numbers[i]);
  }
  return std::nullopt;
}

std::optional<Error> check_whole(const Value& value, const Numbers& numbers) {
  constexpr double exact_integers = 9007199254740992.0; // 2^53: a number read as this may have been written as 2^53 + 1
  for (const double number : numbers) {
    if (!std::isfinite(number) || number != std::trunc(number)) return wrong_kind(value, Element::integer);
    if (std::abs(number) >= exact_integers)
      return make_error("value-range", in_quotes(value.text) + " is beyond the whole numbers that are read exactly",
                        "stay below 2^53 = 9007199254740992");
  }
  return std::nullopt;
}

/// The required extent with each -1 filled in from what is given, or none where they do not go together.
std::optional<Extent> settle(const Extent& given, const Extent& wanted) {
  const int count = given.rows * given.cols;
  const auto admits = [](int want, int have) { return want < 0 || want == have; };
  if (wanted.rank < 0) return given;
  if (wanted.rank == 0) return count == 1 ? std::optional<Extent>(Extent::scalar()) : std::nullopt;
  if (wanted.rank == 1) {
    const bool fits = given.cols == 1 && admits(wanted.rows, given.rows);
    return fits ? std::optional<Extent>(Extent::vector(given.rows)) : std::nullopt;
  }
  if (given.rank == 2) {
    const bool fits = admits(wanted.rows, given.rows) && admits(wanted.cols, given.cols);
    return fits ? std::optional<Extent>(given) : std::nullopt;
  }
  const int known = wanted.rows >= 0 ? wanted.rows : wanted.cols >= 0 ? wanted.cols : count;
  const int rows = wanted.rows >= 0 ? wanted.rows : known;
  const int cols = wanted.cols >= 0 ? wanted.cols : known;
  const bool diagonal = rows == cols && (given.rank == 0 || count == rows);
  const bool line = given.rank == 1 && ((rows == 1 && cols == count) || (cols == 1 && rows == count));
  return diagonal || line ? std::optional<Extent>(Extent::matrix(rows, cols)) : std::nullopt;
}

/// Spreads one number or a diagonal over a square matrix; a matrix that is complete already stays.
void lay_out(Numbers& numbers, const Extent& extent) {
  const auto rows = static_cast<std::size_t>(extent.rows);
  const std::size_t all = rows * static_cast<std::size_t>(extent.cols);
  if (numbers.size() == all) return;
  Numbers square;
  square.assign(all, 0.0);
  for (std::size_t i = 0; i < rows; ++i) square[i * (rows + 1)] = numbers.size() == 1 ? numbers[0] : numbers[i];
  numbers.swap(square);
}

Error shape_mismatch(const Value& value, const Extent& wanted) {
  std::string help = "write " + wanted.text();
  if (wanted.rank == 1 && value.extent.rank == 0) help += "; one number is not spread over a vector";
  if (wanted.rank == 2) help += ", rows ended by ';'";
  if (wanted.rank == 2 && wanted.rows == wanted.cols)
    help += "; one number is a multiple of the identity, " +
            (wanted.rows < 0 ? std::string("n") : std::to_string(wanted.rows)) + " are the diagonal";
  return make_error("value-shape",
                    in_quotes(value.text) + " is " + value.extent.text() + ", but " + wanted.text() +
                        (wanted.rank == 1 && wanted.rows != 1 && wanted.rows >= 0 ? " are" : " is") + " expected",
                    help);
}

} // namespace

Result<Shaped> fit(const Value& value, const Wanted& wanted) {
  Shaped shaped;
  if (wanted.element == Element::text) {
    shaped.text = value.text;
    return shaped;
  }
  std::optional<Error> wrong =
      wanted.element == Element::boolean ? take_booleans(value, shaped) : take_numbers(value, wanted, shaped);
  if (!wrong && wanted.element == Element::integer) wrong = check_whole(value, shaped.numbers);
  if (wrong) return *wrong;
  const std::optional<Extent> extent = settle(value.extent, wanted.extent);
  if (!extent) return shape_mismatch(value, wanted.extent);
  shaped.extent = *extent;
  lay_out(shaped.numbers, shaped.extent);
  return shaped;
}

} // namespace hilda::quantity
