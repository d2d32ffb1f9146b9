// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/base/output_file.h"
#include "engine/log/log_format.h"
#include "engine/modules.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace hilda::log {

/// A signal that has samples at some ticks only; in between it stays as it was.
struct SparseSignal {
  LogChannel channel; ///< one field, of real numbers
  std::vector<std::int64_t> ticks;
  std::vector<double> numbers; ///< sample by sample
};

/// Writes a log of such signals alone, for sources/RecordedSignal and <play>. False with an error.
bool write_sparse_log(std::unique_ptr<OutputFile> file, const Rational& period,
                      const std::vector<SparseSignal>& signals, std::string& error);

} // namespace hilda::log
