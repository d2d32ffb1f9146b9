// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "python/block_types/type.h"
#include "tools/modules.h"

namespace hilda::python_blocks {

/// Fills in the functions by which the engine calls a type, for the methods that its class has.
void fill_table(Type& type);

} // namespace hilda::python_blocks
