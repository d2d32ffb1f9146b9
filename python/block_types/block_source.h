// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "tools/modules.h"

#include <string>

namespace hilda::python_blocks {

/// The text of a Python file that is in this library; written by cmake/embed_files.cmake.
std::string page_asset(const std::string& name);

} // namespace hilda::python_blocks
