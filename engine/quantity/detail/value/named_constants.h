// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/modules.h"
#include "engine/quantity/value.h"

#include <cstddef>
#include <map>
#include <string>
#include <string_view>

namespace hilda::quantity {

/// A text that a block reads as an expression, while it is put together: each number that `${}` brings becomes a named
/// constant, so that neither its sign nor its digits join what is next to it, and columns stay those of the file.
class NamedConstants {
public:
  void append(std::string_view text) { text_ += text; }
  /// `written` is the `${...}` in full. A text comes in parentheses, with the constants that it has itself.
  void insert(std::string_view written, const Value& value);
  /// As HILDA_EXPRESSION needs it: the text, then "\x1f" name "=" number for each constant.
  std::string text() const;

private:
  std::string name_for(std::string_view written, double number);
  void insert_text(const Value& value);

  std::string text_;
  std::map<std::string, double> constants_;
  std::size_t next_ = 0; ///< of the numbered ones
};

} // namespace hilda::quantity
