#pragma once

#include "tools/cli/command.h"

#include <string>

namespace hilda::cli {

/// Writes a text to a file, or to standard output where `file` is empty or "-"; says what goes wrong.
Exit write_text(const std::string& text, const std::string& file);

} // namespace hilda::cli
