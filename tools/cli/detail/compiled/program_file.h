// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "tools/cli/program_parts.h"
#include "tools/fmi/bundle.h"
#include "tools/modules.h"

#include <string>
#include <vector>

namespace hilda::cli {

/// A compiled program as it is written: a copy of bin/hilda, the parts, and their list.
class ProgramFile {
public:
  void add(const std::string& kind, const std::string& name, const std::string& bytes);
  /// What the program begins with. False, and `error`, where that has no place for the list of parts.
  bool begin(const std::string& file, const std::string& bytes, std::string& error);
  /// All of it.
  std::string take();

private:
  std::string head_, bytes_;
  std::size_t mark_ = 0; ///< where it is in the head
  std::vector<Part> parts_;
};

} // namespace hilda::cli
