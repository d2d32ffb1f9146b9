// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "tools/modules.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>

namespace hilda::cli {

/// A study that was given to a cluster: its folder holds scripts, parts, what they printed, and this as job.json.
struct Submitted {
  std::string folder;
  std::string study, results;
  std::string array, merge; ///< numbers of the two jobs
  std::int64_t tasks = 0, runs = 0;

  /// Of task `task`, from 1.
  std::string part(std::int64_t task) const;
  std::int64_t runs_of(std::int64_t task) const;
  /// The state of a task in a queue, or empty.
  std::string state(const std::map<std::string, std::string>& queue, std::int64_t task) const;
  /// Is any of it in the queue?
  bool in(const std::map<std::string, std::string>& queue) const;
};

std::string job_file(const std::string& folder);

/// None, and `error`, where the folder is none of a study that was submitted.
std::optional<Submitted> read_submitted(const std::string& folder, std::string& error);
bool write_submitted(const Submitted& submitted, std::string& error);

} // namespace hilda::cli
