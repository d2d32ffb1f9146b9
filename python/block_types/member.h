// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "python/block_types/type.h"
#include "tools/modules.h"

namespace hilda::python_blocks {

/// The attribute of a class that reads and writes this member in the record of an instance: a float, int or bool of a
/// number, else an array on the engine's memory. The member must live as long.
PyObject* new_descriptor(const Member& member);

} // namespace hilda::python_blocks
