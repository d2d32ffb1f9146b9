// SPDX-License-Identifier: BSD-3-Clause
#include "engine/base/output_file.h"

#include <cerrno>
#include <cstdio>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/sysmacros.h>
#include <system_error>
#include <unistd.h>

namespace hilda::base {
namespace {

namespace fs = std::filesystem;

/// A renamed file is there after a power failure only if its folder is.
void settle_folder(const std::string& target) {
  const fs::path folder = fs::path(target).parent_path();
  const int opened = ::open(folder.empty() ? "." : folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (opened < 0) return;
  ::fsync(opened); // some file systems cannot; the file itself has been settled
  ::close(opened);
}

std::string in_words(std::uint64_t bytes) {
  if (bytes < 10'000) return std::to_string(bytes) + " bytes";
  std::uint64_t unit = 1000;
  for (const char* name : {" kB", " MB", " GB"}) {
    if (bytes / unit < 10'000) return std::to_string(bytes / unit) + name;
    unit *= 1000;
  }
  return std::to_string(bytes / unit) + " TB";
}

} // namespace

void OutputFile::own() { own_ = OwnDescriptor(file_, "the output " + path_); }

OutputFile::~OutputFile() {
  if (file_ < 0) return;
  own_.forget();
  struct stat info {};
  const bool holds = ::fstat(file_, &info) == 0 && info.st_size > 0;
  if (!direct_ && !committed_ && !(keep_ && holds)) ::unlink(part_.c_str());
  ::close(file_);
}

bool OutputFile::fail(int error_number) {
  if (!failed()) error_ = path_ + " cannot be written: " + std::system_category().message(error_number);
  return false;
}

bool OutputFile::write(std::string_view text) {
  while (!text.empty() && !failed()) {
    const ssize_t written = ::write(file_, text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return fail(written < 0 ? errno : ENOSPC);
    text.remove_prefix(static_cast<std::size_t>(written));
  }
  return !failed();
}

std::string OutputFile::shortage(std::uint64_t bytes) const {
  struct statvfs room {};
  if (direct_ || ::fstatvfs(file_, &room) != 0) return {};
  const std::uint64_t free = std::uint64_t{room.f_bavail} * room.f_frsize;
  if (free >= bytes || room.f_blocks == 0) return {};
  return in_words(bytes) + ", and " + in_words(free) + " are free there";
}

bool OutputFile::room_for(std::uint64_t bytes) {
  if (failed()) return false;
  if (const std::string lack = shortage(bytes); !lack.empty()) error_ = path_ + " cannot be written: it takes " + lack;
  return !failed();
}

bool OutputFile::commit() {
  if (failed()) return false;
  if (direct_) {
    const int opened = file_;
    file_ = -1;
    own_.forget();
    return ::close(opened) == 0 || fail(errno);
  }
  if (::fsync(file_) != 0 && errno != EINVAL && errno != EROFS) return fail(errno);
  if (::rename(part_.c_str(), target_.c_str()) != 0) return fail(errno);
  committed_ = true;
  settle_folder(target_);
  return true;
}

std::string owner_of(const FileIdentity& file) {
  std::ifstream locks("/proc/locks");
  const std::string inode = ":" + std::to_string(file.inode);
  for (std::string line; std::getline(locks, line);) {
    std::istringstream words(line);
    std::string number, kind, advisory, access, process, place;
    words >> number >> kind >> advisory >> access >> process >> place;
    if (kind == "FLOCK" && access == "WRITE" && place.ends_with(inode) && process != "0" && process != "-1")
      return "process " + process;
  }
  return {};
}

} // namespace hilda::base
