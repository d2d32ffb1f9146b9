#include "plugins/host/library.h"

#include "engine/model/diagram.h"
#include "plugins/host/floating_point.h"

#include <algorithm>
#include <cstring>
#include <dlfcn.h>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>

namespace hilda {

namespace fs = std::filesystem;

void Library::Close::operator()(void* handle) const { dlclose(handle); }

Host::Host() = default;
Host::~Host() = default;

namespace {

/// FNV-1a: enough to tell two builds apart; nobody's safety hangs on it.
std::string hash_of(const std::string& file) {
  std::ifstream in(file, std::ios::binary);
  std::uint64_t h = 14695981039346656037u;
  char buffer[1 << 16];
  while (in.read(buffer, sizeof buffer) || in.gcount() > 0)
    for (std::streamsize i = 0; i < in.gcount(); ++i) h = (h ^ static_cast<unsigned char>(buffer[i])) * 1099511628211u;
  return fmt::format("{:016x}", h);
}

std::string last_dl_error() {
  const char* text = dlerror();
  return text != nullptr ? text : "no reason given";
}

/// Checks the table's head: sizes and versions, before anything behind it is believed.
bool table_is_sound(const hilda_plugin* table, Location at, Diagnostics& diagnostics) {
  if (table == nullptr) {
    diagnostics.error("plugin-no-table", at, "the entry point returned no table",
                      "return a hilda_plugin whose lifetime is that of the library");
    return false;
  }
  if (table->abi_major != HILDA_ABI_MAJOR || table->abi_minor > HILDA_ABI_MINOR) {
    diagnostics.error("plugin-abi", at,
                      fmt::format("the plugin is built for ABI {}.{}, this program has {}.{}", table->abi_major,
                                  table->abi_minor, HILDA_ABI_MAJOR, HILDA_ABI_MINOR),
                      "build the plugin against the headers of this program");
    return false;
  }
  const bool sized = table->size >= sizeof(hilda_plugin) && table->type_stride >= offsetof(hilda_block_type, extension) &&
                     table->name != nullptr && *table->name != '\0' && (table->types != nullptr || table->type_count == 0) &&
                     table->type_count <= 100000;
  if (!sized) {
    diagnostics.error("plugin-table", at, "the plugin's table is malformed: a size, name or count is missing or absurd",
                      "fill every member of hilda_plugin; in C++, let hilda_add_plugin do it");
    return false;
  }
  return true;
}

} // namespace

void Host::load_folder(const std::string& folder, Diagnostics& diagnostics) {
  std::error_code failed;
  std::vector<std::string> files;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, failed))
    if (entry.path().extension() == ".so") files.push_back(entry.path().string());
  if (failed) {
    const auto& source = sources_.add(folder, folder, "");
    diagnostics.error("plugin-folder", {&source.name, 0}, fmt::format("the plugin folder cannot be read: {}", failed.message()),
                      "build the plugins, or name their folder with --plugins or HILDA_PLUGIN_PATH");
    return;
  }
  std::sort(files.begin(), files.end());
  for (const std::string& file : files) load(file, diagnostics);
}

void Host::load(const std::string& file, Diagnostics& diagnostics) {
  const Location at{&sources_.add(file, file, "").name, 0};
  const FloatingPointMode before = FloatingPointMode::current();
  dlerror();
  // RTLD_NOW: an unresolved symbol is found here and not in the loop
  std::unique_ptr<void, Library::Close> handle(dlopen(fs::absolute(file).c_str(), RTLD_NOW | RTLD_LOCAL));
  const std::string reason = handle ? "" : last_dl_error();
  const FloatingPointMode after = FloatingPointMode::current();
  before.restore();
  if (!handle) {
    const bool unresolved = reason.find("undefined symbol") != std::string::npos;
    if (unresolved)
      diagnostics.error("plugin-unresolved", at, fmt::format("the plugin needs a symbol that nothing provides: {}", reason),
                        "link the library that has it into the plugin (hilda_add_plugin links with --no-undefined)");
    else
      diagnostics.error("plugin-load", at, fmt::format("the plugin cannot be loaded: {}", reason),
                        "check the path, and that the file is a shared library for this machine");
    return;
  }
  if (!(before == after)) {
    diagnostics.error("plugin-floating-point", at,
                      "loading the plugin changes the processor's floating-point mode (flush-to-zero): it is refused, and "
                      "the mode is as before",
                      "build it without -ffast-math or -Ofast; these change the results of every other block");
    return;
  }
  const auto entry = reinterpret_cast<hilda_plugin_entry_function>(dlsym(handle.get(), HILDA_PLUGIN_ENTRY));
  if (entry == nullptr) {
    diagnostics.error("plugin-no-entry", at, "the library has no function hilda_plugin_entry: it is no plugin",
                      "build it with hilda_add_plugin, or export the function (see docs/abi.md)");
    return;
  }
  const hilda_plugin* table = entry();
  before.restore();
  if (!table_is_sound(table, at, diagnostics)) return;

  std::vector<std::unique_ptr<BlockType>> types;
  std::vector<std::string> problems;
  for (std::uint64_t i = 0; i < table->type_count; ++i) {
    const auto* raw = reinterpret_cast<const char*>(table->types) + i * table->type_stride;
    const auto* abi = reinterpret_cast<const hilda_block_type*>(raw);
    std::unique_ptr<BlockType> type = describe(*abi, table->name, file, problems);
    if (!type) continue;
    if (type->abi->flags & HILDA_VARIANT) {
      if (!types.empty() && types.back()->name == type->name) types.back()->variants.push_back(std::move(type));
      else problems.push_back(fmt::format("variant of {} without a general type before it", type->name));
      continue;
    }
    types.push_back(std::move(type));
  }
  for (const std::string& problem : problems)
    diagnostics.error("plugin-descriptor", at, problem, "mend the block type's table; hilda test-plugin checks it");
  if (!problems.empty()) return;
  for (const auto& type : types) {
    const BlockType* taken = catalogue_.find(type->name);
    if (taken == nullptr) continue;
    diagnostics.error("plugin-name-taken", at,
                      fmt::format("block {} is already there, from {}", type->name, taken->plugin),
                      "rename the block or its plugin, or take one of the two files off the plugin path");
    return;
  }
  for (auto& type : types) catalogue_.add(std::move(type));
  libraries_.push_back(std::make_unique<Library>(
      Library{file, table->name, table->version ? table->version : "", table->built ? table->built : "", hash_of(file), std::move(handle)}));
}

} // namespace hilda
