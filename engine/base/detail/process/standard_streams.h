// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/modules.h"

#include <array>
#include <string>
#include <sys/stat.h>
#include <vector>

namespace hilda::base {

/// Standard input, output and error as they were when one was made: which files, held open next to them.
class StandardStreams {
public:
  StandardStreams();
  ~StandardStreams();
  StandardStreams(const StandardStreams&) = delete;
  StandardStreams& operator=(const StandardStreams&) = delete;

  /// Puts back what is closed, or is another file now; in words, of each.
  std::vector<std::string> put_back() const;

private:
  struct Stream {
    int copy = -1; ///< -1: it was closed already
    struct stat file {};
  };
  std::array<Stream, 3> streams_;
};

} // namespace hilda::base
