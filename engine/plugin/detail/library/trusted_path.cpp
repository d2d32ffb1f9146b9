// SPDX-License-Identifier: BSD-3-Clause
#include "engine/plugin/detail/library/trusted_path.h"

#include <deque>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <grp.h>
#include <mutex>
#include <pwd.h>
#include <sys/stat.h>
#include <unistd.h>

namespace hilda::plugin {
namespace {

namespace fs = std::filesystem;

constexpr int most_links = 40; // as the system's own walk

/// In a name space that does not know all users those that it does not know have one number: no one in it has it.
bool unknown_here(uid_t user) {
  uid_t unknown = 65534;
  std::ifstream("/proc/sys/kernel/overflowuid") >> unknown;
  std::uint64_t first = 0, outside = 0, count = 0;
  std::ifstream("/proc/self/uid_map") >> first >> outside >> count;
  return user == unknown && count != 0 && count < 0xffffffffU;
}

std::string user_name(uid_t user) {
  const passwd* entry = getpwuid(user);
  return entry != nullptr ? fmt::format("{} (user {})", entry->pw_name, user) : fmt::format("user {}", user);
}

/// Has this group no member but its owner? The data base of users is not a thread's own.
bool has_group_alone(uid_t owner, gid_t group) {
  static std::mutex data_base;
  const std::lock_guard guard(data_base);
  const passwd* entry = getpwuid(owner);
  if (entry == nullptr) return false;
  const std::string name = entry->pw_name;
  const struct group* members = getgrgid(group);
  if (members == nullptr) return false; // who is in it is not known
  for (char** member = members->gr_mem; *member != nullptr; ++member)
    if (*member != name) return false;
  bool alone = true;
  setpwent();
  for (const passwd* each = getpwent(); alone && each != nullptr; each = getpwent())
    alone = each->pw_gid != group || each->pw_uid == owner || each->pw_uid == 0;
  endpwent();
  return alone;
}

/// As a person has named it, where it lies below the folder in which the program runs.
std::string shown(const fs::path& path) {
  std::error_code failed;
  const std::string here = fs::current_path(failed).string() + "/";
  const std::string text = path.string();
  return !failed && text.starts_with(here) ? text.substr(here.size()) : text;
}

/// What speaks against one part of a path. `within`: a folder in which the next part is looked up.
std::string why_not(const fs::path& part, const struct stat& status, bool within) {
  const unsigned mode = status.st_mode & 07777U;
  const std::string named = fmt::format("{} (mode {:04o})", shown(part), mode);
  if (status.st_uid != 0 && status.st_uid != geteuid() && !unknown_here(status.st_uid))
    return fmt::format("{} may write to {}", user_name(status.st_uid), named);
  if (within && (mode & S_ISVTX) != 0) return ""; // no one replaces another one's file there
  const std::string verb = within ? "may replace it: the folder " : "may write to ";
  const std::string end = within ? " is open to them" : "";
  if ((mode & S_IWOTH) != 0) return "anyone " + verb + named + (within ? " is open to all" : "");
  if ((mode & S_IWGRP) != 0 && !has_group_alone(status.st_uid, status.st_gid)) {
    const struct group* entry = getgrgid(status.st_gid);
    return fmt::format("the group {} {}{}{}", entry != nullptr ? entry->gr_name : std::to_string(status.st_gid), verb,
                       named, end);
  }
  return "";
}

} // namespace

std::string why_not_trusted(const std::string& path) {
  std::error_code failed;
  const fs::path whole = fs::absolute(path, failed);
  if (failed) return "";
  std::deque<fs::path> left;
  for (const fs::path& part : whole.relative_path())
    if (!part.empty() && part != ".") left.push_back(part);
  fs::path at = "/";
  for (int links = 0;;) {
    struct stat status = {};
    if (lstat(at.c_str(), &status) != 0) return "";
    if (S_ISLNK(status.st_mode)) {
      if (++links > most_links) return "";
      const fs::path to = fs::read_symlink(at, failed);
      if (failed) return "";
      at = to.is_absolute() ? fs::path("/") : at.parent_path();
      const fs::path parts = to.relative_path();
      std::deque<fs::path> before;
      for (const fs::path& part : parts)
        if (!part.empty() && part != ".") before.push_back(part);
      left.insert(left.begin(), before.begin(), before.end());
      continue;
    }
    if (std::string why = why_not(at, status, !left.empty()); !why.empty()) return why;
    if (left.empty()) return "";
    at = left.front() == ".." ? at.parent_path() : at / left.front();
    left.pop_front();
  }
}

} // namespace hilda::plugin
