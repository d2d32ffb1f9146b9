// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/modules.h"

#include <cstddef>
#include <string>
#include <vector>

namespace hilda::base {

/// A place in a file. `file` is a pointer into the sources of the loaded diagram, which keep it alive.
struct Location {
  const std::string* file = nullptr;
  int line = 0;
};

/// The other side of a conflict: its place and its text.
struct Note {
  Location where;
  std::string text;
};

/// An error: what, where, and what to do. Prints as `file:line: error[code]: what`, one line a note, `help: what to
/// do`.
struct Diagnostic {
  enum class Severity { error, warning };
  struct Line {
    std::string file;
    int line = 0;
    std::string text;
  };
  Severity severity = Severity::error;
  std::string code;
  std::string file;
  int line = 0;
  std::string what;
  std::vector<Line> notes = {};
  std::string help;

  std::string text() const;
};

/// All that was found wrong with a diagram; nothing stops at the first error.
///
/// The code is a literal in kebab-case at the place of the call (`diagnostics.error("unit-mismatch", ...)`): a test
/// collects the codes from the sources and requires a golden message for each.
class Diagnostics {
public:
  void error(const char* code, Location where, std::string what, std::string help, std::vector<Note> notes = {});
  void warning(const char* code, Location where, std::string what, std::string help, std::vector<Note> notes = {});

  /// Takes over what others found; `soften`: as warnings, because nothing here depends on it.
  void take(const Diagnostics& others, bool soften);

  bool ok() const { return errors_ == 0; }
  std::size_t errors() const { return errors_; }
  const std::vector<Diagnostic>& all() const { return all_; }

  /// By file and line, in the order found within a line; the same finding is listed once.
  std::vector<Diagnostic> sorted() const;
  /// As text, sorted, one after the other; those that are alike folded (folding.h).
  std::string text() const;

private:
  void add(Diagnostic::Severity, const char* code, Location, std::string what, std::string help, std::vector<Note>);
  std::vector<Diagnostic> all_;
  std::size_t errors_ = 0;
};

/// The candidate nearest to `name` in edit distance if it is near enough to be a slip, else empty.
std::string nearest(const std::string& name, const std::vector<std::string>& candidates);

} // namespace hilda::base
