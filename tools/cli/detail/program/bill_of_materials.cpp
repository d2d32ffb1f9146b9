// SPDX-License-Identifier: BSD-3-Clause
#include "tools/cli/detail/program/bill_of_materials.h"

#include "tools/cli/detail/program/command.h"
#include "tools/cli/detail/program/terminal.h"

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <sstream>

namespace hilda::cli {

int print_bill_of_materials() {
  namespace fs = std::filesystem;
  std::error_code failed;
  const fs::path prefix = fs::read_symlink("/proc/self/exe", failed).parent_path().parent_path();
  const fs::path file = prefix / "share" / "hilda" / "sbom.spdx.json";
  std::stringstream text;
  if (std::ifstream in(file); !in || !(text << in.rdbuf())) {
    print_error(file.string() + ": the SBOM of this program cannot be read");
    std::fprintf(stderr, "cmake --build BUILD --target hilda_sbom writes it in a build folder; packages contain it\n");
    return exit_failed_run;
  }
  std::fputs(text.str().c_str(), stdout);
  return exit_ok;
}

} // namespace hilda::cli
