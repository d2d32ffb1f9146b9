// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/base/diagnostic.h"
#include "engine/diagram/diagram.h"
#include "engine/modules.h"

namespace hilda::diagram {

/// Says what keeps a file from being XML: the parser knows only a line near to it. Looks for tags that do not match,
/// attributes without quotes and what was never closed; `parser_line` is the place otherwise. Codes:
/// xml-syntax, duplicate-attribute.
void report_syntax(const Sources::File& file, int parser_line, Diagnostics& diagnostics);

} // namespace hilda::diagram
