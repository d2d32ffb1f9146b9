// SPDX-License-Identifier: BSD-3-Clause
#include "engine/base/output_files.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <optional>
#include <sys/file.h>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>

namespace hilda::base {
namespace {

namespace fs = std::filesystem;

const std::string part_suffix = ".part";

std::string reason(int error_number) { return std::system_category().message(error_number); }

/// Without links being followed, or anything being asked of the disk.
std::string absolute(const std::string& path) {
  std::error_code failed;
  return std::filesystem::absolute(path, failed).lexically_normal().string();
}

FileIdentity identity_of(const struct stat& info) { return {info.st_dev, info.st_ino}; }

std::optional<FileIdentity> identity_of(const std::string& path) {
  struct stat info {};
  if (::stat(path.c_str(), &info) != 0) return std::nullopt;
  return identity_of(info);
}

/// Where a chain of links ends, whether there is a file or not.
std::string without_links(std::string path) {
  constexpr int most = 40;
  for (int i = 0; i < most; ++i) {
    std::error_code none;
    const fs::path link = fs::read_symlink(path, none);
    if (none) break;
    path = (link.is_absolute() ? link : fs::path(path).parent_path() / link).string();
  }
  return path;
}

/// One name for a file that may not be there yet.
std::string full_name(const std::string& path) {
  std::error_code none;
  const fs::path folder = fs::path(path).parent_path();
  const fs::path full = fs::canonical(folder.empty() ? fs::path(".") : folder, none);
  return none ? path : (full / fs::path(path).filename()).string();
}

/// "out/wave.cut.mcap", or the next free number: an unfinished log is never overwritten.
std::string name_for_cut(const std::string& target, int number) {
  const fs::path path(target);
  const std::string cut = number == 1 ? ".cut" : ".cut" + std::to_string(number);
  return (path.parent_path() / (path.stem().string() + cut + path.extension().string())).string();
}

/// "-" is standard output, as for most programs: no file of that name is meant.
constexpr const char* standard_output = "-";

/// Standard output or error of this process: it is there already, and is not replaced.
bool is_own_stream(const FileIdentity& file) {
  struct stat info {};
  for (const int stream : {STDOUT_FILENO, STDERR_FILENO})
    if (::fstat(stream, &info) == 0 && identity_of(info) == file) return true;
  return false;
}

} // namespace

void OutputFiles::reads(const std::string& path) {
  if (identity_of(path)) inputs_.push_back(path);
}

std::unique_ptr<OutputFile> OutputFiles::refuse(const std::string& text, bool misuse) {
  error_ = text;
  misuse_ = misuse;
  return nullptr;
}

/// No input, no output of this command, and no one else's unfinished one?
bool OutputFiles::free_to_take(const FileIdentity& file, const std::string& path) {
  for (const std::string& input : inputs_)
    if (identity_of(input) == file) { // as it is now: one that an editor has replaced leaves its number to another
      const std::string other = absolute(input) == absolute(path) ? "" : ": it is the same file as " + input;
      refuse(path + " is read by this command and cannot be its output too" + other + "\nhelp: name another file",
             true);
      return false;
    }
  for (const auto* list : {&outputs_, &parts_})
    for (const Named& output : *list)
      // a file that has been replaced leaves its number to another
      if (output.identity == file && identity_of(output.path) == file) {
        refuse(path + " is an output of this command already\nhelp: give each output its own name", true);
        return false;
      }
  return true;
}

bool OutputFiles::is_of_that_kind(const std::string& path, FileContent content) {
  const std::string conflict = kind_conflict(path, content);
  if (!conflict.empty()) refuse(conflict, true);
  return conflict.empty();
}

std::unique_ptr<OutputFile> OutputFiles::open(const std::string& path, OutputKind kind, FileContent content) {
  std::unique_ptr<OutputFile> output(new OutputFile);
  output->path_ = path;
  if (path.empty()) return refuse("an output has an empty name", true);
  struct stat info {};
  const bool stream = path == standard_output;
  output->existed_ = (stream ? ::fstat(STDOUT_FILENO, &info) : ::stat(path.c_str(), &info)) == 0;
  if (!output->existed_ && errno != ENOENT) return refuse(path + " cannot be written: " + reason(errno));
  int rights = -1;
  if (output->existed_) {
    if (stream && !free_to_take(identity_of(info), "standard output")) return nullptr;
    if (stream) return open_direct(std::move(output), kind);
    if (S_ISDIR(info.st_mode)) return refuse(path + " cannot be written: it is a folder");
    if (!free_to_take(identity_of(info), path)) return nullptr;
    if (!S_ISREG(info.st_mode) || is_own_stream(identity_of(info))) return open_direct(std::move(output), kind);
    if (::access(path.c_str(), W_OK) != 0) return refuse(path + " cannot be written: " + reason(errno));
    rights = static_cast<int>(info.st_mode & 07777U);
    // someone's unfinished file
    if (const std::string writer = writer_of(path); !writer.empty())
      return refuse(path + " is being written by " + writer);
    if (!is_of_that_kind(path, content)) return nullptr;
  }
  output->target_ = without_links(path);
  output->part_ = output->target_ + part_suffix;
  if (names_.contains(full_name(output->target_)) || names_.contains(full_name(output->part_)))
    return refuse(path + " is an output of this command already\nhelp: give each output its own name", true);
  return open_part(std::move(output), kind, rights);
}

std::unique_ptr<OutputFile> OutputFiles::open_direct(std::unique_ptr<OutputFile> output, OutputKind kind) {
  const std::string& path = output->path_;
  const bool stream = path == standard_output;
  if (kind != OutputKind::text)
    return refuse(path + (stream
                              ? " is standard output, and this output must be a file\nhelp: ./- is a file of that name"
                              : " cannot be written: it is a pipe or a device, and this output must be a file"));
  // does not wait for a reader of a pipe that has none
  const int file = stream ? ::fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1)
                          : ::open(path.c_str(), O_WRONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY | O_APPEND);
  if (file < 0 && errno == ENXIO) return refuse(path + " cannot be written: the named pipe has no reader");
  if (file < 0) return refuse(path + " cannot be written: " + reason(errno));
  if (!stream) ::fcntl(file, F_SETFL, ::fcntl(file, F_GETFL) & ~O_NONBLOCK);
  output->file_ = file;
  output->direct_ = true;
  output->part_ = path;
  output->own();
  return output;
}

