// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/plugin/installation.h"
#include "tools/modules.h"

#include <mutex>

namespace hilda::embed {

/// The plugins of the process, while one thread at a time looks for new ones and loads diagrams.
class LibraryUse {
public:
  LibraryUse();
  /// Found from where libhilda.so is.
  Installation& installation() const;

private:
  std::unique_lock<std::mutex> lock_;
};

} // namespace hilda::embed
