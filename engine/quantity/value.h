// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/modules.h"
#include "engine/quantity/detail/value/numbers.h"
#include "engine/quantity/shared.h"
#include "engine/quantity/written_unit.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace hilda::quantity {

/// How many dimensions a value has and how large they are. -1 stands for any, where a shape is asked for.
struct Extent {
  int rank = 0; ///< 0 one number, 1 vector (rows), 2 matrix (rows x cols)
  int rows = 1;
  int cols = 1;

  static Extent scalar() { return {0, 1, 1}; }
  static Extent vector(int rows) { return {1, rows, 1}; }
  static Extent matrix(int rows, int cols) { return {2, rows, cols}; }
  static Extent any() { return {-1, -1, -1}; }

  /// "one number", "3 numbers", "a 2x3 matrix"
  std::string text() const;
  friend bool operator==(const Extent&, const Extent&) = default;
};

/// What a parameter was given: text, booleans or numbers, before it is known what the slot takes.
///
/// A text that begins like a number but does not read as one ("5 Nn") is text with a `problem`: a slot for text takes
/// it, a slot for numbers reports the problem.
///
/// A large diagram has a hundred thousands of them: what few have is kept apart, and copies share it.
struct Value {
  enum class Kind : std::uint8_t { text, boolean, number };
  /// How a number is to be understood: `bare`, in the unit that the slot declares; `measured`, in SI with the unit it
  /// was written with or that an expression gave it; `computed`, in SI with an unknown unit.
  enum class Basis : std::uint8_t { bare, measured, computed };

  Kind kind = Kind::text;
  Basis basis = Basis::bare;
  bool calculated = false; ///< by an expression, in whose units rad counts as 1
  Extent extent;
  std::string text;            ///< as written, `${}` replaced
  Numbers numbers;             ///< column-major; booleans as 0 and 1; converted to SI unless bare
  Shared<WrittenUnit> written; ///< the unit written, where a number is measured

  static Value of_text(std::string text);
  static Value of_boolean(bool value);
  static Value bare(double number);
  /// In SI, of the given unit.
  static Value measured(double number, const Unit& unit);

  /// Where they differ ("${speed} 0 0") one for each number instead of `basis`; else empty.
  const std::vector<Basis>& bases() const { return rare().bases; }
  /// Why it is not a number.
  const std::optional<Error>& problem() const { return rare().problem; }
  /// Of a text with `${}`: as a slot for an expression takes it, with named constants (HILDA_EXPRESSION); else empty.
  const std::string& with_constants() const { return rare().with_constants; }
  void set_bases(std::vector<Basis> changed_bases);
  void set_problem(std::optional<Error> why);
  void set_with_constants(std::string expression);

  Basis basis_of(std::size_t index) const { return bases().empty() ? basis : bases()[index]; }
  /// The unit written, and its text; dimensionless where there is none.
  const UnitReading& reading() const;
  const std::string& unit_text() const;
  /// The unit if one was written.
  std::optional<Unit> unit() const;
  bool scalar() const { return kind != Kind::text && extent.rank == 0; }

private:
  struct Rare {
    std::vector<Basis> bases;
    std::optional<Error> problem;
    std::string with_constants;
  };
  const Rare& rare() const { return rare_ ? *rare_ : none(); }
  static const Rare& none();
  void keep(Rare rare);
  Shared<Rare> rare_;
};

/// What a slot asks for.
struct Wanted {
  enum class Element { boolean, integer, real, text };
  Element element = Element::real;
  Extent extent;
  /// Of the slot: bare numbers are in it. Empty: any unit is taken as it is, bare numbers are SI.
  std::optional<UnitReading> unit;
  std::string unit_text;   ///< the unit as the slot declares it
  bool rotational = false; ///< `unit` is rotational(); a value written "N m" is read as N m/rad
};

/// A value in the shape and unit that a slot takes.
struct Shaped {
  Extent extent;   ///< without -1
  Numbers numbers; ///< column-major, SI; booleans 0 and 1, integers exact
  std::string text;
  std::optional<Unit> unit; ///< as written, after rotational(); none for bare and computed numbers
};

/// Fits a value to a slot: one number is a multiple of the identity where a square matrix is required, n numbers are
/// its diagonal; one number is not spread over a vector. Units must agree, angle included. Errors: value-kind,
/// value-shape, value-range, unit-mismatch and those kept in Value::problem.
Result<Shaped> fit(const Value& value, const Wanted& wanted);

/// Where `${name}` finds its values.
class Scope {
public:
  virtual ~Scope() = default;
  /// The parameter of this name; null if there is none; a error if it has no value (one without a code where the
  /// reason has been reported already). May evaluate other parameters meanwhile.
  virtual Result<const Value*> find(const std::string& name) const = 0;
  /// All names, for a near miss.
  virtual std::vector<std::string> names() const = 0;
};

/// Reads the text of a parameter: "176.275 N/mm", "1 2 3 mm", "1 0; 0 1", "true", "${gap}", "${speed} 0 0 m/s",
/// "run_${seed}.csv", anything else as text. Without regard to locale. Errors come from `${}` alone (those of
/// evaluate()); a wrong number is kept as Value::problem: value-number, value-range, value-shape, value-kind,
/// unit-unknown, unit-malformed, unit-mismatch.
Result<Value> read_value(std::string_view text, const Scope& scope);

/// The names that the `${}` of a text refer to, in order, each once. Nothing of what cannot be read.
std::vector<std::string> references(std::string_view text);

/// The shortest decimal text that reads back as the same number.
std::string decimal(double number);

} // namespace hilda::quantity
