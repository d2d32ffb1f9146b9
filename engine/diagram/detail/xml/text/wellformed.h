// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/base/diagnostic.h"
#include "engine/diagram/diagram.h"
#include "engine/modules.h"

namespace hilda::diagram {

/// What has to be known of a text before it is parsed: a tag with ten thousands of attributes would cost the parser
/// minutes. False where the file is refused. `doubtful`: check_values has something to look at. Code:
/// too-many-attributes.
bool check_attribute_counts(const Sources::File& file, Diagnostics& diagnostics, bool& doubtful);

/// What the parser lets pass although it is not XML, so that other programs would refuse the file: a raw '<' or '&' in
/// a value, references to control characters. False where the file is refused. Code: xml-syntax.
bool check_values(const Sources::File& file, Diagnostics& diagnostics);

} // namespace hilda::diagram
