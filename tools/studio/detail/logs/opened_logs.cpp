// SPDX-License-Identifier: BSD-3-Clause
#include "tools/studio/detail/logs/opened_logs.h"

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fmt/format.h>

namespace hilda::studio {

OpenedLogs::~OpenedLogs() {
  std::error_code ignored;
  if (!folder_.empty()) std::filesystem::remove_all(folder_, ignored);
}

bool OpenedLogs::make_folder(std::string& error) {
  if (!folder_.empty()) return true;
  std::error_code failed;
  std::string name = (std::filesystem::temp_directory_path(failed) / "hilda-studio-XXXXXX").string();
  if (!failed && ::mkdtemp(name.data()) != nullptr) { // which no one else may enter
    folder_ = name;
    return true;
  }
  error = fmt::format("no folder can be made for opened logs: {}\nhelp: TMPDIR names a folder that may be written",
                      failed ? failed.message() : std::strerror(errno));
  return false;
}

std::optional<OpenedLogs::Place> OpenedLogs::add(std::string& error) {
  std::uint64_t bytes = 0;
  for (const Opened& each : all_) {
    std::error_code ignored;
    const std::uint64_t size = each.description.empty() ? most_bytes : std::filesystem::file_size(each.path, ignored);
    if (!ignored) bytes += size; // one that is on its way may be as large as any
  }
  if (all_.size() >= most || bytes > all_bytes - most_bytes) {
    error = fmt::format("{} logs with {} MB are open: at most {} with {} MB can be\nhelp: remove one in the tab Runs",
                        all_.size(), bytes >> 20, most, all_bytes >> 20);
    return std::nullopt;
  }
  if (!make_folder(error)) return std::nullopt;
  const int number = next_++;
  all_.push_back({number, fmt::format("{}/{}.mcap", folder_, number), {}});
  return Place{number, all_.back().path};
}

std::string OpenedLogs::passing_file(std::string& error) {
  return make_folder(error) ? fmt::format("{}/made_{}.mcap", folder_, next_++) : std::string();
}

void OpenedLogs::keep(int number, std::string description) {
  for (Opened& each : all_)
    if (each.number == number) each.description = std::move(description);
}

void OpenedLogs::remove(int number) {
  std::error_code ignored;
  if (const std::string* const file = path(number)) std::filesystem::remove(*file, ignored);
  std::erase_if(all_, [number](const Opened& each) { return each.number == number; });
}

const std::string* OpenedLogs::path(int number) const {
  const auto found =
      std::find_if(all_.begin(), all_.end(), [number](const Opened& each) { return each.number == number; });
  return found != all_.end() ? &found->path : nullptr;
}

std::string OpenedLogs::text_of(int number) const {
  for (const Opened& each : all_)
    if (each.number == number && each.description.size() > 1)
      return fmt::format("{{\"log\":{},{}", number, each.description.substr(1));
  return {};
}

std::string OpenedLogs::list() const {
  std::string logs;
  for (const Opened& each : all_) {
    const std::string text = text_of(each.number); // none: it is being read
    if (!text.empty()) logs += (logs.empty() ? "" : ",") + text;
  }
  return fmt::format("{{\"ok\":true,\"most_bytes\":{},\"most\":{},\"logs\":[{}]}}", most_bytes, most, logs);
}

} // namespace hilda::studio
