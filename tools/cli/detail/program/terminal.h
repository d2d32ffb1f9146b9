// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/base/diagnostic.h"
#include "engine/session/simulation.h"
#include "tools/modules.h"

#include <string>

namespace hilda::cli {

/// Colours where they can be seen: only on a terminal, and not where NO_COLOR is set.
enum class Ink { plain, bold, red, yellow, green };
std::string on_stderr(Ink ink, const std::string& text);
std::string on_stdout(Ink ink, const std::string& text);

/// "error: ..." on stderr.
void print_error(const std::string& text);
/// "warning: ..." on stderr.
void print_warning(const std::string& text);
/// What a person should know though nothing is wrong: "note: ..." on stderr.
void print_note(const std::string& text);
/// Every diagnostic on stderr, sorted, and how many errors there are.
void print_diagnostics(const Diagnostics& diagnostics);

/// The line of a running simulation on stderr: simulated time, real-time factor, estimated rest. Where stderr is not a
/// terminal, a separate line every 10 s.
class ProgressLine {
public:
  explicit ProgressLine(bool quiet);
  ~ProgressLine() { clear(); }
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;
  void show(const Progress& progress);
  void clear();

private:
  bool enabled_, terminal_;
  bool shown_ = false;
  double next_ = 10; ///< s of wall time, of the next line where there is no terminal
};

/// "12.5 s", "3 min 20 s"
std::string duration_text(double seconds);
/// "12.3 MB"
std::string bytes_text(std::uint64_t bytes);

} // namespace hilda::cli
