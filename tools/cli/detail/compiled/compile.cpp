// SPDX-License-Identifier: BSD-3-Clause
#include "tools/cli/detail/compiled/compile.h"
#include "engine/diagram/used_plugins.h"
#include "engine/plugin/kept_paths.h"
#include "engine/run/runtime.h"
#include "engine/session/loop_clock.h"
#include "tools/cli/detail/compiled/compiled_program.h"
#include "tools/cli/detail/compiled/program_file.h"
#include "tools/cli/detail/loading/diagram.h"
#include "tools/cli/detail/program/command.h"
#include "tools/cli/detail/program/output.h"
#include "tools/cli/detail/program/terminal.h"
#include "tools/fmi/bundle.h"
#include "tools/fmi/package.h"

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <iterator>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>

namespace hilda::cli {
namespace {

namespace fs = std::filesystem;

struct CompileArguments {
  DiagramArguments diagram;
  std::string out;
  bool with_libc = false;
};

std::string text_of_file(const std::string& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

/// What a program cannot contain.
void refuse_what_stays(const System& system, const CommandDiagram& loaded, Diagnostics& diagnostics) {
  for (const SystemBlock& block : system.blocks) {
    const std::string who = fmt::format("block '{}' ({})", block.path, block.type->name);
    if (block.type->name.starts_with("python/"))
      diagnostics.error("compile-python", block.where, who + " is written in Python, which a program does not contain",
                        "write it in C++: 'hilda new-plugin NAME --from FILE.py' translates it");
  }
  for (const PlayedSetting& each : loaded.played())
    diagnostics.error(
        "compile-played", each.path.where,
        fmt::format("an overlay plays the recording {} on '{}', and a program does not contain recordings",
                    each.file.text, each.path.text),
        "leave the overlay out, and give it to the program: NAME --overlay FILE");
}

/// The files that blocks read, by the paths that the diagram has for them.
std::map<std::string, std::string> read_files(const System& system, Diagnostics& diagnostics) {
  std::map<std::string, std::string> files;
  for (const SystemBlock& block : system.blocks)
    for (const ParameterValue& value : block.parameters) {
      const std::string& file = value.value.text;
      if (block.type->slots[value.slot].element != HILDA_PATH || file.empty()) continue;
      const std::size_t before = files.size();
      for (const auto& [written, found] : KeptPaths::all())
        if (found.absolute == file) files[written] = file;
      if (files.size() == before &&
          std::none_of(files.begin(), files.end(), [&](const auto& each) { return each.second == file; }))
        diagnostics.error("compile-file", block.where,
                          fmt::format("block '{}' ({}) reads the file {}, and the diagram has one path for two files",
                                      block.path, block.type->name, file),
                          "give one of the two files another name");
    }
  return files;
}

/// One diagram on its way into a program.
class Compilation {
public:
  explicit Compilation(const CompileArguments& arguments)
      : arguments_(arguments), loaded_(arguments.diagram),
        bundle_(fmi::Bundle::Names::kept,
                arguments.with_libc ? fmi::Bundle::System::added : fmi::Bundle::System::left) {}

  int operator()() {
    if (!has_parts())
      return refuse(
          "compile-engine", fmt::format("this hilda has no engine for programs in {}", folder_),
          "use the Debian package, a prefix or the source tree; a wheel has none, and --with-libc needs musl-dev");
    if (!load()) return print_diagnostics(loaded_.diagnostics()), exit_bad_file;
    print_diagnostics(loaded_.diagnostics()); // warnings
    if (const Exit problem = open(); problem != exit_ok) return problem;
    ProgramFile program;
    if (!add_head(program) || !add_code(program))
      return refuse("compile-library", error_, "ldd lists what a library needs: install what it does not find");
    add_files(program);
    const std::string bytes = program.take();
    if (!out_->write(bytes) || !out_->commit()) return print_error(out_->error()), exit_failed_run;
    std::error_code failed;
    fs::permissions(target_, fs::perms::owner_exec | fs::perms::group_exec | fs::perms::others_exec,
                    fs::perm_options::add, failed);
    if (failed)
      return print_error(fmt::format("{} cannot be made executable: {}", target_, failed.message())), exit_failed_run;
    std::printf("%s: %s, mode %s, %zu plugins, %s; needs %s\n", target_.c_str(), name_.c_str(),
                mode_.empty() ? "none" : mode_.c_str(), plugins_.size(), bytes_text(bytes.size()).c_str(),
                needs().c_str());
    return exit_ok;
  }

private:
  bool load() {
    loaded_.take_times();
    std::optional<System> system = loaded_.check(arguments_.diagram.mode);
    if (!system) return false;
    refuse_what_stays(*system, loaded_, loaded_.diagnostics());
    paths_ = read_files(*system, loaded_.diagnostics());
    plugins_ = used_plugins(*system);
    mode_ = system->mode, name_ = system->name, doc_ = system->doc;
    if (name_.empty()) name_ = fs::path(arguments_.diagram.file).stem();
    loaded_.name_inputs(files_, *system);
    RuntimeOptions options;
    options.hardware = touches_world(*system);
    return loaded_.diagnostics().ok() && Runtime::create(std::move(*system), options, loaded_.diagnostics()) != nullptr;
  }

  std::string needs() const {
    return arguments_.with_libc ? std::string("Linux 4.19 or newer") : bundle_.needs() + " of the computer, or newer";
  }

  Exit open() {
    target_ = arguments_.out.empty() ? fs::path(arguments_.diagram.file).stem().string() : arguments_.out;
    out_ = files_.open(target_, OutputKind::file, FileContent::other);
    return out_ ? exit_ok : refused(files_, "name another file with --out");
  }

  static int refuse(const char* code, const std::string& what, const std::string& help) {
    Diagnostics said;
    said.error(code, {}, what, help);
    print_diagnostics(said);
    return exit_failed_run;
  }

  /// This hilda has all that programs are made of.
  bool has_parts() const {
    return fs::exists(folder_ + engine_) && (!arguments_.with_libc || fs::exists(folder_ + "launcher"));
  }

  /// A copy of hilda; with the C library in the program it comes behind that, and a launcher is first.
  bool add_head(ProgramFile& program) {
    const std::string hilda = "/proc/self/exe", launcher = folder_ + "launcher";
    if (!bundle_.add(hilda, head_, error_)) return false;
    if (!arguments_.with_libc) return program.begin(hilda, bundle_.files().at(head_), error_);
    program.add("head", head_, bundle_.files().at(head_));
    return program.begin(launcher, text_of_file(launcher), error_);
  }

  /// What a part is whose name the bundle has.
  static const char* kind_of(const std::string& name) {
    if (!fmi::Bundle::of_system(name)) return "library";
    return name.starts_with("ld-linux") ? "loader" : "system";
  }

  /// Libraries, each after those that it needs; the engine; then plugins, as they are: logs name them by their bytes.
  bool add_code(ProgramFile& program) {
    if (!bundle_.add(folder_ + engine_, engine_, error_)) return false;
    std::map<std::string, std::string> names; // file by its name in the program
    for (const std::string& plugin : plugins_) {
      const std::string name = "plugins/" + fs::path(plugin).filename().string();
      if (!names.emplace(name, plugin).second) {
        error_ = fmt::format("two plugins have the file name {}: {} and {}", name, names.at(name), plugin);
        return false;
      }
      if (!bundle_.add(plugin, name, error_)) return error_ = fmt::format("plugin {}: {}", plugin, error_), false;
    }
    for (const std::string& name : bundle_.order())
      if (!names.contains(name) && name != engine_ && name != head_)
        program.add(kind_of(name), name, bundle_.files().at(name));
    program.add("engine", engine_, bundle_.files().at(engine_));
    for (const auto& [name, file] : names) program.add("plugin", fs::path(name).filename(), text_of_file(file));
    return true;
  }

  void add_files(ProgramFile& program) {
    fmi::Package kept;
    kept.diagram = arguments_.diagram.file, kept.rig = arguments_.diagram.rig, kept.mode = mode_;
    kept.settings = arguments_.diagram.settings, kept.overlays = arguments_.diagram.overlays;
    const nlohmann::json index = {{"name", name_}, {"doc", doc_}, {"needs", needs()}, {"paths", paths_}};
    for (const auto& [written, file] : paths_) program.add("data", written, text_of_file(file));
    for (const auto& [name, text] : fmi::package_files(kept, loaded_.sources())) program.add("file", name, text);
    program.add("file", program_index, index.dump(2) + "\n");
  }

  static constexpr const char *engine_ = "libhilda_program.so", *head_ = "hilda";
  const std::string folder_ = fmi::own_folder() + "/program/";
  const CompileArguments& arguments_;
  CommandDiagram loaded_;
  OutputFiles files_;
  std::unique_ptr<OutputFile> out_;
  fmi::Bundle bundle_;
  std::set<std::string> plugins_;            ///< files
  std::map<std::string, std::string> paths_; ///< files that blocks read, by what the diagram calls them
  std::string mode_, name_, doc_, target_, error_;
};

} // namespace

void add_compile(Program& program) {
  Command command = program.command("compile", "Writes a diagram as one program that runs without hilda");
  auto arguments = std::make_shared<CompileArguments>();
  add_diagram_arguments(command, arguments->diagram);
  command.option("-o,--out", arguments->out, "File to write; the diagram's name if not given").type_name("FILE");
  command.flag("--with-libc", arguments->with_libc,
               "Put the C and the C++ library into it, too: it runs on any Linux of this processor");
  command.footer(
      "The program contains the engine, the plugins that the diagram needs, and the diagram's files. It has the\n"
      "commands run (the default), replay and doctor; --what prints what is in it. No compiler is needed.\n"
      "Examples:\n"
      "  hilda compile diagrams/pida.xml -o pida\n"
      "  ./pida --for 2s --log pida.mcap\n"
      "  hilda compile diagrams/pida.xml -o cell --mode hardware --rig diagrams/rigs/kuka_ati.xml\n"
      "  ./cell --arm");
  command.runs([arguments] { return Compilation(*arguments)(); });
}

} // namespace hilda::cli
