// SPDX-License-Identifier: BSD-3-Clause
#include "engine/plugin/detail/library/scripts.h"

#include "engine/base/error.h"
#include "engine/base/fnv.h"
#include "engine/plugin/detail/library/loading_guard.h"
#include "engine/plugin/detail/library/trusted_path.h"
#include "engine/plugin/detail/scripts/script_file.h"
#include "engine/plugin/running_code.h"

#include <algorithm>
#include <dlfcn.h>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <hilda/ports.h>
#include <set>
#include <utility>

namespace hilda::plugin {

namespace fs = std::filesystem;

/// What a language library says during one call.
class Scripts::Hearing {
public:
  Hearing(Scripts& scripts, Diagnostics& diagnostics) : scripts_(scripts), diagnostics_(diagnostics) {}
  hilda_language_sink sink() { return {this, &Hearing::type, &Hearing::error}; }
  std::vector<const BlockType*> types;

private:
  static Hearing& self(void* context) { return *static_cast<Hearing*>(context); }
  static void type(void* context, const hilda_block_type* type, const char* file, std::int32_t line) {
    if (const BlockType* added = self(context).scripts_.add(*type, file, line, self(context).diagnostics_))
      self(context).types.push_back(added);
  }
  static void error(void* context, const char* file, std::int32_t line, const char* what, const char* help) {
    const std::string place = file;
    self(context).diagnostics_.error("python-block", {&place, line}, what, help);
  }

