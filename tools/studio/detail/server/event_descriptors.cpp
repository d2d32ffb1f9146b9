// SPDX-License-Identifier: BSD-3-Clause
#include "tools/studio/detail/server/event_descriptors.h"

#include <filesystem>
#include <string>

namespace hilda::studio {

std::vector<int> event_descriptors() {
  namespace fs = std::filesystem;
  std::vector<int> found;
  std::error_code failed;
  for (fs::directory_iterator at("/proc/self/fd", failed), end; !failed && at != end; at.increment(failed)) {
    std::error_code gone;
    const std::string leads = fs::read_symlink(at->path(), gone).string();
    const auto is = [&leads](const char* name) { return leads.starts_with(name); };
    if (is("anon_inode:[event") || is("anon_inode:[timerfd]")) found.push_back(std::stoi(at->path().filename()));
  }
  return found;
}

} // namespace hilda::studio
