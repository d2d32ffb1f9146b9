// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "tests/folder.h"

#include <string>

namespace hilda::test {

/// What the program did.
struct Result {
  int exit = -1;
  std::string out, err;
};

/// A separate folder for one test, the current one while the program runs, removed afterwards.
class Workplace : public Folder {
public:
  bool has(const std::string& name) const { return std::filesystem::exists(*this / name); }

  /// Runs `hilda ARGUMENTS` with the test plugins next to the standard ones. `before` and `after` are put around it in
  /// the shell's line.
  Result hilda(const std::string& arguments, const std::string& before = "", const std::string& after = "") const;
};

} // namespace hilda::test
