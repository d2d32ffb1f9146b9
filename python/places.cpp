#include "python/places.h"

#include <cstdlib>
#include <dlfcn.h>
#include <filesystem>
#include <map>
#include <sstream>

namespace hilda::python {
namespace {

namespace fs = std::filesystem;

/// Empty: there is none.
fs::path find_prefix() {
  Dl_info module{};
  if (dladdr(reinterpret_cast<const void*>(&find_prefix), &module) == 0) return {};
  std::error_code failed;
  const fs::path file = fs::weakly_canonical(module.dli_fname, failed);
  if (failed) return {};
  for (fs::path folder = file.parent_path(); folder != folder.root_path(); folder = folder.parent_path())
    if (fs::is_directory(folder / "lib" / "hilda" / "plugins", failed)) return folder;
  return {};
}

const fs::path& prefix() {
  static const fs::path found = find_prefix();
  return found;
}

/// Of a variable such as PATH.
std::vector<std::string> folders_in(const char* variable) {
  std::vector<std::string> folders;
  const char* path = std::getenv(variable);
  std::istringstream parts(path != nullptr ? path : "");
  for (std::string part; std::getline(parts, part, ':');)
    if (!part.empty()) folders.push_back(part);
  return folders;
}

} // namespace

Host& plugin_host() {
  static Host* const host = new Host;
  return *host;
}

void load_plugins(const std::vector<std::string>& folders, Diagnostics& diagnostics) {
  std::vector<std::string> wanted = folders_in("HILDA_PLUGIN_PATH");
  if (!prefix().empty()) wanted.insert(wanted.begin(), (prefix() / "lib" / "hilda" / "plugins").string());
  wanted.insert(wanted.end(), folders.begin(), folders.end());
  static std::map<std::string, Diagnostics> known; // with what was wrong with them, which is told to everyone who asks
  for (const std::string& folder : wanted) {
    std::error_code failed;
    const std::string real = fs::weakly_canonical(folder, failed).string();
    const auto [found, first] = known.try_emplace(failed ? folder : real);
    if (first) plugin_host().load_folder(folder, found->second);
    diagnostics.take(found->second, false);
  }
}

std::vector<std::string> library_path() {
  std::vector<std::string> folders = folders_in("HILDA_LIBRARY_PATH");
  if (prefix().empty()) return folders;
  std::error_code failed;
  for (const fs::path& folder : {prefix() / "share" / "hilda" / "diagrams", prefix().parent_path() / "diagrams"})
    if (fs::is_directory(folder, failed)) folders.push_back(folder.string());
  return folders;
}

std::string library_file(const std::string& name) {
  std::error_code failed;
  for (const std::string& folder : library_path())
    if (const fs::path file = fs::path(folder) / name; fs::is_regular_file(file, failed)) return file.string();
  return {};
}

std::vector<std::string> library_files() {
  std::vector<std::string> names;
  std::error_code failed;
  for (const std::string& folder : library_path())
    for (const fs::directory_entry& file : fs::directory_iterator(folder, failed))
      if (file.path().extension() == ".xml") names.push_back(file.path().filename().string());
  return names;
}

} // namespace hilda::python
