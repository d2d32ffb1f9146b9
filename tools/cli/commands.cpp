// SPDX-License-Identifier: BSD-3-Clause
#include "tools/cli/commands.h"

#include "engine/plugin/arithmetic.h"
#include "tools/cli/command_line.h"
#include "tools/cli/detail/compiled/compile.h"
#include "tools/cli/detail/linear/trim.h"
#include "tools/cli/detail/program/bill_of_materials.h"
#include "tools/cli/detail/program/command.h"
#include "tools/cli/version.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <hilda/abi.h>
#include <optional>
#include <string_view>

namespace hilda::cli {
namespace {

std::string version_text() {
  return fmt::format("hilda {} (git {}), plugin ABI {}.{}\nmathematics: {}, {}", version, revision, HILDA_ABI_MAJOR,
                     HILDA_ABI_MINOR, arithmetic().mathematics, arithmetic().where);
}

/// hilda as a program.
Face hilda_face() {
  Face face;
  face.name = "hilda";
  face.text = "Runs block diagrams in closed loop with robots and force sensors.";
  face.version = version_text;
  face.version_help = "Version, git revision, plugin ABI and mathematical library";
  face.commands = {&add_run,        &add_check,      &add_plan,   &add_blocks,        &add_describe,    &add_export,
                   &add_info,       &add_linearize,  &add_trim,   &add_measure_delay, &add_compare,     &add_doctor,
                   &add_plot,       &add_draw,       &add_report, &add_new_plugin,    &add_test_plugin, &add_schema,
                   &add_diff,       &add_recover,    &add_sweep,  &add_edit,          &add_studio,      &add_docs,
                   &add_export_fmu, &add_import_fmu, &add_compile};
  face.more = [](Program& program) {
    const std::string bill = "After --version: print the list of all that this program contains (SBOM, SPDX in JSON)";
    program.app().add_flag("--sbom", bill);
  };
  face.instead = [](int count, char** arguments) -> std::optional<int> {
    const std::string_view first = count == 3 ? arguments[1] : "", second = count == 3 ? arguments[2] : "";
    return first == "--version" && second == "--sbom" ? std::optional(print_bill_of_materials()) : std::nullopt;
  };
  face.footer =
      "Examples:\n"
      "  hilda run diagrams/pida.xml --set response_delay=20ms\n"
      "  hilda check diagrams/pida.xml\n"
      "  hilda describe contact/PhaseLead\n"
      "hilda COMMAND --help says more about a command.\n"
      "Exit codes: 0 all went well, 1 not equal (compare, diff) or a warning (doctor), 2 bad file, 3 failed run or "
      "lost\n"
      "output, 64 wrong usage, 130 interrupted; 128+n: a plugin crashed by signal n, after its block was named.";
  face.help_of_diagram = "to run a diagram: hilda run ";
  return face;
}

} // namespace
} // namespace hilda::cli

int hilda_run(int count, char** arguments) {
  using namespace hilda::cli;
  return run_command_line(count, arguments, hilda_face());
}
