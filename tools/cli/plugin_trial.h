// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/catalogue/catalogue.h"
#include "tools/modules.h"

#include <hilda/testing.h>

#include <string>
#include <vector>

namespace hilda::cli {

/// Blocks as a diagram uses them: what a check needs where defaults do not do.
struct TrialSetup {
  testing::Setup setup;
  testing::Stimulus stimulus; ///< empty: the test kit's own
};

/// Is this file one with blocks in Python, and not a library?
bool is_script(const std::string& file);

/// The table of a type as the test kit reads it. Of a block in Python there is one at a time: its records are bound to
/// the type that was asked for last.
testing::Type trial_type(const BlockType& layout);
/// Is this text, with which a block in Python ends a run, that of what a method raises?
bool is_raised(const std::string& text);

/// All checks of one block type, each in its own process: a block that crashes, ends the program or does not come
/// back within `time_limit` is a failed check, and neither the end of ours nor that of the others.
std::vector<testing::Finding> try_block(const BlockType& layout, const TrialSetup* setup, double time_limit);

/// Loads the plugin in its own process. Empty where that comes to its end, whatever the loader then says of it;
/// else what the plugin does: "crashes in hilda_plugin_entry: Segmentation fault".
std::string try_loading(const std::string& file, double time_limit);

} // namespace hilda::cli
