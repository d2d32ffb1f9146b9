// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/modules.h"

#include <string>

namespace hilda::study {

/// A word for a shell: as it is where that is safe, else in single quotes.
std::string shell_word(const std::string& word);

} // namespace hilda::study
