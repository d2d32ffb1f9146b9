#pragma once

#include "engine/model/complaint.h"

#include <string>
#include <string_view>
#include <vector>

namespace hilda {

/// A name in the text of an expression, and its number.
struct Operand {
  std::string name; ///< letters, digits, '_', '.' and '#'; no digit first
  double number;
};

/// Calculates one number by muParser, without regard to locale. `text` is the expression with the operands' names in
/// it, column for column. Complaint: expression-malformed, with the column.
Outcome<double> calculate(std::string_view expression, const std::string& text, const std::vector<Operand>& operands);

/// True for the names of functions that expressions know.
bool is_function(std::string_view name);

/// Their names, for a near miss.
std::vector<std::string> function_names();

/// "in ${gap / 2}, column 3: ..."
Complaint malformed_expression(std::string_view expression, std::size_t at, const std::string& why);

/// "${gap / 2}", cut where it is long.
std::string shown_expression(std::string_view expression);

} // namespace hilda
