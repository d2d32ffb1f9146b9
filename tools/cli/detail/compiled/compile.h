// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "tools/cli/detail/program/arguments.h"
#include "tools/modules.h"

namespace hilda::cli {

/// Adds `hilda compile`.
void add_compile(Program& program);

} // namespace hilda::cli
