#include "tools/cli/loading/plugins.h"

#include <filesystem>

namespace hilda::cli {

void add_plugin_option(Command command, std::vector<std::string>& folders) {
  command.option("--plugins", folders, "Folder with plugins, beside the standard ones and those of HILDA_PLUGIN_PATH")
      .type_name("DIR")
      .repeated();
}

Installation& installation() {
  std::error_code failed;
  static Installation found(std::filesystem::read_symlink("/proc/self/exe", failed));
  return found;
}

} // namespace hilda::cli
