// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "tools/modules.h"

#include <pybind11/pybind11.h>

namespace hilda::python {

/// hilda.blocks, hilda.describe and what they give.
void bind_blocks(pybind11::module_& module);

} // namespace hilda::python
