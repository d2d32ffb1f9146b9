#include "engine/diagnostics/diagnostic.h"
#include "engine/files/output_files.h"
#include "tools/cli/loading/plugins.h"
#include "tools/cli/program/command.h"
#include "tools/cli/program/terminal.h"

#include <algorithm>
#include <array>
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
  std::string name, language = "c++";
  std::vector<std::string> plugins;
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

bool reserved_word(const std::string& name) {
  static constexpr std::array<std::string_view, 54> words{
      "auto",     "bool",    "break",    "case",     "catch",    "char",  "class",  "const",     "continue",
      "default",  "delete",  "do",       "double",   "else",     "enum",  "extern", "false",     "float",
      "for",      "friend",  "goto",     "if",       "inline",   "int",   "long",   "namespace", "new",
      "operator", "private", "public",   "register", "return",   "short", "signed", "sizeof",    "static",
      "struct",   "switch",  "template", "this",     "throw",    "true",  "try",    "typedef",   "union",
      "unsigned", "using",   "virtual",  "void",     "volatile", "while", "test",   "all",       "install"};
  return std::find(words.begin(), words.end(), name) != words.end();
}

/// What is wrong with the name, or nothing.
std::string fault(const std::string& name) {
  const auto letter = [](char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0 || c == '_'; };
  const auto fits = [&](char c) { return letter(c) || std::isdigit(static_cast<unsigned char>(c)) != 0; };
  if (name.empty() || !letter(name[0]) || !std::all_of(name.begin(), name.end(), fits))
    return "is no name for a plugin: letters, digits and _, not a digit first";
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

std::string copy_files(const fs::path& from, const fs::path& to, const std::string& name) {
  std::vector<fs::path> files;
  for (const fs::directory_entry& entry : fs::directory_iterator(from)) files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  std::string listing;
  for (const fs::path& file : files) {
    std::stringstream text;
    text << std::ifstream(file).rdbuf();
    const fs::path target = to / replaced(file.filename().string(), name);
    OutputFiles outputs;
    std::string error;
    if (!write_file(target.string(), replaced(text.str(), name), outputs, error)) throw std::runtime_error(error);
    listing += fmt::format("  {}\n", (fs::path(name) / target.filename()).string());
  }
  return listing;
}

/// The folder is made beside its name and renamed when it is whole.
std::string copy_template(const fs::path& from, const std::string& name) {
  const fs::path part = name + "." + std::to_string(::getpid()) + ".part";
  fs::create_directory(part);
  try {
    std::string listing = copy_files(from, part, name);
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
    return wrong(hilda::in_quotes(name) + " " + why, "choose a name such as my_filters");
  if (fs::exists(fs::symlink_status(name)))
    return wrong(hilda::in_quotes(name) + " is there already", "choose another name, or another folder to work in");
  if (const std::string owner = owner_of(name, arguments.plugins); !owner.empty())
    return wrong("there is a plugin " + hilda::in_quotes(name) + " already: " + owner,
                 "choose another name: it stands before the name of each block");
  const fs::path from = template_folder(arguments.language);
  if (from.empty())
    return wrong("the template is missing: there is no " + (prefix() / "share/hilda/template").string(),
                 "install hilda with cmake --install");
  const std::string listing = copy_template(from, name);
  std::printf("%s", listing.c_str());
  std::printf("Build and test it:\n"
              "  cd %s\n"
              "  cmake -B build%s\n"
              "  cmake --build build\n"
              "  ctest --test-dir build\n"
              "Run it:\n"
              "  hilda run %s.xml --plugins build/lib/hilda/plugins --for 0.2s\n",
              name.c_str(), package_option().c_str(), name.c_str());
  return exit_ok;
}

} // namespace

void add_new_plugin(Program& program) {
  Command command = program.command("new-plugin", "Starts a plugin: a folder with a block, a test and a diagram");
  auto arguments = std::make_shared<NewPluginArguments>();
  command.option("NAME", arguments->name, "Of the plugin and of the folder; its blocks are NAME/...")
      .required()
      .option_text("NAME");
  command.option("--language", arguments->language, "c++ or c; c++ unless told otherwise")
      .type_name("LANGUAGE")
      .one_of({"c++", "c"});
  add_plugin_option(command, arguments->plugins);
  command.footer("Examples:\n"
                 "  hilda new-plugin my_filters\n"
                 "  hilda new-plugin my_filters --language c");
  command.runs([arguments] { return new_plugin(*arguments); });
}

} // namespace hilda::cli
