// SPDX-License-Identifier: BSD-3-Clause
#include "engine/log/export_selection.h"

#include <set>

namespace hilda::log {

std::optional<std::vector<std::string>> selected_signals(const Log& log, const std::vector<std::string>& words,
                                                         std::string& error) {
  if (words.empty()) return log.signal_names();
  std::vector<std::string> names;
  std::set<std::string> taken;
  for (const std::string& word : words) {
    const auto matching = log.matching(word);
    if (matching.empty()) {
      error = log.missing(word);
      return std::nullopt;
    }
    for (const std::string& name : matching)
      if (taken.insert(name).second) names.push_back(name);
  }
  return names;
}

} // namespace hilda::log
