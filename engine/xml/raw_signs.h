#pragma once

#include "engine/model/diagnostic.h"
#include "engine/model/diagram.h"

namespace hilda {

/// Reports '<' and '&' that stand in values of attributes as they are: the parser takes them, XML does not have them,
/// and other programs refuse the file. Of a file that the parser has read. Each line once, at most ten. Code:
/// xml-syntax. True: there were none.
bool report_raw_signs(const Sources::File& file, Diagnostics& diagnostics);

} // namespace hilda
