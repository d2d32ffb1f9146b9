// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/base/diagnostic.h"
#include "engine/modules.h"

#include <set>
#include <string>
#include <vector>

namespace hilda::base {

/// Threads and child processes that plugins have started and that are still there when their blocks are gone.
class LeftBehind {
public:
  LeftBehind(); ///< before the plugins are loaded
  /// In words, of each kind: "3 threads (pool, timer)". A thread that is ending has a moment for it.
  std::vector<std::string> found() const;
  /// The same as warnings, with the names of the plugins in use (paths of libraries); false where there is one. Code:
  /// plugin-leaves.
  bool report(const Location& where, const std::set<std::string>& plugins, Diagnostics& diagnostics) const;

private:
  std::set<int> threads_, children_;
};

} // namespace hilda::base
