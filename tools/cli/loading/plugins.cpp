#include "tools/cli/loading/plugins.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <sstream>

namespace hilda::cli {
namespace {

namespace fs = std::filesystem;

/// lib/hilda/plugins beside bin/, in the build folder as where it is installed; empty where there is none.
std::string standard_folder() {
  std::error_code failed;
  const fs::path program = fs::read_symlink("/proc/self/exe", failed);
  if (failed) return {};
  const fs::path folder = program.parent_path().parent_path() / "lib" / "hilda" / "plugins";
  return fs::is_directory(folder, failed) ? folder.string() : std::string();
}

} // namespace

void add_plugin_option(Command command, std::vector<std::string>& folders) {
  command.option("--plugins", folders, "Folder with plugins, beside the standard ones and those of HILDA_PLUGIN_PATH")
      .type_name("DIR")
      .repeated();
}

Host& plugin_host() {
  static Host* const host = new Host;
  return *host;
}

std::vector<std::string> plugin_folders(const std::vector<std::string>& more) {
  std::vector<std::string> folders{standard_folder()};
  if (const char* path = std::getenv("HILDA_PLUGIN_PATH")) {
    std::istringstream parts(path);
    for (std::string part; std::getline(parts, part, ':');) folders.push_back(part);
  }
  folders.insert(folders.end(), more.begin(), more.end());
  folders.erase(std::remove(folders.begin(), folders.end(), std::string()), folders.end());
  return folders;
}

void load_plugins(const std::vector<std::string>& folders, Diagnostics& diagnostics) {
  // What the host holds already is not loaded again; what was wrong with it is told to everyone who asks.
  static std::map<std::string, Diagnostics> known;
  for (const std::string& folder : plugin_folders(folders)) {
    std::error_code failed;
    const std::string real = fs::weakly_canonical(folder, failed).string();
    const auto [found, first] = known.try_emplace(failed ? folder : real);
    if (first) plugin_host().load_folder(folder, found->second);
    diagnostics.take(found->second, false);
  }
}

} // namespace hilda::cli
