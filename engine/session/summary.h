// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/base/output_files.h"
#include "engine/modules.h"

#include <nlohmann/json.hpp>
#include <string>

namespace hilda::session {

/// A run's summary. Keys stay in the order in which they were set; doubles read back as the same bits; NaN and the
/// infinities, which JSON does not have, become null.
using Summary = nlohmann::ordered_json;

/// As text, two spaces of indentation, with a line feed at its end. Text that is not UTF-8 gets replacement marks.
std::string summary_text(const Summary& summary);

/// Writes the summary and commits the file; false and `error` where it cannot.
bool write_summary(const Summary& summary, OutputFile& file, std::string& error);
bool write_summary(const Summary& summary, const std::string& path, std::string& error);

} // namespace hilda::session
