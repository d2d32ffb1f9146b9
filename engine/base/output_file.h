// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/base/own_descriptors.h"
#include "engine/modules.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <sys/types.h>

namespace hilda::base {

/// What an output may be made of.
enum class OutputKind : std::uint8_t {
  text, ///< a file, or a pipe or device that is written from front to back
  file, ///< a file: it is written here and there
  log   ///< a file that takes as long as a run: what an earlier run left unfinished is kept
};

/// Which file it is, whatever it is called: the same through links, hard links, "./" and letter case.
struct FileIdentity {
  dev_t device = 0;
  ino_t inode = 0;
  friend bool operator==(const FileIdentity&, const FileIdentity&) = default;
};

/// A file that is whole or not there.
///
/// It is made next to its name, as NAME.part or, where that is taken, NAME.part2 and so on, under a lock that lasts as
/// long as the process that writes it. `commit` puts it in the place of an old one, which stays whole until then,
/// whatever ends the process. A link is followed; access rights of the old file are kept. Made by OutputFiles. One
/// thread.
class OutputFile {
public:
  ~OutputFile(); ///< removes what was not committed, unless it is to be kept
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;

  /// As the user named it.
  const std::string& path() const { return path_; }
  /// Where it is while it is made; the path itself where a pipe or device is written.
  const std::string& part() const { return part_; }
  int descriptor() const { return file_; }
  /// False where it is a pipe or device.
  bool replaces() const { return !direct_; }
  /// Was there a file of this name?
  bool existed() const { return existed_; }
  /// What an unfinished log of this name was moved to; empty where there was none.
  const std::string& kept() const { return kept_; }

  /// All of it, or false; after the first failure nothing more is written and `error` says why.
  bool write(std::string_view text);
  /// Is there room for so many bytes? False, with an error, where it is known that there is not.
  bool room_for(std::uint64_t bytes);
  /// "12 GB, and 3 GB are free there"; empty where there is room or it is not known.
  std::string shortage(std::uint64_t bytes) const;
  /// Puts it in its place, after it has reached the disk. False, with an error, where it is not there.
  bool commit();
  /// Should what was written stay as NAME.part where it is not committed?
  void keep_part(bool keep) { keep_ = keep; }

  bool failed() const { return !error_.empty(); }
  const std::string& error() const { return error_; }

private:
  friend class OutputFiles;
  OutputFile() = default;
  bool fail(int error_number);

  std::string path_, target_, part_, kept_, error_;
  /// From here on plugins that close it are found.
  void own();

  int file_ = -1;
  bool direct_ = false, existed_ = false, committed_ = false, keep_ = false;
  OwnDescriptor own_;
};

/// The process that holds a file's lock, in words: "process 1234"; empty where none is known.
std::string owner_of(const FileIdentity& file);

} // namespace hilda::base
