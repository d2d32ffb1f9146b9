// SPDX-License-Identifier: BSD-3-Clause
#include "engine/plugin/kept_paths.h"

#include <mutex>

namespace hilda::plugin {
namespace {

std::mutex one;

std::map<std::string, KeptPaths::Found>& paths() {
  static std::map<std::string, KeptPaths::Found> all;
  return all;
}

} // namespace

void KeptPaths::found(const std::string& written, const std::string& absolute) {
  const std::scoped_lock lock(one);
  const auto [at, first] = paths().emplace(written, Found{absolute});
  if (!first && at->second.absolute != absolute) at->second.absolute.clear();
}

std::map<std::string, KeptPaths::Found> KeptPaths::all() {
  const std::scoped_lock lock(one);
  return paths();
}

void KeptPaths::keep(const std::string& written, const std::string& absolute, const std::string& opened_as) {
  const std::scoped_lock lock(one);
  paths()[written] = {absolute, opened_as};
}

std::string KeptPaths::kept(const std::string& written) {
  const std::scoped_lock lock(one);
  const auto at = paths().find(written);
  return at != paths().end() && !at->second.opened_as.empty() ? at->second.absolute : std::string();
}

/// The texts stay where they are: nothing is taken out of the map, and a program keeps its files before it loads.
const char* KeptPaths::opened_as(const std::string& absolute) {
  const std::scoped_lock lock(one);
  for (const auto& [written, found] : paths())
    if (found.absolute == absolute && !found.opened_as.empty()) return found.opened_as.c_str();
  return absolute.c_str();
}

} // namespace hilda::plugin
