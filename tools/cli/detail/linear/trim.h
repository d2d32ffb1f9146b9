// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "tools/cli/detail/program/arguments.h"
#include "tools/modules.h"

namespace hilda::cli {

/// Adds `hilda trim`.
void add_trim(Program& program);

} // namespace hilda::cli
