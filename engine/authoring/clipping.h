// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/authoring/operations.h"
#include "engine/authoring/spans.h"
#include "engine/modules.h"

#include <optional>
#include <set>
#include <string>
#include <vector>

namespace hilda::authoring {

/// Blocks and subsystems of a body and the wires among them, as the text of a diagram: what a clipboard holds.
std::string clipping_of(const std::string& text, const XmlNode& body, const std::vector<std::string>& names);

/// What pasting a clipping means: nothing of its text gets into a file but by these.
struct Pasting {
  std::vector<Words> operations;
  std::vector<std::string> names; ///< that its blocks and subsystems get
};

/// The operations that add what a clipping holds. None, and a sentence, where it is none: the text may be anyone's.
/// @param at     how the document calls the body: "outer."; empty: the document itself
/// @param taken  names that the body has: an element of such a name gets another one
std::optional<Pasting> pasting_of(const std::string& clipping, const std::string& at, std::set<std::string> taken,
                                  std::string& error);

} // namespace hilda::authoring
