// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/modules.h"
#include "engine/study/point_runner.h"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace hilda::study {

/// What runs warn of, a kind once: a study may have a million of them.
class RunWarnings {
public:
  void note(const PointRunner::Done& done);
  void add(const RunWarnings& others);
  /// Each kind with the number of its runs, and what the first of them says. In the order of their codes.
  std::vector<Diagnostic> all() const;

private:
  struct Kind {
    std::int64_t runs = 0;
    std::int64_t first = 0; ///< the lowest number, whichever came first
    Diagnostic said;
  };
  void add(const std::string& code, const Kind& more);
  std::map<std::string, Kind> kinds_;
  std::int64_t runs_ = 0;
};

} // namespace hilda::study
