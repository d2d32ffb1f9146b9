// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/compile/parameter_change.h"
#include "engine/modules.h"

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace hilda::compile {

/// "lead.time_constant" and "4 ms": a parameter of a running diagram and what it is to be.
struct LiveSetting {
  std::string path, text;
  friend bool operator==(const LiveSetting&, const LiveSetting&) = default;
};

/// What a change takes while the diagram runs.
enum class ChangeNeeds : std::uint8_t {
  nothing, ///< it lands between two ticks
  rebuild  ///< a parameter that may change while the loop is paused: the diagram is built again and its states are kept
};

/// A change that was looked at.
struct LiveChange {
  ParameterChange change;
  ChangeNeeds needs = ChangeNeeds::nothing;
};

/// Evaluates settings for a diagram that runs, and looks whether everything that depends on them may change. None after
/// errors: those of loading the diagram with these settings, unknown-setting, duplicate-setting, and
/// live-fixed: a parameter that is fixed depends on it; live-settled: a text that counts once; live-unused: nothing
/// that runs depends on it; live-shape: another shape needs another plan; live-text: a text in a record stays. Of a
/// setting its name is the path; its place is what messages name.
std::optional<LiveChange> look_at_change(const System& system, const std::vector<Attribute>& settings,
                                         Diagnostics& diagnostics);

/// Settings as the event of a log has them: a JSON array of pairs. Any other text gives nothing.
std::string settings_text(const std::vector<LiveSetting>& settings);
std::optional<std::vector<LiveSetting>> settings_from_text(const std::string& text);

} // namespace hilda::compile
