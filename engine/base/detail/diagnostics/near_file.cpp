// SPDX-License-Identifier: BSD-3-Clause
#include "engine/base/near_file.h"

#include "engine/base/diagnostic.h"

#include <algorithm>
#include <filesystem>

namespace hilda::base {

namespace fs = std::filesystem;

std::string near_file(const std::string& path, const std::string& shown) {
  constexpr std::size_t most = 1000; // files of a folder that are looked at
  const fs::path wanted(path);
  const fs::path folder = wanted.has_parent_path() ? wanted.parent_path() : fs::path(".");
  std::vector<std::string> names;
  std::error_code error;
  for (fs::directory_iterator at(folder, error), end; !error && at != end && names.size() < most; at.increment(error))
    if (at->is_regular_file(error)) names.push_back(at->path().filename().string());
  std::sort(names.begin(), names.end());
  const std::string near = nearest(wanted.filename().string(), names);
  if (!near.empty()) return (fs::path(shown).parent_path() / near).string();
  for (const fs::path& other : {fs::path(), fs::path("out")})
    if (const fs::path there = other / wanted.filename(); fs::is_regular_file(there, error)) return there.string();
  return {};
}

} // namespace hilda::base