/// A descriptor that holds the lock of NAME.part, or -1 and an error.
int OutputFiles::lock_part(const OutputFile& output) {
  constexpr int most = 100; // another process may put its file into place in between
  for (int i = 0; i < most; ++i) {
    const int file = ::open(output.part_.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0666);
    if (file < 0) break;
    struct stat info {
    }, now{};
    const bool seen = ::fstat(file, &info) == 0;
    const std::string& path = output.path_;
    if (!seen || !S_ISREG(info.st_mode)) {
      ::close(file);
      refuse(path + " cannot be written: " + output.part_ + " is in the way and is not a file");
      return -1;
    }
    if (!free_to_take(identity_of(info), output.part_)) {
      ::close(file);
      return -1;
    }
    if (::flock(file, LOCK_EX | LOCK_NB) != 0) {
      const bool busy = errno == EWOULDBLOCK;
      const std::string owner = owner_of(identity_of(info));
      const std::string why =
          busy ? " is being written by " + (owner.empty() ? "another process" : owner) + "\nhelp: name another file"
               : " cannot be locked: " + reason(errno);
      ::close(file);
      refuse(path + why);
      return -1;
    }
    if (::stat(output.part_.c_str(), &now) == 0 && identity_of(now) == identity_of(info)) return file;
    ::close(file);
  }
  const fs::path folder = fs::path(output.part_).parent_path();
  std::error_code none;
  if (errno == ENOENT && !folder.empty() && !fs::exists(folder, none)) {
    refuse(output.path_ + " cannot be written: there is no folder " + folder.string() + "\nhelp: mkdir -p " +
           folder.string());
    return -1;
  }
  const bool in_the_way = errno == EISDIR || errno == ELOOP;
  refuse(output.path_ + " cannot be written: " + (in_the_way ? output.part_ + " is in the way: " : "") + reason(errno));
  return -1;
}

