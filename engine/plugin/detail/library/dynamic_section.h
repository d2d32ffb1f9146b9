// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/modules.h"

#include <string>
#include <vector>

namespace hilda::plugin {

/// What a shared library asks of the dynamic linker.
struct DynamicSection {
  std::vector<std::string> needed;  ///< sonames, in the order of the file
  std::vector<std::string> rpath;   ///< folders as written, searched before LD_LIBRARY_PATH; without a runpath only
  std::vector<std::string> runpath; ///< folders as written, searched after LD_LIBRARY_PATH
};

/// Reads it from an ELF file of 64 bits in this machine's order of bytes. Empty where the file is anything else, or
/// damaged: no byte outside the file is read.
DynamicSection read_dynamic_section(const std::string& file);

} // namespace hilda::plugin
