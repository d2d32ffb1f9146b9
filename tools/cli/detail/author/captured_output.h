// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "tools/modules.h"

#include <string>

namespace hilda::cli {

/// While it lives, what blocks print goes into memory and not to the terminal, also from child processes.
class CapturedOutput {
public:
  CapturedOutput();
  ~CapturedOutput() { end(); }
  CapturedOutput(const CapturedOutput&) = delete;
  CapturedOutput& operator=(const CapturedOutput&) = delete;

  /// The terminal is there again; says on stderr how many lines came, and the first ones.
  void end();

private:
  void report() const;

  int own_ = -1;    ///< standard output
  int memory_ = -1; ///< -1: nothing is captured
};

} // namespace hilda::cli