/// No one knows whose a file is that has the unfinished name already: it stays, and the next free one is taken. Of a
/// log that is what an earlier run left, which is set aside.
bool OutputFiles::lock_free_part(OutputFile& output, OutputKind kind) {
  constexpr int most = 1000;
  for (int number = 2; number <= most; ++number) {
    const int file = lock_part(output);
    if (file < 0) return false;
    struct stat info {};
    const bool empty = ::fstat(file, &info) == 0 && info.st_size == 0;
    if (empty || kind == OutputKind::log) {
      output.file_ = file;
      return true;
    }
    ::close(file);
    output.part_ = output.target_ + part_suffix + std::to_string(number);
  }
  refuse(output.path_ + " cannot be written: there are too many files " + output.target_ + part_suffix +
         " and alike\nhelp: remove those that no one needs");
  return false;
}

/// An unfinished log of a run that was killed gets its own name.
bool OutputFiles::set_aside(OutputFile& output) {
  constexpr int most = 10'000;
  for (int number = 1; number <= most; ++number) {
    const std::string name = name_for_cut(output.target_, number);
    bool moved = ::renameat2(AT_FDCWD, output.part_.c_str(), AT_FDCWD, name.c_str(), RENAME_NOREPLACE) == 0;
    if (!moved && errno == EINVAL) // a file system that does not know it
      moved = ::link(output.part_.c_str(), name.c_str()) == 0 && ::unlink(output.part_.c_str()) == 0;
    if (moved) {
      output.kept_ = name;
      return true;
    }
    if (errno != EEXIST) break;
  }
  refuse(output.path_ + " cannot be written: an unfinished log of that name, " + output.part_ +
         ", cannot be moved away: " + reason(errno));
  return false;
}

std::unique_ptr<OutputFile> OutputFiles::open_part(std::unique_ptr<OutputFile> output, OutputKind kind,
                                                   int access_rights) {
  if (!lock_free_part(*output, kind)) return nullptr;
  struct stat info {};
  ::fstat(output->file_, &info);
  if (kind == OutputKind::log && info.st_size > 0) {
    if (!set_aside(*output)) {
      output->keep_ = true;
      return nullptr;
    }
    ::close(output->file_);
    output->file_ = lock_part(*output);
    if (output->file_ < 0) return nullptr;
  }
  if (::ftruncate(output->file_, 0) != 0) return refuse(output->path_ + " cannot be written: " + reason(errno));
  if (access_rights >= 0) ::fchmod(output->file_, static_cast<mode_t>(access_rights));
  ::fstat(output->file_, &info);
  parts_.push_back({identity_of(info), output->part_});
  names_.insert({full_name(output->target_), full_name(output->part_)});
  if (const auto target = identity_of(output->target_)) outputs_.push_back({*target, output->path_});
  output->own();
  return output;
}

std::string kind_conflict(const std::string& path, FileContent content) {
  const FileContent there = content_of_file(path);
  if (may_replace(there, content)) return {};
  return path + " is " + content_name(there) + ", and would be overwritten by " + content_name(content) +
         "\nhelp: name another file, or remove that one first";
}

/// By the table of locks: to take one, even for a moment, would keep others from writing.
std::string writer_of(const std::string& path) {
  const auto identity = identity_of(path);
  return identity ? owner_of(*identity) : std::string();
}

bool write_file(const std::string& path, const std::string& text, FileContent content, OutputFiles& files,
                std::string& error) {
  const auto output = files.open(path, OutputKind::text, content);
  if (!output) {
    error = files.error();
    return false;
  }
  if (output->room_for(text.size()) && output->write(text) && output->commit()) return true;
  error = output->error();
  return false;
}

} // namespace hilda::base
