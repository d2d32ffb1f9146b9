// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/run/start.h"
#include "tests/modules.h"

#include <memory>
#include <string>
#include <vector>

namespace hilda::bench {

/// A diagram on the engine as it is: real plugins, nothing recorded. Ends the program where the diagram has errors.
class Engine {
public:
  /// A diagram as text, as if it was in the folder of the diagrams.
  /// @param lanes  so many equal blocks are computed at once at most
  explicit Engine(std::string xml, std::uint32_t lanes = 8);
  void run(std::size_t ticks);
  /// Elements of an output.
  std::vector<double> values(const std::string& signal) const;
  const Runtime& runtime() const { return *runtime_; }

private:
  LoadedDiagram diagram_;
  std::unique_ptr<Runtime> runtime_;
};

/// s that each stage took from text to the first tick.
struct LoadTimes {
  double check = 0;  ///< read, flattened, inferred
  double create = 0; ///< planned, laid out, configured
  double step = 0;   ///< first tick
  double total() const { return check + create + step; }
};
LoadTimes load_once(const std::string& xml);

} // namespace hilda::bench
