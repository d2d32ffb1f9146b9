// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/log/log.h"
#include "engine/modules.h"
#include "engine/run/runtime.h"

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace hilda::session {

/// One number that is not what was recorded.
struct Difference {
  std::string signal; ///< with its element, "rig.wrench.force.x"
  std::string unit;
  std::int64_t tick = 0;
  double recorded = 0, computed = 0;
};

/// Holds a run against a log, bit by bit.
class Comparison {
public:
  /// Finds each signal of the log that the run has too, by path, shape and type.
  Comparison(const Runtime& runtime, const Log& log);

  /// What channel `channel` of the log had at `tick`, after compute.
  void look(std::size_t channel, std::int64_t tick, std::span<const std::byte> data);

  /// Of a signal that was other than recorded.
  struct Finding {
    Difference first, worst;  ///< worst: by the difference's size
    std::int64_t samples = 0; ///< that differ
  };
  /// In the order in which they first differed; within a tick as they are computed.
  std::vector<Finding> findings() const;
  std::size_t signals() const { return fields_.size(); }
  std::int64_t samples() const { return samples_; }
  /// Signals of one side alone, without what the loop records of itself.
  const std::vector<std::string>& only_recorded() const { return only_recorded_; }
  const std::vector<std::string>& only_computed() const { return only_computed_; }

private:
  struct Field {
    std::string name;
    LogField shape;
    const std::byte* data = nullptr;
    std::size_t offset = 0; ///< in the channel's sample
    std::size_t rank = 0;   ///< place in the order of computing
    std::int64_t differing = 0;
    Difference first = {}, worst = {};
  };
  void compare(Field& field, std::int64_t tick, const std::byte* recorded);

  std::vector<Field> fields_;
  std::vector<std::vector<std::size_t>> of_channel_; ///< of the log
  std::vector<std::string> only_recorded_, only_computed_;
  std::int64_t samples_ = 0;
};

} // namespace hilda::session
