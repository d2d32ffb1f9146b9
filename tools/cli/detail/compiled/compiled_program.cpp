// SPDX-License-Identifier: BSD-3-Clause
#include "tools/cli/detail/compiled/compiled_program.h"

#include "engine/plugin/kept_paths.h"
#include "engine/session/program_abilities.h"
#include "tools/cli/detail/loading/plugins.h"

#include <cerrno>
#include <filesystem>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <unistd.h>

namespace hilda::cli {
namespace {

std::unique_ptr<const CompiledProgram>& opened() {
  static std::unique_ptr<const CompiledProgram> program;
  return program;
}

std::string opened_as(int memory) { return fmt::format("/proc/self/fd/{}", memory); }

/// Of the program's own file; throws where it is not there, as the index names it.
std::string text_of_part(const CompiledProgram& program, const std::string& name) {
  for (const Part& part : program.parts) {
    if (part.kind != "file" || part.name != name) continue;
    std::string bytes = program.bytes_of(part);
    if (bytes.size() == part.bytes && hash_of(bytes) == part.hash) return bytes;
    throw std::runtime_error(name + " has other bytes than it was written with");
  }
  throw std::runtime_error(name + " is not in it");
}

void read_index(CompiledProgram& program) {
  const auto text = [&program](const std::string& name) { return text_of_part(program, name); };
  program.diagram = fmi::package_of(text);
  const nlohmann::json index = nlohmann::json::parse(text(program_index));
  program.name = index.at("name");
  program.doc = index.at("doc");
  program.needs = index.at("needs");
  for (std::size_t i = 0; i < program.parts.size(); ++i)
    if (const std::string& written = program.parts[i].name; program.parts[i].kind == "data")
      KeptPaths::keep(written, index.at("paths").at(written), opened_as(program.memories[i]));
}

} // namespace

std::string CompiledProgram::bytes_of(const Part& part) const {
  std::string bytes(part.bytes, '\0');
  std::size_t have = 0;
  while (have < bytes.size()) {
    const ssize_t got = ::pread(file, bytes.data() + have, bytes.size() - have, static_cast<off_t>(part.at + have));
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) break;
    have += static_cast<std::size_t>(got);
  }
  bytes.resize(have);
  return bytes;
}

void CompiledProgram::load_plugins(Diagnostics& diagnostics) const {
  static Diagnostics said;
  static bool loaded = false;
  for (std::size_t i = 0; !loaded && i < parts.size(); ++i)
    if (parts[i].kind == "plugin") plugin_host().load(opened_as(memories[i]), said);
  loaded = true;
  diagnostics.take(said, false);
}

Host& plugin_host() {
  if (compiled_program() == nullptr) return installation().host();
  static Host& host = *new Host(program_abilities()); // to the end of the process, as hilda's
  return host;
}

DiagramArguments with_kept(DiagramArguments given) {
  const CompiledProgram* const program = compiled_program();
  if (program == nullptr) return given;
  const fmi::Package& kept = program->diagram;
  given.file = kept.diagram, given.mode = kept.mode, given.rig = kept.rig;
  given.settings.insert(given.settings.begin(), kept.settings.begin(), kept.settings.end());
  given.overlays.insert(given.overlays.begin(), kept.overlays.begin(), kept.overlays.end());
  return given;
}

const CompiledProgram* compiled_program() { return opened().get(); }

bool open_compiled_program(int file, std::span<const hilda_program_part> parts, Diagnostics& diagnostics) {
  auto program = std::make_unique<CompiledProgram>();
  program->file = file;
  for (const hilda_program_part& each : parts) {
    program->parts.push_back({each.kind, each.at, each.bytes, each.hash, 0, each.name});
    program->memories.push_back(each.memory);
  }
  try {
    read_index(*program);
  } catch (const std::exception& thrown) { // also nlohmann's
    diagnostics.error("program-damaged", {}, fmt::format("the program is cut or changed: {}", thrown.what()),
                      "copy it again from where it is whole; 'sha256sum' on both sides shows whether a copy is");
    return false;
  }
  opened() = std::move(program);
  return true;
}

} // namespace hilda::cli
