// SPDX-License-Identifier: BSD-3-Clause
#include "tools/cli/detail/loading/watch_files.h"

#include "engine/diagram/reader.h"
#include "tools/cli/detail/loading/plugins.h"

#include <array>
#include <cstdint>
#include <filesystem>
#include <poll.h>
#include <sys/inotify.h>
#include <unistd.h>

namespace hilda::cli {
namespace {

namespace fs = std::filesystem;

std::string real_path(const fs::path& path) {
  std::error_code failed;
  const fs::path real = fs::weakly_canonical(path, failed);
  return failed ? path.string() : real.string();
}

/// Calls `visit(declaration, file)` for each diagram that is read.
template <typename Visit>
void each_diagram(const DiagramDecl& diagram, std::set<const void*>& seen, const Visit& visit) {
  if (!seen.insert(&diagram).second) return;
  visit(diagram);
  for (const SubsystemDecl& subsystem : diagram.subsystems)
    if (subsystem.body != nullptr) each_diagram(*subsystem.body, seen, visit);
}

} // namespace

WatchedFiles::WatchedFiles(DiagramArguments arguments)
    : arguments_(std::move(arguments)), descriptor_(inotify_init1(IN_NONBLOCK | IN_CLOEXEC)),
      own_(descriptor_, "which watches the files") {
  for (const std::string& folder : installation().plugin_folders(arguments_.plugins)) {
    plugin_folders_.insert(real_path(folder));
    watch_folder(real_path(folder));
  }
}

WatchedFiles::~WatchedFiles() {
  own_.forget();
  if (descriptor_ >= 0) close(descriptor_);
}

void WatchedFiles::watch_folder(const std::string& folder) {
  const int watch = inotify_add_watch(descriptor_, folder.empty() ? "." : folder.c_str(),
                                      IN_CLOSE_WRITE | IN_MOVED_TO | IN_MOVED_FROM | IN_DELETE | IN_ONLYDIR);
  if (watch >= 0) folders_[watch] = folder; // the same watch for the same folder
}

void WatchedFiles::add(const std::string& file) {
  // Where a link leads, and the link itself.
  const fs::path as_named = fs::absolute(file).lexically_normal();
  for (const std::string& each :
       {real_path(file), real_path(as_named.parent_path()) + "/" + as_named.filename().string()})
    if (files_.insert(each).second) watch_folder(fs::path(each).parent_path().string());
}

void WatchedFiles::add_named(const std::string& text, const std::string& from) {
  if (text.find_first_of("./") == std::string::npos || text.find('$') != std::string::npos) return;
  SearchRoots roots(installation().library_path());
  if (const Result<std::string> found = roots.find(text, from)) add(*found);
}

void WatchedFiles::look_up() {
  std::vector<std::string> files = arguments_.overlays;
  files.push_back(arguments_.file);
  if (!arguments_.rig.empty()) files.push_back(arguments_.rig);
  for (const std::string& file : files) add(file);
  SearchRoots roots(installation().library_path());
  Sources sources;
  Diagnostics unheard; // the run itself says what is wrong
  DiagramReader reader(roots, sources, unheard);
  std::set<const void*> seen;
  for (const std::string& file : {arguments_.file, arguments_.rig}) {
    const auto diagram = file.empty() ? nullptr : reader.file(file);
    if (diagram == nullptr) continue;
    each_diagram(*diagram, seen, [&](const DiagramDecl& each) {
      std::string from;
      for (const auto& source : sources.files())
        if (&source->name == each.where.file) from = source->absolute;
      for (const ParameterDecl& parameter : each.parameters) add_named(parameter.text, from);
      for (const BlockDecl& block : each.blocks)
        for (const Attribute& attribute : block.parameters) add_named(attribute.text, from);
      for (const SubsystemDecl& subsystem : each.subsystems) {
        for (const Attribute& attribute : subsystem.parameters) add_named(attribute.text, from);
        // A file that does not exist yet may be created.
        if (subsystem.body == nullptr && !subsystem.src.empty())
          add((fs::path(from).parent_path() / subsystem.src).string());
      }
    });
  }
  for (const auto& source : sources.files())
    if (!source->absolute.empty()) add(source->absolute);
}

std::string WatchedFiles::changed() {
  std::string found;
  alignas(inotify_event) std::array<char, 1 << 14> buffer;
  while (true) {
    const ssize_t bytes = read(descriptor_, buffer.data(), buffer.size());
    if (bytes <= 0) return found;
    for (std::size_t at = 0; at < static_cast<std::size_t>(bytes);) {
      const auto* event = reinterpret_cast<const inotify_event*>(buffer.data() + at);
      at += sizeof(inotify_event) + event->len;
      if ((event->mask & IN_Q_OVERFLOW) != 0) found = arguments_.file; // something was missed
      const auto folder = folders_.find(event->wd);
      if (event->len == 0 || folder == folders_.end()) continue;
      const fs::path file = fs::path(folder->second) / event->name;
      const bool plugin = plugin_folders_.count(folder->second) != 0 && file.extension() == ".so";
      if (plugin || files_.count(file.string()) != 0) found = shown_path(file.string());
    }
  }
}

std::string WatchedFiles::settled() {
  constexpr int moment = 100; // ms
  std::string file = changed();
  pollfd more{descriptor_, POLLIN, 0};
  while (!file.empty() && poll(&more, 1, moment) > 0)
    if (const std::string next = changed(); !next.empty()) file = next;
  return file;
}

} // namespace hilda::cli
