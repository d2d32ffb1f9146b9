// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/base/detail/files/file_content.h"
#include "engine/base/output_file.h"
#include "engine/modules.h"

#include <memory>
#include <set>
#include <string>
#include <vector>

namespace hilda::base {

/// The files of one command: what it reads and what it writes.
///
/// First all that is read is named, then every output is opened, and only then the work begins: so that no output is
/// an input or another output, and none is found to be impossible after the work.
class OutputFiles {
public:
  /// An input: no output may be this file. Nothing happens where there is no such file.
  void reads(const std::string& path);

  /// Opens an output; null, with an error, where it cannot be one. The folder must be there. The content of an existing
  /// file of that name must be of the same kind: `export -o pid.xml` does not overwrite a diagram.
  /// @param content  what will be written
  std::unique_ptr<OutputFile> open(const std::string& path, OutputKind kind, FileContent content);

  /// Of the last `open` that gave null.
  const std::string& error() const { return error_; }
  /// It was the command line that is wrong (an output names an input), and not the file that cannot be written.
  bool misuse() const { return misuse_; }

private:
  struct Named {
    FileIdentity identity;
    std::string path;
  };

  std::unique_ptr<OutputFile> refuse(const std::string& text, bool misuse = false);
  bool is_of_that_kind(const std::string& path, FileContent content);
  bool free_to_take(const FileIdentity& file, const std::string& path);
  std::unique_ptr<OutputFile> open_direct(std::unique_ptr<OutputFile> output, OutputKind kind);
  std::unique_ptr<OutputFile> open_part(std::unique_ptr<OutputFile> output, OutputKind kind, int access_rights);
  int lock_part(const OutputFile& output);
  bool lock_free_part(OutputFile& output, OutputKind kind);
  bool set_aside(OutputFile& output);

  std::vector<std::string> inputs_;
  std::vector<Named> outputs_, parts_;
  std::set<std::string> names_; ///< of outputs and of what they are while they are made, whether there or not
  std::string error_;
  bool misuse_ = false;
};

/// Why a file of this name must not be overwritten: it holds something else than what is written. Empty: it may be.
std::string kind_conflict(const std::string& path, FileContent content);

/// Who is writing this file now, "process 1234"; empty where no process is.
std::string writer_of(const std::string& path);

/// One text into one file, for those who write nothing else.
bool write_file(const std::string& path, const std::string& text, FileContent content, OutputFiles& files,
                std::string& error);

} // namespace hilda::base
