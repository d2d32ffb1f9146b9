// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/authoring/named.h"
#include "engine/modules.h"

#include <string>
#include <string_view>
#include <vector>

namespace hilda::authoring {

/// A place in a value where something is named.
struct Reference {
  const XmlNode* element = nullptr;
  const std::string* attribute_name = nullptr;
  const XmlAttribute* attribute = nullptr;
  Names names = Names::nothing;   ///< what the attribute names
  std::size_t at = 0, length = 0; ///< of the name itself, without the subsystems before it, in the value
  TextSpan word;                  ///< of the path that contains it, in the value

  bool is(std::string_view tag, std::string_view of) const { return element->is(tag) && *attribute_name == of; }
  bool in_list() const { return names == Names::list; }
};

/// Every wire, condition, power port, limit, quality, log, figure and tolerance of the file that names it: in its own
/// body, and lists in those around it. Not for parameters.
std::vector<Reference> references_to(const XmlSpans& spans, const Named& named);

/// Where `${}` names a parameter, within the scope of that parameter.
std::vector<Reference> uses_of(const Named& parameter);
/// The same for all that an expression within `body` names and that nothing between declares, in order, each once.
std::vector<std::string> free_names(const XmlNode& body);

/// Words of a list of signals, as words_of_list has them, with their places.
std::vector<TextSpan> words_in(std::string_view list);

/// Patterns that may have meant it and name it only by '*' or '?', which no edit can rename: "lea*".
std::vector<Reference> patterns_near(const XmlSpans& spans, const Named& named);

} // namespace hilda::authoring
