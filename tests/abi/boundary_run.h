// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/plugin/library.h"
#include "engine/run/runtime.h"
#include "tests/modules.h"

#include <map>
#include <string>
#include <vector>

namespace hilda::test {

/// A diagram on the blocks of some plugins, run tick by tick.
struct BoundaryRun {
  std::string errors;                                ///< diagnostics; empty: it ran
  std::map<std::string, std::vector<double>> traces; ///< first element of every real output, by path
};

/// Loads the standard plugins and `plugins`, reads the inside of a <diagram period="10 ms"> and runs `ticks`.
BoundaryRun run(const std::vector<std::string>& plugins, const std::string& body, int ticks, bool separate = false);

} // namespace hilda::test
