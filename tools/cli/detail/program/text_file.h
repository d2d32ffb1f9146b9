// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "tools/cli/detail/program/command.h"
#include "tools/cli/detail/program/output.h"
#include "tools/modules.h"

#include <memory>
#include <string>

namespace hilda::cli {

/// Where one text goes: a file, or standard output where its name is empty or "-". Opened before the work.
class TextOutput {
public:
  TextOutput(const std::string& file, FileContent content);
  /// exit_ok, or how the program ends: it could not be opened, and that was reported.
  Exit problem() const { return problem_; }
  /// Writes all of it; says what goes wrong.
  Exit write(const std::string& text);

private:
  OutputFiles files_;
  std::unique_ptr<OutputFile> file_;
  Exit problem_ = exit_ok;
};

} // namespace hilda::cli
