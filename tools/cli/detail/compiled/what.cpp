// SPDX-License-Identifier: BSD-3-Clause
#include "engine/plugin/arithmetic.h"
#include "tools/cli/detail/compiled/compiled_program.h"
#include "tools/cli/detail/program/command.h"
#include "tools/cli/detail/program/terminal.h"
#include "tools/cli/version.h"

#include <cstdio>
#include <fmt/format.h>
#include <hilda/abi.h>

namespace hilda::cli {
namespace {

void line(const char* subject, const std::string& text) { std::printf("%-12s %s\n", subject, text.c_str()); }

std::string listed(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& each : words) text += (text.empty() ? "" : " ") + each;
  return text.empty() ? "none" : text;
}

/// False where a part has other bytes than it was written with.
bool print_parts(const CompiledProgram& program) {
  bool whole = true;
  for (const Part& part : program.parts) {
    const std::string bytes = program.bytes_of(part);
    const bool same = bytes.size() == part.bytes && hash_of(bytes) == part.hash;
    whole = whole && same;
    line(part.kind.c_str(),
         fmt::format("{} {:016x} {}{}", part.name, part.hash, bytes_text(part.bytes), same ? "" : "  HAS OTHER BYTES"));
  }
  return whole;
}

} // namespace

int print_what(const CompiledProgram& program) {
  const fmi::Package& diagram = program.diagram;
  line("program", fmt::format("{}, compiled by hilda {} (git {}), plugin ABI {}.{}", program.name, version, revision,
                              HILDA_ABI_MAJOR, HILDA_ABI_MINOR));
  line("diagram", diagram.diagram);
  line("mode", diagram.mode.empty() ? "none" : diagram.mode);
  line("rig", diagram.rig.empty() ? "the diagram's own" : diagram.rig);
  line("settings", listed(diagram.settings));
  line("overlays", listed(diagram.overlays));
  line("mathematics", arithmetic().mathematics);
  line("needs", program.needs);
  Diagnostics said;
  program.load_plugins(said);
  for (const auto& [name, hash] : plugin_host().hashes()) line("plugin", fmt::format("{} {}", name, hash));
  if (print_parts(program)) return exit_ok;
  said.error("program-damaged", {}, "a part of this program has other bytes than it was written with",
             "copy it again from where it is whole; 'sha256sum' on both sides shows whether a copy is");
  print_diagnostics(said);
  return exit_bad_file;
}

} // namespace hilda::cli
