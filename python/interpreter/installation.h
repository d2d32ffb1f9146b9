// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/plugin/installation.h"
#include "tools/modules.h"

#include <pybind11/pybind11.h>
#include <string>
#include <vector>

namespace hilda::python {

/// Where the module lies. To be called with the interpreter's lock held.
Installation& installation();

/// Loads the plugins of these folders next to the usual ones; the fault with them. One whose file has changed since
/// this process loaded it is a Python warning, too. Throws DiagramError where a block of `folders` has the name of one
/// that this process has: that one would run in its place.
Diagnostics load_plugins(const std::vector<std::string>& folders);

/// Block types of classes of this process. Throws DiagramError where one is not a block.
std::vector<const BlockType*> types_of(const pybind11::list& classes);

} // namespace hilda::python
