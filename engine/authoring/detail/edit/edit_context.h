// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/authoring/detail/text/layout.h"
#include "engine/authoring/detail/text/text_edit.h"
#include "engine/authoring/spans.h"
#include "engine/base/diagnostic.h"
#include "engine/diagram/suggestion.h"
#include "engine/modules.h"

#include <algorithm>
#include <string>
#include <vector>

namespace hilda::authoring {

/// What every operation works on.
struct EditContext {
  const std::string& name; ///< of the file, as shown to people
  const std::string& absolute;
  const std::string& text;
  const XmlSpans& spans;
  Layout layout;
  Diagnostics& diagnostics;
  Suggestions& suggestions;
  std::vector<std::string>& remarks; ///< what an operation did in addition to the request
  const std::string& asker;          ///< where the operation comes from, as shown to people: "command line"

  Location at(const XmlNode& node) const { return {&name, node.line}; }
  Location at(const XmlNode& node, const XmlAttribute& attribute) const {
    const auto begin = text.begin() + static_cast<std::ptrdiff_t>(node.whole.begin);
    const auto end = text.begin() + static_cast<std::ptrdiff_t>(attribute.whole.begin);
    return {&name, node.line + static_cast<int>(std::count(begin, end, '\n'))};
  }
};

/// A file that an operation creates next to the one that is edited.
struct NewFile {
  std::string path; ///< as the user named it
  std::string text;
};

/// What an operation does.
struct Change {
  TextEdit edit;
  std::vector<NewFile> files;
};

} // namespace hilda::authoring
