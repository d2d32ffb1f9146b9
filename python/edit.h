// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "tools/modules.h"

#include <pybind11/pybind11.h>

namespace hilda::python {

/// hilda.Diagram and hilda.edit.
void bind_edit(pybind11::module_& module);

} // namespace hilda::python
