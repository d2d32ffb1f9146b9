// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/run/runtime.h"
#include "engine/run/start.h"
#include "tests/folder.h"
#include "tests/modules.h"

#include <hilda/block.h>
#include <memory>
#include <string>

namespace hilda::kuka::test {

using hilda::test::Folder;

/// A diagram of a test, made ready; ticks are taken one by one.
class BlockRun {
public:
  /// `body`: the inside of a <diagram> in `folder`. Errors are in errors().
  BlockRun(const Folder& folder, const std::string& body, const std::string& period = "4 ms",
           const RuntimeOptions& options = {});

  /// Connects; false: see errors().
  bool start();
  void stop() { runtime_->stop(); }
  bool ready() const { return runtime_ != nullptr; }
  const std::string& errors() const { return errors_; }
  Runtime& runtime() { return *runtime_; }

  /// Asks the clock of block `name`; `milliseconds` at most.
  hilda_cycle_kind await(const std::string& name, double milliseconds);
  bool tick() { return runtime_->step(); }
  /// Of an output: "robot.pose", element by element; booleans as 0 and 1.
  double value(const std::string& signal, std::size_t element = 0) const;
  Pose pose(const std::string& signal) const;
  /// What keeps an input of block `name` at rest; false: not known.
  bool rest(const std::string& name, const std::string& input, double* value) const;

private:
  BlockIndex block(const std::string& name) const;

  LoadedDiagram diagram_;
  std::string errors_;
  std::unique_ptr<Runtime> runtime_;
};

/// A UDP port of the loopback that no one uses.
int free_port();

} // namespace hilda::kuka::test
