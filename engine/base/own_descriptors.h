// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/modules.h"

#include <string>
#include <vector>

namespace hilda::base {

/// A descriptor above 2 that is hilda's own, while one lives: a file that is written, a socket, a timer. A plugin that
/// closes it or puts another file in its place is found by the looks at the process, and it is restored. Descriptors
/// of others are not touched.
class OwnDescriptor {
public:
  OwnDescriptor() = default;
  /// `name`: "the log run.mcap". A descriptor below 3 is left out.
  OwnDescriptor(int descriptor, std::string name);
  ~OwnDescriptor() { forget(); }
  OwnDescriptor(OwnDescriptor&& other) noexcept;
  OwnDescriptor& operator=(OwnDescriptor&& other) noexcept;

  /// Before hilda closes it: from then on the number may be another's.
  void forget() noexcept;

private:
  int copy_ = -1; ///< of the same open file, which names the entry; -1: none
};

/// Restores those that are closed, or are another file now; in words, of each: "descriptor 5, the log run.mcap: open ->
/// closed".
std::vector<std::string> put_back_descriptors();

} // namespace hilda::base
