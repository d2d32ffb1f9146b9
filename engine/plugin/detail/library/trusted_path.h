// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/modules.h"

#include <string>

namespace hilda::plugin {

/// Anyone who can write to a plugin runs code as the one who loads it. What speaks against a file, or a folder that is
/// loaded whole, as the beginning of a sentence that names the part of the path at fault and its mode; empty where
/// nothing does, and where there is no such path.
///
/// Each folder on the way counts, and where links lead as well: it belongs to root or to the one who runs this, and
/// no one else can write to it, or it has the sticky bit, as /tmp. A group counts as no one else where the owner is its
/// only member.
std::string why_not_trusted(const std::string& path);

} // namespace hilda::plugin
