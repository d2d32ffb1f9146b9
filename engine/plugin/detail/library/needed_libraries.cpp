// SPDX-License-Identifier: BSD-3-Clause
#include "engine/plugin/detail/library/needed_libraries.h"

#include "engine/plugin/detail/library/dynamic_section.h"

#include <algorithm>
#include <cstdlib>
#include <dlfcn.h>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <link.h>
#include <memory>
#include <set>

namespace hilda::plugin {
namespace {

namespace fs = std::filesystem;

/// No program needs more; a circle of files that name each other ends here at the latest.
constexpr std::size_t most_libraries = 512;

/// Where the linker looks last. Folders of /etc/ld.so.conf beyond these are not searched here: a library that is only
/// there is not compared.
std::vector<std::string> usual_folders() {
#if defined(__aarch64__)
  const std::string triple = "aarch64-linux-gnu";
#else
  const std::string triple = "x86_64-linux-gnu";
#endif
  return {"/usr/local/lib/" + triple, "/usr/local/lib", "/lib/" + triple, "/usr/lib/" + triple, "/lib", "/usr/lib"};
}

std::string with_origin(std::string folder, const std::string& file) {
  const std::string origin = fs::absolute(file).parent_path().string();
  for (const std::string name : {"${ORIGIN}", "$ORIGIN"})
    for (std::size_t at = folder.find(name); at != std::string::npos; at = folder.find(name, at + origin.size()))
      folder.replace(at, name.size(), origin);
  return folder;
}

std::vector<std::string> listed(const char* list) {
  std::vector<std::string> folders;
  std::string rest = list != nullptr ? list : "";
  while (!rest.empty()) {
    const std::size_t end = std::min(rest.find_first_of(":;"), rest.size());
    if (end > 0) folders.push_back(rest.substr(0, end));
    rest.erase(0, end + 1);
  }
  return folders;
}

/// The file that the linker would take for `soname`, were nothing loaded yet; empty where it is in no folder known
/// here.
std::string searched(const std::string& soname, const DynamicSection& section, const std::string& file) {
  std::vector<std::string> folders;
  for (const std::string& each : section.rpath) folders.push_back(with_origin(each, file));
  for (const std::string& each : listed(std::getenv("LD_LIBRARY_PATH"))) folders.push_back(each);
  for (const std::string& each : section.runpath) folders.push_back(with_origin(each, file));
  for (const std::string& each : usual_folders()) folders.push_back(each);
  std::error_code failed;
  for (const std::string& folder : folders)
    if (const fs::path found = fs::path(folder) / soname; fs::is_regular_file(found, failed)) return found.string();
  return "";
}

/// The file that the process has under this soname; empty where it has none.
std::string loaded_file(const std::string& soname) {
  struct Close {
    void operator()(void* handle) const { dlclose(handle); }
  };
  const std::unique_ptr<void, Close> handle(dlopen(soname.c_str(), RTLD_LAZY | RTLD_NOLOAD));
  link_map* map = nullptr;
  if (!handle || dlinfo(handle.get(), RTLD_DI_LINKMAP, &map) != 0 || map == nullptr) return "";
  return map->l_name;
}

bool same_contents(const std::string& one, const std::string& other) {
  std::error_code failed;
  if (fs::equivalent(one, other, failed)) return true;
  if (fs::file_size(one, failed) != fs::file_size(other, failed) || failed) return false;
  std::ifstream a(one, std::ios::binary), b(other, std::ios::binary);
  return std::equal(std::istreambuf_iterator<char>(a), {}, std::istreambuf_iterator<char>(b), {});
}

/// Libraries of the compiler and of C: a newer one serves what was built for an older one, and programs such as Python
/// of another origin bring their own.
bool serves_older(const std::string& soname) {
  static const std::set<std::string> names = {"libc.so.6",       "libm.so.6",     "libdl.so.2",     "librt.so.1",
                                              "libpthread.so.0", "libgcc_s.so.1", "libstdc++.so.6", "libgomp.so.1"};
  return names.contains(soname) || soname.starts_with("ld-linux");
}

/// A compiled program has brought the file itself, for this plugin.
bool in_program(const std::string& loaded) { return loaded.starts_with("/proc/self/fd/"); }

/// Goes through what files need.
class Search {
public:
  void look_at(const std::string& file) {
    const DynamicSection section = read_dynamic_section(file);
    for (const std::string& soname : section.needed) {
      if (soname.find('/') != std::string::npos || serves_older(soname) || seen_.size() >= most_libraries ||
          !seen_.insert(soname).second)
        continue;
      const std::string wanted = searched(soname, section, file), loaded = loaded_file(soname);
      if (wanted.empty() || in_program(loaded)) continue;
      if (loaded.empty())
        look_at(wanted);
      else if (!same_contents(wanted, loaded))
        conflicts.push_back({soname, wanted, loaded});
    }
  }
  std::vector<LibraryConflict> conflicts;

private:
  std::set<std::string> seen_;
};

} // namespace

std::vector<LibraryConflict> library_conflicts(const std::string& file) {
  Search search;
  search.look_at(file);
  return std::move(search.conflicts);
}

} // namespace hilda::plugin
