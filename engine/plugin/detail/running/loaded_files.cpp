// SPDX-License-Identifier: BSD-3-Clause
#include "engine/plugin/loaded_files.h"

#include <array>
#include <atomic>
#include <climits>
#include <mutex>
#include <sys/stat.h>

namespace hilda::plugin {
namespace {

struct Loaded {
  std::array<char, PATH_MAX> file;
  struct stat state;
};

constexpr std::size_t most_loaded = 256;
/// Never freed: a handler may read it to the end of the process.
std::array<Loaded, most_loaded>& loaded() {
  static auto& all = *new std::array<Loaded, most_loaded>;
  return all;
}
std::array<Loaded, most_loaded>* noted = nullptr; // plain, for signal handlers
std::atomic<std::size_t> loaded_count{0};

bool written_into(const struct stat& before, const struct stat& now) {
  const bool same_file = before.st_dev == now.st_dev && before.st_ino == now.st_ino;
  return same_file && (before.st_size != now.st_size || before.st_mtim.tv_sec != now.st_mtim.tv_sec ||
                       before.st_mtim.tv_nsec != now.st_mtim.tv_nsec);
}

} // namespace

void note_loaded_file(const std::string& file) {
  static std::mutex one;
  const std::lock_guard held(one);
  const std::size_t at = loaded_count.load();
  if (at == most_loaded || file.size() >= PATH_MAX) return;
  noted = &loaded();
  Loaded& to = loaded()[at];
  to.file[file.copy(to.file.data(), file.size())] = '\0';
  if (stat(file.c_str(), &to.state) == 0) loaded_count.store(at + 1);
}

const char* overwritten_file() {
  for (std::size_t i = 0; i < loaded_count.load(); ++i) {
    struct stat now = {};
    const Loaded& each = (*noted)[i];
    if (stat(each.file.data(), &now) == 0 && written_into(each.state, now)) return each.file.data();
  }
  return nullptr;
}

} // namespace hilda::plugin
