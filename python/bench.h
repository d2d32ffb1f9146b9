// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "tools/modules.h"

#include <pybind11/pybind11.h>

namespace hilda::python {

/// Adds Bench and check_all, of which hilda/testing.py is made.
void bind_bench(pybind11::module_& module);

} // namespace hilda::python
