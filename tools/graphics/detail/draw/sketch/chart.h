// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/diagram/diagram.h"
#include "engine/diagram/system.h"
#include "tools/modules.h"

#include <optional>
#include <string>
#include <vector>

namespace hilda::graphics::draw {

struct ChartState {
  std::string name;
  std::vector<std::string> actions; ///< "entry: lamp = 1"
  int parent = -1;                  ///< the state around it
  bool start = false, ends = false;
};

struct ChartTransition {
  std::size_t from = 0, to = 0;
  std::string text; ///< "2: [after(3 s)] / n = 0"; the number where several begin at a state
};

/// A state chart as its block has it, in the order of the file.
struct ChartSketch {
  std::string title, description;
  std::vector<ChartState> states;
  std::vector<ChartTransition> transitions;
};

/// Whether a block is a state chart.
bool is_chart(const SystemBlock& block);

/// The chart of a block, read from the file in which it is; none where that file is not there.
std::optional<ChartSketch> chart_of(const SystemBlock& block, const Sources& sources);

} // namespace hilda::graphics::draw
