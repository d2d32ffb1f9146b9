// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "tools/modules.h"

namespace hilda::cli {

/// Version of the project, such as "0.1.0".
extern const char* const version;
/// Git revision that this program was built from, with "-dirty" where the tree differed; "unknown" outside git.
extern const char* const revision;

} // namespace hilda::cli
