#include "engine/host/installation.h"

#include <cstdlib>
#include <set>
#include <sstream>

namespace hilda {
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

} // namespace

Installation::Installation(const fs::path& file) : prefix_(prefix_of(file)), host_(*new Host) {}

std::vector<std::string> Installation::plugin_folders(const std::vector<std::string>& more) const {
  std::vector<std::string> folders = folders_in("HILDA_PLUGIN_PATH");
  if (!prefix_.empty()) folders.insert(folders.begin(), (prefix_ / "lib" / "hilda" / "plugins").string());
  for (const std::string& folder : more)
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

} // namespace hilda
