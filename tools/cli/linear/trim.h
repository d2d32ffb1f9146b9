#pragma once

#include "tools/cli/program/arguments.h"

namespace hilda::cli {

/// Adds `hilda trim`.
void add_trim(Program& program);

} // namespace hilda::cli
