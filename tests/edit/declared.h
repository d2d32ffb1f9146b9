// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/diagram/diagram.h"
#include "tests/modules.h"

#include <set>
#include <string>

namespace hilda::test {

/// What a file declares, a line each, by whom it is read and not by who edits it.
std::multiset<std::string> facts(const DiagramDecl& diagram);

/// A text read as a diagram in a file of this name.
struct Declared {
  std::shared_ptr<const DiagramDecl> diagram;
  bool sound = false; ///< without a single error
};
Declared declared(const std::string& file, const std::string& text);

} // namespace hilda::test
