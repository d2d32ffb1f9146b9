// SPDX-License-Identifier: BSD-3-Clause
#include "engine/diagram/recorded_files.h"

#include <filesystem>

namespace hilda::diagram {

namespace fs = std::filesystem;

const std::string* RecordedFiles::text(const std::string& name) const {
  const auto found = texts_.find(name);
  return found == texts_.end() ? nullptr : &found->second;
}

const std::string* RecordedFiles::included(const std::string& src, const std::string& from) const {
  for (fs::path folder = fs::path(from).parent_path();; folder = folder.parent_path()) {
    const auto found = texts_.find((folder / src).lexically_normal().string());
    if (found != texts_.end()) return &found->first;
    if (folder.empty() || folder == folder.root_path()) break;
  }
  const std::string end = "/" + fs::path(src).lexically_normal().string();
  for (const auto& [name, text] : texts_)
    if (name.ends_with(end)) return &name;
  return nullptr;
}

} // namespace hilda::diagram
