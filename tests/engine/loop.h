// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/run/start.h"
#include "tests/modules.h"

#include <map>
#include <string>
#include <vector>

namespace hilda::test {

/// A diagram written in a test, in the loop, with the standard blocks and those of tests/engine/probes.
class Loop {
public:
  /// Reads the inside of a <diagram period="1 ms"> whose first line is line 2 of "test.xml". Errors fail the test
  /// unless they are asked for.
  explicit Loop(const std::string& body, const RuntimeOptions& options = {}, const std::string& period = "1 ms");

  Runtime& runtime() { return *runtime_; }

  /// Steps, and keeps the first element of every real output of each tick as computed.
  void run(std::int64_t ticks);
  const std::vector<double>& trace(const std::string& path) const;
  /// All outputs as they are now, as bytes.
  std::vector<unsigned char> bits() const;
  double value(const std::string& path, std::size_t element = 0) const;

private:
  LoadedDiagram diagram_;
  std::unique_ptr<Runtime> runtime_;
  std::map<std::string, std::vector<double>> traces_;
};

/// What the checks and the planner say about a diagram that has something wrong.
std::string errors_of(const std::string& body);

/// A diagram with everything in it whose bits could differ: noise, delay lines, continuous states, several rates,
/// guards that open, close and reset, fed back through discrete and continuous blocks.
std::string everything();

} // namespace hilda::test
