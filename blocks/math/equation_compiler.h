// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "equation_program.h"
#include "equation_text.h"

#include <array>
#include <functional>
#include <hilda/ports.h>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace equations {

using Powers = std::array<double, HILDA_UNIT_POWERS>;

/// Shape and unit of a value.
struct Type {
  int rows = 1, cols = 1;
  Powers unit{};
  bool free = false; ///< 0 and what is made of it alone: of any unit
  int count() const { return rows * cols; }
  bool scalar() const { return rows == 1 && cols == 1; }
};

/// "3 x 3"
std::string shape_name(const Type& type);

/// A name that equations may use.
struct Symbol {
  enum class Kind { time, constant, number, input, memory, defined } kind = Kind::defined;
  Type type = {};
  double number = 0;        ///< of a constant
  std::uint64_t offset = 0; ///< of an input's pointer, or of the numbers, in the record; of a number, among numbers
  const Node* is = nullptr; ///< of what an equation defines
};

using Symbols = std::map<std::string, Symbol>;

/// Throws a Refusal with a near miss where it is neither a function of equations nor one of `more`.
void refuse_unknown_function(const std::string& name, const std::vector<std::string>& more);

/// Turns expressions into steps, checking shape and unit of each operation. One compiler makes one program; what an
/// equation defines is computed once in it.
class Compiler {
public:
  struct Value {
    Type type;
    std::uint32_t at = 0;
    bool literal = false; ///< a number as written
    double number = 0;
  };
  using UnitText = std::function<std::string(const Powers&)>;

  Compiler(Symbols& symbols, std::vector<double>& numbers, UnitText unit_text)
      : symbols_(symbols), numbers_(numbers), unit_text_(std::move(unit_text)) {}

  Value compile(const Node& node);
  /// Of a condition that is one number: above 0 where it is true, and continuous where what it compares is.
  Value distance(const Node& node);
  /// Fits a value to what takes it: the same shape, or one number for all; the same unit.
  void fit(const Value& value, const Type& wanted, const std::string& taker);
  void store(const Value& value, const Type& wanted, std::uint64_t offset);
  void store_if(const Value& condition, const Value& value, const Type& wanted, std::uint64_t offset);
  /// The type of something that an equation defines, once it has been compiled.
  void define(const std::string& name, const Node& node);

  Program program;
  std::set<std::string> inputs; ///< those that the program reads
  bool time = false;            ///< the program reads the time

private:
  Value number(double value);
  Value name(const std::string& text);
  Value operation(const Node& node);
  Value call(const Node& node);
  Value extreme(const Node& node);
  Value of_vectors(const Node& node);
  Value column(const Node& node);
  Value element(const Node& node);
  Value choice(const Node& node);
  Value powered(const Value& base, const Value& exponent);
  Value matrix_product(const Value& a, const Value& b);

  std::uint32_t room(int count);
  Value emit(Step::Code code, const Type& type, const Value& a, const Value& b);
  Value emit(Step::Code code, const Type& type, const Value& a);
  Type same(const Value& a, const Value& b, const std::string& what, bool units);
  void want_number(const Value& value, const std::string& what);
  std::string unit_name(const Type& type) const;

  Symbols& symbols_;
  std::vector<double>& numbers_;
  UnitText unit_text_;
  std::map<std::string, Value> known_;
};

} // namespace equations
