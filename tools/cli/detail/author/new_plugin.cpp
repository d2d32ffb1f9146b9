// SPDX-License-Identifier: BSD-3-Clause
#include "engine/base/diagnostic.h"
#include "engine/base/output_files.h"
#include "tools/cli/detail/author/cpp_names.h"
#include "tools/cli/detail/author/from_python.h"
#include "tools/cli/detail/author/from_subsystem.h"
#include "tools/cli/detail/loading/plugins.h"
#include "tools/cli/detail/program/command.h"
#include "tools/cli/detail/program/duration.h"
#include "tools/cli/detail/program/terminal.h"

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <cstdio>
#include <fcntl.h>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <memory>
#include <sstream>
#include <string_view>
#include <system_error>
#include <unistd.h>

namespace hilda::cli {
namespace {

namespace fs = std::filesystem;

/// The name that the template's files carry, in their text and in their own names.
constexpr std::string_view template_name = "template_plugin";

struct NewPluginArguments {
  std::string name, language = "c++", from_python;
  FromSubsystem from;
};

/// bin/hilda's prefix: where it is installed, or the build folder.
fs::path prefix() { return fs::read_symlink("/proc/self/exe").parent_path().parent_path(); }

/// share/hilda/template where it is installed, plugins/template in the project's folder.
fs::path template_folder(const std::string& language) {
  for (const fs::path& folder :
       {prefix() / "share" / "hilda" / "template", prefix().parent_path() / "plugins" / "template"})
    if (fs::is_directory(folder / language)) return folder / language;
  return {};
}

/// The fault of the name, or nothing.
std::string fault(const std::string& name) {
  const auto letter = [](char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0 || c == '_'; };
  const auto fits = [&](char c) { return letter(c) || std::isdigit(static_cast<unsigned char>(c)) != 0; };
  if (name.empty() || !letter(name[0]) || !std::all_of(name.begin(), name.end(), fits))
    return "is not a name for a plugin: letters, digits and _, not a digit first";
  if (name.size() > 64) return "is longer than 64 characters";
  if (reserved_word(name)) return "is a word of C++ or of the build";
  if (name == template_name || name.starts_with("hilda")) return "belongs to hilda itself";
  return {};
}

/// The plugin that has this name already, as a file; empty where none has.
std::string owner_of(const std::string& name, const std::vector<std::string>& folders) {
  Diagnostics others; // a plugin that cannot be loaded takes no name
  installation().load_plugins(folders, others);
  for (const auto& library : installation().host().libraries())
    if (library->name == name) return library->file;
  return {};
}

std::string replaced(std::string text, const std::string& name) {
  for (std::size_t at = 0; (at = text.find(template_name, at)) != std::string::npos; at += name.size())
    text.replace(at, template_name.size(), name);
  return text;
}

/// The template's files, with the plugin's name.
std::vector<PluginFile> template_files(const fs::path& from, const std::string& name) {
  std::vector<PluginFile> files;
  for (const fs::directory_entry& entry : fs::directory_iterator(from)) {
    std::stringstream text;
    text << std::ifstream(entry.path()).rdbuf();
    files.push_back({replaced(entry.path().filename().string(), name), replaced(text.str(), name)});
  }
  std::sort(files.begin(), files.end(), [](const PluginFile& a, const PluginFile& b) { return a.name < b.name; });
  return files;
}

/// The folder is made next to its name and renamed when it is whole.
std::string write_folder(const std::vector<PluginFile>& files, const std::string& name) {
  const fs::path part = name + "." + std::to_string(::getpid()) + ".part";
  std::error_code failed;
  fs::create_directory(part, failed);
  if (failed)
    throw std::runtime_error("the folder " + name + " cannot be made: " + failed.message() +
                             "\nhelp: work in a folder in which you may write");
  try {
    std::string listing, error;
    for (const PluginFile& file : files) {
      OutputFiles outputs;
      if (!write_file((part / file.name).string(), file.text, FileContent::text, outputs, error))
        throw std::runtime_error(error);
      listing += fmt::format("  {}\n", (fs::path(name) / file.name).string());
    }
    if (::renameat2(AT_FDCWD, part.c_str(), AT_FDCWD, name.c_str(), RENAME_NOREPLACE) == 0) return listing;
    throw std::runtime_error(name + " cannot be made: " + std::system_category().message(errno));
  } catch (...) {
    std::error_code left;
    fs::remove_all(part, left);
    throw;
  }
}

/// Where CMake finds hilda, if it would not look there by itself.
std::string package_option() {
  const std::string place = prefix().string();
  if (place == "/usr" || place == "/usr/local") return {};
  return fmt::format(" -Dhilda_DIR={}/lib/cmake/hilda", place);
}

int wrong(const std::string& what, const std::string& help) {
  print_error(what);
  std::fprintf(stderr, "%s\n", help.c_str());
  return exit_usage;
}

int new_plugin(const NewPluginArguments& arguments) {
  const std::string& name = arguments.name;
  if (const std::string why = fault(name); !why.empty())
    return wrong(hilda::base::in_quotes(name) + " " + why, "choose a name such as my_filters");
  if (fs::exists(fs::symlink_status(name)))
    return wrong(hilda::base::in_quotes(name) + " is there already",
                 "choose another name, or another folder to work in");
  if (const std::string owner = owner_of(name, arguments.from.diagram.plugins); !owner.empty())
    return wrong("there is a plugin " + hilda::base::in_quotes(name) + " already: " + owner,
                 "choose another name: it precedes the name of each block");
  const bool of_python = !arguments.from_python.empty(), from_template = arguments.from.from.empty() && !of_python;
  std::vector<PluginFile> files;
  std::vector<std::string> left;
  const DiagramArguments& diagram = arguments.from.diagram;
  if (of_python && !arguments.from.from.empty())
    return wrong("--from and --from-python are both given", "name a subsystem or a class in Python");
  if (arguments.from.from.empty() && !(arguments.from.duration.empty() && diagram.mode.empty() && diagram.rig.empty() &&
                                       diagram.settings.empty() && diagram.overlays.empty()))
    return wrong("--for, --mode, --rig, --set and --overlay are for a diagram, and none is named",
                 "name one by --from DIAGRAM:SUBSYSTEM");
  if (from_template) {
    const fs::path from = template_folder(arguments.language);
    if (from.empty())
      return wrong("the template is missing: there is no " + (prefix() / "share/hilda/template").string(),
                   "install the package hilda-dev, or hilda with cmake --install");
    files = template_files(from, name);
  } else if (of_python) {
    if (arguments.language != "c++") return wrong("--from-python writes C++", "leave --language out");
    int exit = exit_ok;
    files = files_from_python(arguments.from_python, name, left, exit);
    if (files.empty()) return exit;
  } else {
    if (arguments.language != "c++") return wrong("--from writes C++", "leave --language out");
    int exit = exit_ok;
    files = files_from_subsystem(arguments.from, name, exit);
    if (files.empty()) return exit;
  }
  const std::string listing = write_folder(files, name);
  std::printf("%s", listing.c_str());
  for (const std::string& each : left) std::printf("To be written: %s\n", each.c_str());
  const bool whole = from_template || (of_python && left.empty());
  std::printf("Build and test it%s:\n"
              "  cd %s\n"
              "  cmake -B build%s\n"
              "  cmake --build build\n"
              "  ctest --test-dir build%s\n",
              whole ? "" : "; the test fails until the block's body is written", name.c_str(), package_option().c_str(),
              whole ? "" : " --output-on-failure");
  if (from_template)
    std::printf("Run it:\n"
                "  hilda run %s.xml --plugins build/lib/hilda/plugins --for 0.2s\n",
                name.c_str());
  return exit_ok;
}

} // namespace

void add_new_plugin(Program& program) {
  Command command = program.command("new-plugin", "Starts a plugin: a folder with a block, a test and a diagram");
  auto arguments = std::make_shared<NewPluginArguments>();
  command.option("NAME", arguments->name, "Of the plugin and of the folder; its blocks are NAME/...")
      .required()
      .option_text("NAME");
  command.option("--language", arguments->language, "c++ or c; c++ if not given")
      .type_name("LANGUAGE")
      .one_of({"c++", "c"});
  command
      .option("--from", arguments->from.from,
              "Subsystem that the block replaces: its ports, units and parameters are written, and a test "
              "that "
              "holds the block against what the subsystem gives in a run")
      .type_name("DIAGRAM:SUBSYSTEM");
  command
      .option("--from-python", arguments->from_python,
              "Block in Python that becomes one in C++: its slots are written, its methods translated where that is "
              "simple, and a test that holds the block against what the Python block computes of random inputs")
      .type_name("FILE:CLASS");
  add_duration_option(command, arguments->from.duration, "Simulated time that is recorded; 1 s if not given");
  command.option("--mode", arguments->from.diagram.mode, "Mode of that diagram").type_name("MODE");
  command.option("--rig", arguments->from.diagram.rig, "Rig instead of the diagram's").type_name("FILE");
  command.option("--set", arguments->from.diagram.settings, "Parameter of that diagram, as for run")
      .type_name("PATH=VALUE")
      .repeated();
  command.option("--overlay", arguments->from.diagram.overlays, "Overlay of that diagram").type_name("FILE").repeated();
  add_plugin_option(command, arguments->from.diagram.plugins);
  command.footer("Examples:\n"
                 "  hilda new-plugin my_filters\n"
                 "  hilda new-plugin my_filters --language c\n"
                 "  hilda new-plugin my_rig --from diagrams/pida.xml:rig --for 2s\n"
                 "  hilda new-plugin my_filters --from-python my_blocks.py:Filter");
  command.runs([arguments] { return new_plugin(*arguments); });
}

} // namespace hilda::cli
