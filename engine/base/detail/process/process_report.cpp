// SPDX-License-Identifier: BSD-3-Clause
#include "engine/base/process_report.h"

#include <fmt/format.h>
#include <map>
#include <mutex>

namespace hilda::base {
namespace {

struct Known {
  std::mutex mutex;
  std::map<std::string, std::string> changes; ///< by plugin: the first
};

/// Never destroyed: plugins are unloaded last.
Known& known() {
  static Known& all = *new Known;
  return all;
}

void keep(const std::string& plugin, const std::string& what) {
  const std::lock_guard held(known().mutex);
  known().changes.try_emplace(plugin, what);
}

std::string call_of(const ProcessChange& change) {
  if (change.phase.empty()) return change.plugin.empty() ? "one of the calls before the first tick" : "loading it";
  if (change.block.empty()) return (change.type.empty() ? "" : change.type + ": ") + change.phase;
  return fmt::format("{} ({}): {}", change.block, change.type, change.phase);
}

} // namespace

std::string process_words(const ProcessChange& change) {
  std::string calls;
  if (change.calls > 1 && !change.phase.empty())
    calls = fmt::format(", or one of the {} calls before it,", change.calls - 1);
  return fmt::format("{}{} changes what belongs to the whole process{}: {}; it is as before again", call_of(change),
                     calls, change.alone ? "" : " (other threads called plugins at that time, too)", change.text);
}

void report_process(const std::vector<ProcessChange>& changes, const PlaceOf& place, bool moves,
                    Diagnostics& diagnostics) {
  for (const ProcessChange& change : changes) {
    const std::string what = process_words(change);
    const Location at = place(change.block);
    if (moves) {
      diagnostics.error("block-process", at, what,
                        "let it, and the libraries that it uses, leave these alone: nothing moves here unless a stop "
                        "is sure to reach the run; hilda test-plugin shows more");
      continue;
    }
    keep(change.plugin, what);
    const bool unknown = change.phase.empty() && change.plugin.empty();
    const std::string help = std::string("let it, and the libraries that it uses, leave these alone; a run that moves "
                                         "devices does not start with it; ") +
                             (unknown ? "hilda check --audit names the block" : "hilda test-plugin shows more");
    if (change.block.empty() && !change.plugin.empty())
      diagnostics.warning("plugin-process", at, what, help);
    else
      diagnostics.warning("block-process", at, what, help);
  }
}

std::string process_changes_of(const std::string& plugin) {
  const std::lock_guard held(known().mutex);
  const auto found = known().changes.find(plugin);
  return found != known().changes.end() ? found->second : "";
}

} // namespace hilda::base
