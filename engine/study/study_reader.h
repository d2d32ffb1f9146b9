// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/diagram/recorded_files.h"
#include "engine/modules.h"
#include "engine/study/detail/written/study.h"

#include <optional>
#include <string>
#include <vector>

namespace hilda::study {

/// Reads a study file; all that is wrong goes to `diagnostics`, and what could be read is returned even so (none where
/// it is not a study at all). Places point into `sources`, which must outlive the study. Codes: not-a-study,
/// study-..., and those that the elements of diagrams have.
/// @param library_path  where a diagram is found that does not lie next to the study
std::optional<Study> read_study(const std::string& path, const std::vector<std::string>& library_path, Sources& sources,
                                Diagnostics& diagnostics, const RecordedFiles* recorded = nullptr);

} // namespace hilda::study
