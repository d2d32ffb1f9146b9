// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/study/store.h"
#include "tools/modules.h"

#include <optional>
#include <string>

namespace hilda::graphics {

/// A page that holds all that it shows: map, lines, distribution, correlations, scatter, parallel coordinates, and each
/// run behind a click. Of more than `most` rows every n-th is in it, and it says so.
/// @param file  how the page calls the store in the commands that it shows
std::optional<std::string> study_page(Store& store, const std::string& file, std::string& error,
                                      std::int64_t most = 50'000);

} // namespace hilda::graphics
