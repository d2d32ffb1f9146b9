// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "tools/modules.h"

#include <string>

namespace hilda::cli {

/// Is there a screen on which a browser could show something?
bool has_screen();

/// Opens a link in the user's browser and does not wait for it. False: no program for that is installed.
bool open_in_browser(const std::string& link);

} // namespace hilda::cli
