// SPDX-License-Identifier: BSD-3-Clause
#include "engine/plugin/library.h"

#include "engine/base/process_report.h"
#include "engine/plugin/detail/library/loading_guard.h"
#include "engine/plugin/detail/library/needed_libraries.h"
#include "engine/plugin/detail/library/shared_object.h"
#include "engine/plugin/detail/library/table.h"
#include "engine/plugin/detail/library/trusted_path.h"
#include "engine/plugin/exit_guard.h"
#include "engine/plugin/loaded_files.h"
#include "engine/plugin/running_code.h"

#include <algorithm>
#include <cstring>
#include <dlfcn.h>
#include <filesystem>
#include <fmt/format.h>
#include <set>
#include <span>

namespace hilda::plugin {

namespace fs = std::filesystem;

void Library::Close::operator()(void* library) const {
  const ProcessWatch watch; // no one is left to tell
  const RunningMark mark({.plugin = file.c_str(), .phase = "unloading (destructors of static objects)"});
  dlclose(library);
}

Host::Host(std::span<const Ability> abilities) : introduced_{abilities} {
  guard_exits();
  catalogue_.take_scripts(scripts_);
}
Host::~Host() = default;

namespace {

/// An exception that leaves a static constructor ends here, in the guard's words. dlopen is declared not to throw,
/// which clang believes: it is called by a pointer that nothing is known of. RTLD_NOW: an unresolved symbol is found
/// here and not in the loop.
void* opened(const fs::path& file) noexcept {
  void* (*const volatile open)(const char*, int) = &dlopen;
  return open(file.c_str(), RTLD_NOW | RTLD_LOCAL);
}

void report_mode(const LoadingGuard& guard, Location at, Diagnostics& diagnostics) {
  const bool rounding = guard.rounding_changed();
  diagnostics.error("plugin-floating-point", at,
                    fmt::format("loading the plugin changes the processor's floating-point mode ({}): it is refused, "
                                "and the mode is as before",
                                rounding ? "rounding" : "flush-to-zero"),
                    rounding ? "let the constructors of its blocks and of static objects put the mode back "
                               "(fegetround, fesetround); it changes the results of every other block"
                             : "build it without -ffast-math or -Ofast; these change the results of every other "
                               "block");
}

void report_writable(const std::string& what, Location at, Diagnostics& diagnostics) {
  diagnostics.error("plugin-writable", at,
                    what + ": anyone who does so runs code with your rights, on your robot; it is not loaded",
                    "take the right away (chmod go-w, chown), or keep plugins where only you and root can write");
}

std::string last_dl_error() {
  const char* text = dlerror();
  return text != nullptr ? text : "no reason given";
}

/// Would the linker give the plugin another file than the one that it was built for? (reported)
bool needs_other_libraries(const std::string& file, Location at, Diagnostics& diagnostics) {
  const std::vector<LibraryConflict> conflicts = library_conflicts(file);
  for (const LibraryConflict& each : conflicts)
    diagnostics.error("plugin-library", at,
                      fmt::format("the plugin needs {} from {}, but this process has {} under that name: a process "
                                  "has one file for each name, so the plugin would run with the other one",
                                  each.soname, each.wanted, each.loaded),
                      "build both plugins with one version of the library, or link it into one of them statically; "
                      "plugins that no diagram needs together can be kept in two folders");
  return !conflicts.empty();
}

/// The library, opened and with its floating-point manners checked; null after an error.
std::unique_ptr<void, Library::Close> open_library(const std::string& file, Location at, Diagnostics& diagnostics) {
  const std::string why_not_trust = why_not_trusted(file);
  if (!why_not_trust.empty()) {
    report_writable(why_not_trust, at, diagnostics);
    return nullptr;
  }
  const std::string why_not = why_not_openable(file);
  if (!why_not.empty()) {
    diagnostics.error("plugin-load", at, "the plugin cannot be loaded: " + why_not,
                      "check the path, and that the file is a shared library for this machine");
    return nullptr;
  }
  if (needs_other_libraries(file, at, diagnostics)) return nullptr;
  const LoadingGuard guard(file);
  dlerror();
  std::unique_ptr<void, Library::Close> handle(nullptr, Library::Close{file});
  {
    const RunningMark mark({.plugin = file.c_str(), .phase = "loading (constructors of static objects)"});
    handle.reset(opened(fs::absolute(file)));
  }
  if (!handle) {
    const std::string reason = last_dl_error();
    if (reason.find("undefined symbol") != std::string::npos)
      diagnostics.error("plugin-unresolved", at, "the plugin needs a symbol that nothing provides: " + reason,
                        "link the library that has it into the plugin (hilda_add_plugin links with --no-undefined)");
    else
      diagnostics.error("plugin-load", at, "the plugin cannot be loaded: " + reason,
                        "check the libraries that it needs (ldd lists them)");
  } else if (guard.mode_changed()) {
    report_mode(guard, at, diagnostics);
    handle.reset();
  }
  if (handle) note_loaded_file(fs::absolute(file).string());
  return handle;
}

/// Calls the entry point and reads what it returns.
std::optional<std::vector<std::unique_ptr<BlockType>>>
ask(void* handle, const hilda_plugin*& table, const std::string& file, Location at, Diagnostics& diagnostics) {
  const auto entry = reinterpret_cast<hilda_plugin_entry_function>(dlsym(handle, HILDA_PLUGIN_ENTRY));
  if (entry == nullptr) {
    diagnostics.error("plugin-no-entry", at, "the library has no function hilda_plugin_entry: it is not a plugin",
                      "build it with hilda_add_plugin, or export the function (see docs/abi.md)");
    return std::nullopt;
  }
  const LoadingGuard guard(file);
  try {
    const RunningMark mark({.plugin = file.c_str(), .phase = HILDA_PLUGIN_ENTRY});
    table = entry();
  } catch (...) {
    diagnostics.error("plugin-throws", at, "an exception leaves the entry point of the plugin",
                      "no exception may cross the boundary: catch it in the plugin");
    return std::nullopt;
  }
  if (guard.mode_changed()) {
    report_mode(guard, at, diagnostics);
    return std::nullopt;
  }
  const RunningMark mark({.plugin = file.c_str(), .phase = "the table that hilda_plugin_entry returns"});
  return read_table(table, file, at, diagnostics);
}

/// What attach says while it runs.
struct Attaching : Host::Introduced {
  Location at;
  Diagnostics& diagnostics;
  bool reported = false;
};

Attaching& attaching(void* engine) { return static_cast<Attaching&>(*static_cast<Host::Introduced*>(engine)); }

void take_report(void* engine, const char* text) {
  Attaching& to = attaching(engine);
  to.reported = true;
  to.diagnostics.error("plugin-refuses", to.at, fmt::format("the plugin does not go with this program: {}", text),
                       "take a build of the plugin that does, or another version of hilda");
}

void take_warning(void* engine, const char* text) {
  Attaching& to = attaching(engine);
  to.diagnostics.warning("plugin-warning", to.at, text, "the plugin's documentation says more");
}

void ignore(void*, const char*) {}
const void* ability(void* engine, const char* name) {
  if (engine == nullptr) return nullptr;
  for (const Ability& each : static_cast<const Host::Introduced*>(engine)->abilities)
    if (each.name == name) return each.table;
  return nullptr;
}

/// Introduces the program to the plugin; false where one of them does not go with the other.
bool attach(const hilda_plugin& table, Host::Introduced& introduced, hilda_host& host, const std::string& file,
            Location at, Diagnostics& diagnostics) {
  constexpr std::size_t needed = offsetof(hilda_plugin, attach) + sizeof table.attach;
  Attaching said{introduced, at, diagnostics};
  Host::Introduced* const engine = &said;
  host = {sizeof host, HILDA_ABI_MAJOR, HILDA_ABI_MINOR, 0,       "hilda", HILDA_VERSION,
          engine,      &take_warning,   &take_report,    &ability};
  bool taken = true;
  if (table.size >= needed && table.attach != nullptr) {
    const LoadingGuard guard(file);
    const RunningMark mark({.plugin = file.c_str(), .phase = "attach"});
    try {
      taken = table.attach(&host) == 0;
    } catch (...) {
      taken = false;
      take_report(engine, "an exception leaves attach");
    }
    if (guard.mode_changed()) report_mode(guard, at, diagnostics), taken = false;
  }
  if (!taken && !said.reported && diagnostics.ok()) take_report(engine, "attach does not say why");
  host.engine = &introduced;
  host.warn = host.report = &ignore; // these were for the time of attach
  return taken;
}

/// Is one of the names in the catalogue already? (reported)
bool taken(const std::vector<std::unique_ptr<BlockType>>& types, const Catalogue& catalogue, Location at,
           Diagnostics& diagnostics) {
  bool any = false;
  for (const auto& type : types) {
    const BlockType* other = catalogue.find(type->name);
    if (other == nullptr) continue;
    any = true;
    diagnostics.error("plugin-name-taken", at,
                      fmt::format("block {} is already there, from {}", type->name, other->plugin),
                      "rename the block or its plugin, or take one of the two files off the plugin path");
  }
  return any;
}

} // namespace

void Host::load_folder(const std::string& folder, Diagnostics& diagnostics) {
  std::error_code failed;
  std::set<std::string> names;
  if (const std::string why_not = why_not_trusted(folder); !why_not.empty()) {
    report_writable(why_not, {&sources_.add(folder, folder, "").name, 0}, diagnostics);
    return;
  }
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, failed))
    if (entry.path().extension() == ".so") names.insert(entry.path().filename().string());
  if (failed) {
    const auto& source = sources_.add(folder, folder, "");
    diagnostics.error("plugin-folder", {&source.name, 0},
                      fmt::format("the plugin folder cannot be read: {}", failed.message()),
                      "build the plugins, or name their folder with --plugins or HILDA_PLUGIN_PATH");
    return;
  }
  scripts_.add_folder(folder);
  const ProcessWatch watch; // for all of them: to begin one takes longer than to look
  const fs::path real = fs::weakly_canonical(folder, failed);
  std::map<std::string, Seen>& seen = seen_[failed ? folder : real.string()];
  for (const auto& [name, file] : seen)
    if (file.library != nullptr) names.insert(name); // also where it is gone
  for (const std::string& name : names) look((fs::path(folder) / name).string(), seen[name], diagnostics);
}

