// SPDX-License-Identifier: BSD-3-Clause
#include <hilda/block.h>

namespace {
using namespace hilda;

/// Shows which build of this plugin it is from.
struct Build : Block {
  Output<double> y{*this, "y", "", "Number of the build"};
  void output(const Tick&) override { y = WATCHED_BUILD; }
};
HILDA_BLOCK(Build, "Gives the number of its plugin's build.")

} // namespace
