// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/base/diagnostic.h"
#include "engine/diagram/diagram.h"
#include "engine/diagram/recorded_files.h"
#include "engine/diagram/suggestion.h"
#include "engine/diagram/timed_setting.h"
#include "engine/modules.h"

#include <string>
#include <vector>

namespace hilda::diagram {

/// Settings are other texts for parameters: `--set lead.time_constant=4ms`, or a line of an overlay file. Their name is
/// a path ("lead.time_constant", "response_delay", "period"); the text replaces that of the diagram, before any
/// expression is evaluated. Of several for one path the last one counts.

/// What an overlay sets before the first tick, and while the diagram runs.
struct OverlaySettings {
  std::vector<Attribute> before;
  LateSettings late;
};

/// Reads `<overlay format="1"><set path="lead.time_constant" value="4 ms"/>...</overlay>`. Codes: not-an-overlay,
/// bad-setting, duplicate-setting and those that the elements of diagrams have.
OverlaySettings read_overlay(const std::string& path, Sources& sources, Diagnostics& diagnostics,
                             Suggestions& suggestions, const RecordedFiles* recorded = nullptr);

/// The text of an overlay with these settings.
std::string write_overlay(const OverlaySettings& settings);

/// The texts behind `--set`: "lead.time_constant=4ms". They are placed in a source named "command line", by number.
/// Code: bad-setting.
std::vector<Attribute> read_settings(const std::vector<std::string>& texts, Sources& sources, Diagnostics& diagnostics);

} // namespace hilda::diagram