void Host::look(const std::string& file, Seen& seen, Diagnostics& diagnostics) {
  const FileState now = FileState::of(file);
  const bool same = now == seen.as && now != FileState{};
  if (seen.library == nullptr && !same) {
    const std::size_t before = libraries_.size();
    seen.as = now;
    seen.said = {};
    load(file, seen.said);
    if (libraries_.size() > before) seen.library = libraries_.back().get();
  } else if (!same && ContentHash(file).text() == seen.library->hash.text()) {
    seen.as = now;
  } else if (!same) {
    diagnostics.warning("plugin-changed", {&sources_.add(file, file, "").name, 0},
                        "the file is no longer the one that this process has loaded, and its blocks are those of then",
                        "begin a new process; in Python, isolate=True gives a simulation its own");
  }
  diagnostics.take(seen.said, false);
}

namespace {

/// Of a plugin that did not say it: the file's, without "lib".
std::string name_by_file(const std::string& file) {
  const std::string stem = fs::path(file).stem().string();
  return stem.starts_with("lib") ? stem.substr(3) : stem;
}

} // namespace

void Host::load(const std::string& file, Diagnostics& diagnostics) {
  const ProcessWatch watch;
  const std::size_t said_before = diagnostics.all().size(), loaded_before = libraries_.size();
  const Location at{&sources_.add(file, file, "").name, 0};
  const auto take = [&] {
    ContentHash hash(file); // opened before the linker does, or another file could come in between
    std::unique_ptr<void, Library::Close> handle = open_library(file, at, diagnostics);
    if (!handle) return;
    hash.confirm(file);
    const hilda_plugin* table = nullptr;
    auto types = ask(handle.get(), table, file, at, diagnostics);
    if (!types || taken(*types, catalogue_, at, diagnostics)) return;
    auto host = std::make_unique<hilda_host>();
    if (!attach(*table, introduced_, *host, file, at, diagnostics)) return;
    for (auto& type : *types) catalogue_.add(std::move(type));
    const auto text = [](const char* t) { return std::string(t != nullptr ? t : ""); };
    libraries_.push_back(std::make_unique<Library>(Library{file, table->name, text(table->version), text(table->built),
                                                           std::move(hash), std::move(host), std::move(handle)}));
  };
  take();
  report_process(
      ProcessWatch::changes(file), [at](const std::string&) { return at; }, false, diagnostics);
  if (libraries_.size() > loaded_before) return;
  const auto said = std::span(diagnostics.all()).subspan(said_before);
  const auto cause = std::find_if(said.begin(), said.end(),
                                  [](const Diagnostic& d) { return d.severity == Diagnostic::Severity::error; });
  if (cause != said.end()) catalogue_.refuse(name_by_file(file), {cause->file, cause->code, cause->what, cause->help});
}

void Host::list_scripts(const std::string& folder, Diagnostics& diagnostics) {
  for (const BlockType* type : scripts_.all(folder, diagnostics)) catalogue_.show(*type);
}

std::map<std::string, std::string> Host::hashes() const {
  std::map<std::string, std::string> found = scripts_.hashes();
  for (const auto& library : libraries_) found[library->name] = library->hash.text();
  return found;
}

} // namespace hilda::plugin
