// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/catalogue/catalogue.h"
#include "engine/modules.h"

#include <string>
#include <vector>

namespace hilda::authoring::schema {

/// What the text of an attribute may be: one of the words, or what one of the patterns (XML Schema 1.0, appendix F)
/// matches as a whole; anything where there is neither.
struct ValueRule {
  std::string name; ///< shared by all attributes with this rule; empty: of one attribute alone
  std::vector<std::string> words;
  std::vector<std::string> patterns;
  std::vector<std::string> excluded; ///< words that a pattern matches and that are refused nevertheless
  bool anything() const { return words.empty() && patterns.empty(); }
};

/// Text with at least one `${}`: fits every parameter as far as a schema can see.
const ValueRule& expression_rule();
/// Rules with a name, in a fixed order, those of parameters' numbers of a fixed length excepted.
const std::vector<ValueRule>& named_rules();
/// A named rule.
const ValueRule& rule(const std::string& name);

/// What a parameter of a block takes. Accepts whatever the engine accepts; numbers of another dimension, and limits
/// other than zero, are beyond it.
ValueRule rule_of(const Slot& parameter);

} // namespace hilda::authoring::schema
