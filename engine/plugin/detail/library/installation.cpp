// SPDX-License-Identifier: BSD-3-Clause
#include "engine/plugin/installation.h"

#include <cstdlib>
#include <set>
#include <sstream>

namespace hilda::plugin {
namespace {

namespace fs = std::filesystem;

fs::path prefix_of(const fs::path& file) {
  std::error_code failed;
  const fs::path real = fs::weakly_canonical(file, failed);
  if (failed) return {};
  for (fs::path folder = real.parent_path(); folder != folder.root_path(); folder = folder.parent_path())
    if (fs::is_directory(folder / "lib" / "hilda" / "plugins", failed)) return folder;
  return {};
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

/// Are the plugins of this folder the standard ones of a hilda?
bool has_library_beside(const fs::path& folder) {
  std::error_code failed;
  for (const fs::directory_entry& file : fs::directory_iterator(folder.parent_path(), failed))
    if (file.path().filename().string().starts_with("libhilda.so")) return true;
  return false;
}

/// Folders of the machine and of the user, for plugins that are installed apart from hilda. The standard plugins of
/// another hilda are left out: each block of theirs has the name of one of ours.
std::vector<std::string> shared_folders() {
  std::vector<fs::path> places = {"/usr/lib/hilda/plugins", "/usr/local/lib/hilda/plugins"};
  const auto absolute = [](const char* variable) {
    const char* text = std::getenv(variable);
    return text != nullptr && *text == '/' ? fs::path(text) : fs::path();
  };
  fs::path data = absolute("XDG_DATA_HOME");
  if (const fs::path home = absolute("HOME"); data.empty() && !home.empty()) data = home / ".local" / "share";
  if (!data.empty()) places.push_back(data / "hilda" / "plugins");
  std::vector<std::string> folders;
  std::error_code failed;
  for (const fs::path& place : places)
    if (fs::is_directory(place, failed) && !has_library_beside(place)) folders.push_back(place.string());
  return folders;
}

} // namespace

Installation::Installation(const fs::path& file, std::span<const Ability> abilities)
    : prefix_(prefix_of(file)), host_(*new Host(abilities)) {
  if (!prefix_.empty()) host_.scripts().take_library(prefix_ / "lib" / "hilda" / "languages" / "python.so");
}

/// The standard ones, those of the machine and of the user, those of HILDA_PLUGIN_PATH, then `more`.
std::vector<std::string> Installation::plugin_folders(const std::vector<std::string>& more) const {
  std::vector<std::string> folders;
  if (!prefix_.empty()) folders.push_back((prefix_ / "lib" / "hilda" / "plugins").string());
  for (const std::vector<std::string>& others : {shared_folders(), folders_in("HILDA_PLUGIN_PATH"), more})
    for (const std::string& folder : others)
      if (!folder.empty()) folders.push_back(folder);
  return folders;
}

void Installation::load_plugins(const std::vector<std::string>& more, Diagnostics& diagnostics) {
  std::set<std::string> read;
  for (const std::string& folder : plugin_folders(more)) {
    std::error_code failed;
    const std::string real = fs::weakly_canonical(folder, failed).string();
    if (read.insert(failed ? folder : real).second) host_.load_folder(folder, diagnostics);
  }
}

std::vector<std::string> Installation::library_path() const {
  std::vector<std::string> folders = folders_in("HILDA_LIBRARY_PATH");
  if (prefix_.empty()) return folders;
  std::error_code failed;
  for (const fs::path& folder : {prefix_ / "share" / "hilda" / "diagrams", prefix_.parent_path() / "diagrams"})
    if (fs::is_directory(folder, failed)) folders.push_back(folder.string());
  return folders;
}

std::string Installation::library_file(const std::string& name) const {
  std::error_code failed;
  for (const std::string& folder : library_path())
    if (const fs::path file = fs::path(folder) / name; fs::is_regular_file(file, failed)) return file.string();
  return {};
}

std::vector<std::string> Installation::library_files() const {
  std::vector<std::string> names;
  std::error_code failed;
  for (const std::string& folder : library_path())
    for (const fs::directory_entry& file : fs::directory_iterator(folder, failed))
      if (file.path().extension() == ".xml") names.push_back(file.path().filename().string());
  return names;
}

} // namespace hilda::plugin
