// SPDX-License-Identifier: BSD-3-Clause
#include "engine/diagram/search_roots.h"

#include "engine/base/diagnostic.h"

#include <algorithm>
#include <filesystem>
#include <system_error>

namespace hilda::diagram {
namespace {

namespace fs = std::filesystem;

/// `path` with all links resolved, or empty where it does not exist.
fs::path resolved(const fs::path& path) {
  std::error_code error;
  fs::path result = fs::canonical(path, error);
  return error ? fs::path() : result;
}

bool inside(const fs::path& path, const fs::path& folder) {
  const auto [end, rest] = std::mismatch(folder.begin(), folder.end(), path.begin(), path.end());
  return end == folder.end();
}

bool is_library_root(const fs::path& folder) {
  std::error_code error;
  return fs::exists(folder / ".hilda-library", error) || fs::is_directory(folder / "diagrams", error);
}

/// Names in the folder where `path` should have been, sorted; at most a thousand.
std::vector<std::string> neighbours(const fs::path& path) {
  constexpr std::size_t most = 1000;
  std::vector<std::string> names;
  std::error_code error;
  for (fs::directory_iterator at(path.parent_path(), error), end; !error && at != end && names.size() < most;
       at.increment(error))
    names.push_back(at->path().filename().string());
  std::sort(names.begin(), names.end());
  return names;
}

} // namespace

SearchRoots::SearchRoots(const std::vector<std::string>& library_path) {
  for (const std::string& folder : library_path) {
    const fs::path found = resolved(folder);
    if (!found.empty()) library_path_.push_back(found.string());
  }
}

const std::string& SearchRoots::library_root(const std::string& file) {
  const fs::path own = fs::path(file).parent_path();
  const auto [entry, fresh] = roots_.try_emplace(own.string());
  if (!fresh) return entry->second;
  for (const std::string& folder : library_path_)
    if (inside(own, folder)) return entry->second = folder;
  for (fs::path folder = own;; folder = folder.parent_path()) {
    if (is_library_root(folder)) return entry->second = folder.string();
    if (folder == folder.root_path() || folder.empty()) break;
  }
  return entry->second = own.string();
}

Result<std::string> SearchRoots::find(const std::string& text, const std::string& from) {
  const fs::path wanted(text);
  if (wanted.is_absolute())
    return make_error("path-absolute", "the path " + hilda::base::in_quotes(text) + " is absolute",
                      "give it relative to this file, to a folder above it up to " +
                          hilda::base::in_quotes(shown_path(library_root(from))) +
                          ", or to a folder of the library path");
  bool outside = false, folder_there = false;
  std::string suggestion;
  const auto look = [&](const fs::path& folder, const fs::path& root) -> std::string {
    const fs::path found = resolved(folder / wanted);
    if (!found.empty() && !inside(found, root)) outside = true;
    std::error_code error;
    if (!found.empty() && inside(found, root) && fs::is_regular_file(found, error)) return found.string();
    if (!found.empty() && inside(found, root) && fs::is_directory(found, error)) folder_there = true;
    // Folders outside the root are not even listed.
    const fs::path beside = resolved((folder / wanted).parent_path());
    if (suggestion.empty() && !beside.empty() && inside(beside, root)) {
      const std::string near = nearest(wanted.filename().string(), neighbours(folder / wanted));
      if (!near.empty()) suggestion = (wanted.parent_path() / near).string();
    }
    return "";
  };
  const fs::path root = library_root(from);
  for (fs::path folder = fs::path(from).parent_path();; folder = folder.parent_path()) {
    if (std::string found = look(folder, root); !found.empty()) return found;
    if (folder == root || folder == folder.root_path() || folder.empty()) break;
  }
  for (const std::string& library : library_path_)
    if (std::string found = look(library, library); !found.empty()) return found;
  if (outside)
    return make_error("path-outside",
                      "the path " + hilda::base::in_quotes(text) + " leads out of " +
                          hilda::base::in_quotes(shown_path(root.string())),
                      "move the file in there, or add its folder to the library path");
  if (folder_there)
    return make_error("path-not-found", hilda::base::in_quotes(text) + " is a folder", "name a file in it");
  return make_error("path-not-found", "there is no file " + hilda::base::in_quotes(text),
                    suggestion.empty()
                        ? "looked in the folder of this file, in those above it up to " +
                              hilda::base::in_quotes(shown_path(root.string())) + ", and in the library path"
                        : "did you mean " + hilda::base::in_quotes(suggestion) + "?");
}

std::string shown_path(const std::string& absolute) {
  std::error_code error;
  const fs::path here = resolved(fs::current_path(error));
  if (error || here.empty()) return absolute;
  fs::path near = fs::path(absolute).lexically_relative(here);
  const auto up = std::count(near.begin(), near.end(), fs::path(".."));
  constexpr std::ptrdiff_t most = 2;
  return near.empty() || up > most ? absolute : near.string();
}

} // namespace hilda::diagram
