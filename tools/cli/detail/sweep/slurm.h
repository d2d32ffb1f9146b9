// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "tools/modules.h"

#include <map>
#include <string>
#include <vector>

namespace hilda::cli {

// A Slurm cluster, through its programs of the search path. Each is false, and `error` says what to do, where the
// program is not there or refuses; what it says itself goes to stderr.

/// sbatch. `job`: the number that it gives.
bool slurm_submit(const std::vector<std::string>& options, const std::string& script, std::string& job,
                  std::string& error);

/// squeue: what this user has in the queue, "123" or of an array "123_4", with its state in Slurm's word: "RUNNING".
bool slurm_queue(std::map<std::string, std::string>& states, std::string& error);

/// scancel.
bool slurm_cancel(const std::vector<std::string>& jobs, std::string& error);

/// As `--output` takes a path: % would begin a pattern.
std::string slurm_path(const std::string& path);

} // namespace hilda::cli
