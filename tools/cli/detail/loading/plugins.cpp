// SPDX-License-Identifier: BSD-3-Clause
#include "tools/cli/detail/loading/plugins.h"

#include "engine/session/program_abilities.h"
#include "tools/cli/detail/program/terminal.h"

#include <filesystem>

namespace hilda::cli {

void add_plugin_option(Command command, std::vector<std::string>& folders) {
  command
      .option("--plugins", folders,
              "Folder with plugins, in addition to the standard ones and those of HILDA_PLUGIN_PATH")
      .type_name("DIR")
      .repeated();
}

const Catalogue& load_catalogue(const std::vector<std::string>& folders, Diagnostics& diagnostics) {
  installation().load_plugins(folders, diagnostics);
  installation().host().list_scripts("", diagnostics);
  print_diagnostics(diagnostics);
  return installation().host().catalogue();
}

Installation& installation() {
  std::error_code failed;
  static Installation found(std::filesystem::read_symlink("/proc/self/exe", failed), program_abilities());
  return found;
}

} // namespace hilda::cli
