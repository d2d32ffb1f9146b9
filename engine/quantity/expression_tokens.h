// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/base/error.h"
#include "engine/modules.h"

#include <string>
#include <string_view>
#include <vector>

namespace hilda::quantity {

/// A word of an expression. Views are into its text.
struct Token {
  enum class Kind { number, name, function, sign };
  Kind kind = Kind::sign;
  std::size_t at = 0, length = 0; ///< in the text; of a name with its indices, of a number with its unit
  std::string_view text;          ///< a sign, a name, a unit (empty: none)
  double number = 0;
  std::vector<int> indices; ///< of a name: "v[2]"
};

/// A number may carry a unit: "5 mm", "20 N s/m". In it `/` and `^` are without blanks; with blanks around them they
/// divide and raise. Errors: expression-malformed, expression-name (functions).
Result<std::vector<Token>> tokens(std::string_view expression);

/// "in ${gap / 2}, column 3: ..."
Error malformed_expression(std::string_view expression, std::size_t at, const std::string& why);

/// True for what may begin a name, and for what may follow.
bool starts_name(char c);
bool in_name(char c);

} // namespace hilda::quantity
