// SPDX-License-Identifier: BSD-3-Clause
#include "engine/plugin/detail/scripts/script_file.h"

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <fstream>
#include <string_view>

namespace hilda::plugin {
namespace {

namespace fs = std::filesystem;

constexpr std::uintmax_t most_bytes = 4u << 20;

/// "class Filter(hilda.Block):" -> "Filter"
std::string class_name(std::string_view line) {
  constexpr std::string_view word = "class ";
  if (!line.starts_with(word)) return {};
  line.remove_prefix(std::min(line.find_first_not_of(' ', word.size()), line.size()));
  const auto part = [](unsigned char c) { return std::isalnum(c) != 0 || c == '_'; };
  const auto end = std::find_if_not(line.begin(), line.end(), part);
  return {line.begin(), end};
}

/// "@hilda.block(doc=...)", "@block"
bool is_decorator(std::string_view line) {
  if (!line.starts_with('@')) return false;
  const std::string_view called = line.substr(1, line.find_first_of("( #\r", 1) - 1);
  return called == "block" || called.ends_with(".block");
}

} // namespace

std::vector<std::string> classes_in(const std::string& file) {
  std::error_code failed;
  if (!fs::is_regular_file(file, failed) || fs::file_size(file, failed) > most_bytes || failed) return {};
  std::ifstream in(file);
  std::vector<std::string> classes;
  bool decorated = false;
  for (std::string line; std::getline(in, line);) {
    decorated = decorated || is_decorator(line);
    std::string name = class_name(line);
    if (name.empty()) continue;
    if (decorated) classes.push_back(std::move(name));
    decorated = false;
  }
  return classes;
}

std::vector<ScriptFile> scripts_in(const std::string& folder) {
  std::vector<ScriptFile> scripts;
  std::error_code failed;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, failed)) {
    if (entry.path().extension() != ".py") continue;
    const std::string path = (folder == "." ? entry.path().filename() : entry.path()).string();
    std::vector<std::string> classes = classes_in(path);
    if (!classes.empty()) scripts.push_back({path, std::move(classes)});
  }
  std::sort(scripts.begin(), scripts.end(), [](const auto& a, const auto& b) { return a.path < b.path; });
  return scripts;
}

} // namespace hilda::plugin
