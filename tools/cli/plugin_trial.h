#pragma once

#include <hilda/testing.h>

#include <string>
#include <vector>

namespace hilda::cli {

/// Blocks as a diagram uses them: what a check needs where defaults do not do.
struct TrialSetup {
  testing::Setup setup;
  testing::Stimulus stimulus; ///< empty: the test kit's own
};

/// All checks of one block type, in a process of its own: a block that crashes, ends the program or does not come back
/// within `time_limit` is a failed check and not the end of ours.
std::vector<testing::Finding> try_block(const testing::Type& type, const TrialSetup* setup, double time_limit);

} // namespace hilda::cli
