// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "tools/modules.h"

#include <string>
#include <sys/types.h>
#include <vector>

namespace hilda::cli {

/// A program that runs in a folder, and what it prints. It is killed when this object is destroyed.
class ChildProgram {
public:
  /// Words: its file, then its arguments.
  ChildProgram(const std::vector<std::string>& words, const std::string& folder);
  ~ChildProgram();
  ChildProgram(const ChildProgram&) = delete;
  ChildProgram& operator=(const ChildProgram&) = delete;

  /// Reads what it has printed since. True: it has ended, or could not be started.
  bool look();
  /// Until its end.
  void wait();

  /// Its output and its errors. Beyond 16 MB it is killed, and this is a sentence that says so.
  const std::string& said() const { return said_; }
  /// Its exit code; -1 where it could not be started, or was killed.
  int status() const { return status_; }

private:
  void read_once();
  void end();

  std::string said_;
  pid_t child_ = 0; ///< 0: none runs
  int from_ = -1, status_ = -1;
};

} // namespace hilda::cli