  Scripts& scripts_;
  Diagnostics& diagnostics_;
};

namespace {

/// Holds the lock. A thread that holds Python's own lock lets go of it while it waits: who has this one may need that.
class Turn {
public:
  explicit Turn(std::recursive_mutex& mutex) : mutex_(mutex) {
    if (!mutex_.try_lock()) wait();
  }
  ~Turn() { mutex_.unlock(); }
  Turn(const Turn&) = delete;
  Turn& operator=(const Turn&) = delete;

private:
  template <typename Function> static Function* function(const char* name) {
    return reinterpret_cast<Function*>(dlsym(RTLD_DEFAULT, name));
  }
  void wait() {
    auto* const holds = function<int()>("PyGILState_Check");
    auto* const running = function<int()>("Py_IsInitialized");
    if (holds == nullptr || running == nullptr || running() == 0 || holds() == 0) return mutex_.lock();
    void* const state = function<void*()>("PyEval_SaveThread")();
    mutex_.lock();
    function<void(void*)>("PyEval_RestoreThread")(state);
  }
  std::recursive_mutex& mutex_;
};

/// Types in files come after those of plugins, in an order that does not depend on which was read first. Small, for
/// the plan counts nodes by it; two types with the same one are ordered as two blocks of one type are.
std::size_t order_of(const std::string& name) { return 2048 + Fnv().text(name).value() % 2048; }

bool has(const ScriptFile& script, const std::string& name) {
  return std::find(script.classes.begin(), script.classes.end(), name) != script.classes.end();
}

const std::string& file_with(const std::vector<const BlockType*>& types, const std::string& name) {
  return (*std::find_if(types.begin(), types.end(), [&name](const BlockType* each) { return each->name == name; }))
      ->plugin;
}

bool among(const std::vector<std::string>& files, const std::string& file) {
  return std::any_of(files.begin(), files.end(), [&file](const std::string& each) {
    std::error_code failed;
    return fs::equivalent(each, file, failed);
  });
}

} // namespace

void Scripts::take_library(std::string file) {
  const Turn turn(mutex_);
  library_ = std::move(file);
}

void Scripts::add_folder(const std::string& folder) {
  const Turn turn(mutex_);
  std::erase(folders_, folder);
  folders_.insert(folders_.begin(), folder);
}

std::vector<std::string> Scripts::folders(const std::string& first) const {
  std::vector<std::string> all;
  if (!first.empty()) all.push_back(first);
  all.insert(all.end(), folders_.begin(), folders_.end());
  return all;
}

const BlockType* Scripts::find(const std::string& name, const std::string& folder, Diagnostics& diagnostics) {
  const Turn turn(mutex_);
  const std::string own_name = name.substr(name.find('/') + 1);
  const std::optional<std::string> file = file_of(own_name, folder, diagnostics);
  if (!file) return nullptr;
  const Run* done = run(*file, diagnostics);
  if (done == nullptr) return nullptr;
  for (const BlockType* type : done->types)
    if (type->name == name) return type;
  if (done->said.ok())
    diagnostics.error("python-block", {&*file, 0},
                      "the class " + in_quotes(own_name) + " is not there when the file has been run",
                      "declare it at the top of the file, outside of 'if' and of functions");
  return nullptr;
}

std::optional<std::string> Scripts::file_of(const std::string& class_name, const std::string& folder,
                                            Diagnostics& diagnostics) const {
  std::vector<std::string> beside, elsewhere;
  for (const std::string& each : folders(folder)) {
    std::vector<std::string>& files = each == folder ? beside : elsewhere;
    for (const ScriptFile& script : scripts_in(each))
      if (has(script, class_name) && !among(beside, script.path) && !among(elsewhere, script.path))
        files.push_back(script.path);
  }
  const std::vector<std::string>& files = beside.empty() ? elsewhere : beside;
  if (files.empty()) return std::nullopt;
  if (files.size() > 1) {
    diagnostics.error("python-block", {&files[1], 0},
                      "the class " + in_quotes(class_name) + " is in " + in_quotes(files[0]) + " already",
                      beside.empty()
                          ? "rename one of them, or name only one of the folders (--plugins, HILDA_PLUGIN_PATH)"
                          : "rename one of them, or put the files into two folders");
    return std::nullopt;
  }
  if (!beside.empty() && !elsewhere.empty())
    diagnostics.warning("python-twice", {&elsewhere[0], 0},
                        "the class " + in_quotes(class_name) + " is also in " + in_quotes(files[0]) +
                            ", next to the diagram, and that one is used",
                        "rename one of them if both are needed");
  return files[0];
}

std::vector<std::string> Scripts::names(const std::string& folder) const {
  const Turn turn(mutex_);
  std::set<std::string> names;
  for (const std::string& each : folders(folder))
    for (const ScriptFile& script : scripts_in(each))
      for (const std::string& name : script.classes) names.insert("python/" + name);
  return {names.begin(), names.end()};
}

std::vector<const BlockType*> Scripts::all(const std::string& folder, Diagnostics& diagnostics) {
  const Turn turn(mutex_);
  std::vector<const BlockType*> found;
  std::set<std::string> names;
  for (const std::string& each : folders(folder))
    for (const ScriptFile& script : scripts_in(each)) {
      const Run* done = run(script.path, diagnostics);
      if (done == nullptr) continue;
      for (const BlockType* type : done->types)
        if (names.insert(type->name).second)
          found.push_back(type);
        else
          diagnostics.warning("python-twice", {&script.path, 0},
                              "the class " + in_quotes(type->name.substr(type->name.find('/') + 1)) + " is also in " +
                                  in_quotes(file_with(found, type->name)) + ", and that one is listed",
                              "rename one of them, or name only one of the folders");
    }
  return found;
}

std::vector<const BlockType*> Scripts::in_file(const std::string& file, Diagnostics& diagnostics) {
  const Turn turn(mutex_);
  std::error_code failed;
  if (!fs::is_regular_file(file, failed)) {
    diagnostics.error("python-block", {&file, 0}, "there is no such file", "name a Python file that declares blocks");
    return {};
  }
  if (classes_in(file).empty()) {
    diagnostics.error("python-block", {&file, 0}, "the file declares no block",
                      "put @hilda.block(doc=...) before a class at the top of the file");
    return {};
  }
  const Run* done = run(file, diagnostics);
  return done != nullptr && done->said.ok() ? done->types : std::vector<const BlockType*>{};
}

std::vector<const BlockType*> Scripts::take(void* classes, Diagnostics& diagnostics) {
  const Turn turn(mutex_);
  const hilda_language* served = language("blocks=", diagnostics);
  if (served == nullptr) return {};
  Hearing hearing(*this, diagnostics);
  const hilda_language_sink sink = hearing.sink();
  const bool whole = served->take(classes, &sink) == 0;
  return whole ? std::move(hearing.types) : std::vector<const BlockType*>{};
}

const Scripts::Run* Scripts::run(const std::string& file, Diagnostics& diagnostics) {
  const FileState now = FileState::of(file);
  const auto known = runs_.find(file);
  if (known == runs_.end() || known->second.as != now) {
    Run fresh{.as = now, .said = {}, .types = {}, .hash = nullptr};
    const std::string why_not = why_not_trusted(file);
    if (!why_not.empty())
      fresh.said.error("plugin-writable", {&file, 0},
                       why_not + ": anyone who does so runs code with your rights; it is not run",
                       "take the right away (chmod go-w, chown), or keep plugins where only you and root can write");
    if (running_.contains(file))
      fresh.said.error("python-block", {&file, 0}, "the file loads a diagram that needs its own blocks while it is run",
                       "put that under if __name__ == '__main__':");
    const hilda_language* served = fresh.said.ok() ? language(file, fresh.said) : nullptr;
    if (served != nullptr) {
      running_.insert(file);
      fresh.hash = std::make_unique<ContentHash>(file);
      const LoadingGuard guard(file);
      const RunningMark mark({.plugin = file.c_str(), .phase = "running the file"});
      Hearing hearing(*this, fresh.said);
      const hilda_language_sink sink = hearing.sink();
      served->load(file.c_str(), &sink);
      running_.erase(file);
      fresh.hash->confirm(file);
      fresh.types = std::move(hearing.types);
    }
    runs_.insert_or_assign(file, std::move(fresh));
  }
  const Run& done = runs_.at(file);
  diagnostics.take(done.said, false);
  return &done;
}

const BlockType* Scripts::add(const hilda_block_type& type, const std::string& file, int line,
                              Diagnostics& diagnostics) {
  std::unique_ptr<BlockType>& place = types_[&type];
  if (place == nullptr) {
    std::vector<std::string> problems;
    place = describe_of_script(type, language_->name, file, problems);
    for (const std::string& problem : problems)
      diagnostics.error("python-block", {&file, line}, problem, "mend this declaration (see docs/python.md)");
    if (place == nullptr) return nullptr;
    place->order = order_of(place->name);
    place->ports = ports_;
  }
  return place.get();
}

bool Scripts::open_library(const std::string& wanted_by, Diagnostics& diagnostics) {
  const auto refuse = [&](const std::string& what, const std::string& help) {
    diagnostics.error("python-missing", {&wanted_by, 0}, "blocks in Python cannot run: " + what, help);
    return false;
  };
  std::error_code failed;
  if (library_.empty() || !fs::is_regular_file(library_, failed))
    return refuse("this hilda was built without them, or " + in_quotes(library_) + " is not installed",
                  "install python3-dev and build hilda again (docs/dependencies.md)");
  const RunningMark mark({.plugin = library_.c_str(), .phase = "loading the interpreter"});
  const LoadingGuard guard(library_);
  if (dlsym(RTLD_DEFAULT, "Py_IsInitialized") == nullptr) {
    std::ifstream named(fs::path(library_).replace_extension(".txt"));
    std::string interpreter;
    std::getline(named, interpreter);
    // Global: extension modules, NumPy's too, take the interpreter's functions from the process.
    if (dlopen(interpreter.c_str(), RTLD_NOW | RTLD_GLOBAL) == nullptr)
      return refuse("the interpreter " + in_quotes(interpreter) + " is not there",
                    "install it (Debian: libpython3.11), or build hilda for another Python (-DHILDA_PYTHON=...)");
  }
  void* const handle = dlopen(library_.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (handle == nullptr) {
    const char* const reason = dlerror();
    return refuse(reason != nullptr ? reason : "no reason given", "build hilda for the Python of this process");
  }
  const auto entry = reinterpret_cast<hilda_language_entry_function>(dlsym(handle, HILDA_LANGUAGE_ENTRY));
  Hearing hearing(*this, diagnostics);
  const hilda_language_sink sink = hearing.sink();
  if (entry != nullptr) language_ = entry(&sink);
  return language_ != nullptr || refuse("its interpreter does not start", "try it alone: python3 -c 'import math'");
}

const hilda_language* Scripts::language(const std::string& wanted_by, Diagnostics& diagnostics) {
  if (language_ != nullptr) return language_;
  if (!open_library(wanted_by, diagnostics)) return nullptr;
  ports_ = new hilda_ports_1{};
  ports_->size = sizeof *ports_;
  ports_->bind = language_->bind;
  return language_;
}

std::string Scripts::translation(const BlockType& type, const std::string& request) const {
  const Turn turn(mutex_);
  return language_ != nullptr ? language_->translate(type.abi, request.c_str()) : std::string();
}

std::map<std::string, std::string> Scripts::hashes() const {
  const Turn turn(mutex_);
  std::map<std::string, std::string> found;
  for (const auto& [file, done] : runs_)
    if (done.hash != nullptr) found["python:" + fs::path(file).filename().string()] = done.hash->text();
  return found;
}

std::vector<std::string> Scripts::files() const {
  const Turn turn(mutex_);
  std::vector<std::string> files;
  for (const auto& [file, done] : runs_) files.push_back(file);
  return files;
}

} // namespace hilda::plugin
