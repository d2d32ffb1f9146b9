// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/modules.h"
#include "engine/quantity/value.h"

#include <string>
#include <string_view>
#include <vector>

namespace hilda::quantity {

/// Evaluates the text between `${` and `}`.
///
/// A bare name gives that parameter as it is, with its unit. Arithmetic is scalar, in SI, and carries units (see
/// Quantity): + - * / ^, comparisons, && || !, `c ? a : b`, pi, inf, sin cos tan asin acos atan atan2 sinh cosh tanh
/// exp log log10 sqrt abs sign floor ceil round min max. Numbers may have a unit: 5 mm. Elements of vectors and
/// matrices, from 0: v[2], m[0,1]; all of them where one is the only argument of min or max: max(v). Angles are in rad;
/// true is 1, false is 0. Errors: expression-malformed (with the column), expression-name, expression-kind,
/// expression-units, expression-result.
Result<Value> evaluate(std::string_view expression, const Scope& scope);

/// "${gap / 2}", cut where it is long.
std::string shown_expression(std::string_view expression);

/// The parameters an expression names, in order, each once. Empty where it cannot be read.
std::vector<std::string> names_in(std::string_view expression);

/// True for what can be a parameter's name: a letter or '_', then letters, digits, '_' and '.'.
bool is_name(std::string_view text);

} // namespace hilda::quantity
