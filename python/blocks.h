// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/catalogue/catalogue.h"
#include "tools/modules.h"

#include <filesystem>
#include <pybind11/pybind11.h>
#include <string>
#include <vector>

namespace hilda::python {

/// hilda.blocks, hilda.describe and what they give.
void bind_blocks(pybind11::module_& module);
/// By its name with or without its subject. Throws KeyError with the nearest name.
const BlockType* block_named(const std::string& name, const std::vector<std::filesystem::path>& plugins);

} // namespace hilda::python
