// SPDX-License-Identifier: BSD-3-Clause
#include "tools/cli/detail/program/terminal.h"

#include "engine/base/folding.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <fmt/format.h>
#include <unistd.h>

namespace hilda::cli {
namespace {

bool coloured(int file) {
  const char* plain = std::getenv("NO_COLOR");
  const char* terminal = std::getenv("TERM");
  return ::isatty(file) == 1 && (plain == nullptr || *plain == '\0') &&
         (terminal == nullptr || std::string(terminal) != "dumb");
}

std::string in_ink(bool coloured, Ink ink, const std::string& text) {
  if (!coloured) return text;
  switch (ink) {
  case Ink::plain: return text;
  case Ink::bold: return "\033[1m" + text + "\033[0m";
  case Ink::red: return "\033[1;31m" + text + "\033[0m";
  case Ink::yellow: return "\033[1;33m" + text + "\033[0m";
  case Ink::green: return "\033[32m" + text + "\033[0m";
  }
  return text;
}

/// The diagnostic's text with its head and its help in colour.
std::string inked(const Diagnostic& diagnostic) {
  std::string text = diagnostic.text();
  const bool error = diagnostic.severity == Diagnostic::Severity::error;
  const std::string head = std::string(error ? "error[" : "warning[") + diagnostic.code + "]";
  if (const auto at = text.find(head); at != std::string::npos)
    text.replace(at, head.size(), on_stderr(error ? Ink::red : Ink::yellow, head));
  if (const auto at = text.rfind("help:"); at != std::string::npos) text.replace(at, 5, on_stderr(Ink::green, "help:"));
  return text;
}

} // namespace

std::string on_stderr(Ink ink, const std::string& text) {
  static const bool colours = coloured(STDERR_FILENO);
  return in_ink(colours, ink, text);
}

std::string on_stdout(Ink ink, const std::string& text) {
  static const bool colours = coloured(STDOUT_FILENO);
  return in_ink(colours, ink, text);
}

void print_error(const std::string& text) {
  std::fprintf(stderr, "%s %s\n", on_stderr(Ink::red, "error:").c_str(), text.c_str());
}

void print_warning(const std::string& text) {
  std::fprintf(stderr, "%s %s\n", on_stderr(Ink::yellow, "warning:").c_str(), text.c_str());
}

void print_note(const std::string& text) { std::fprintf(stderr, "note: %s\n", text.c_str()); }

void print_diagnostics(const Diagnostics& diagnostics) {
  const std::vector<Diagnostic> found = diagnostics.sorted();
  const auto errors = std::count_if(
      found.begin(), found.end(), [](const Diagnostic& each) { return each.severity == Diagnostic::Severity::error; });
  for (const Diagnostic& each : folded(found)) {
    std::string text = inked(each);
    if (text.empty() || text.back() != '\n') text += '\n';
    std::fputs(text.c_str(), stderr);
  }
  if (errors > 0) std::fprintf(stderr, "%td error%s\n", errors, errors == 1 ? "" : "s");
}

ProgressLine::ProgressLine(bool quiet) : enabled_(!quiet), terminal_(::isatty(STDERR_FILENO) == 1) {}

void ProgressLine::show(const Progress& progress) {
  if (!enabled_ || (!terminal_ && progress.wall_time < next_)) return;
  std::string line = "t = " + duration_text(progress.time);
  if (progress.duration) line += " of " + duration_text(*progress.duration);
  if (progress.wall_time > 0) {
    const double factor = progress.time / progress.wall_time;
    line += fmt::format(", {:.3g} times real time", factor);
    if (progress.duration && factor > 0)
      line += fmt::format(", at most {} left", duration_text(std::ceil((*progress.duration - progress.time) / factor)));
  }
  std::fprintf(stderr, terminal_ ? "\r\033[K%s" : "%s\n", line.c_str());
  std::fflush(stderr);
  shown_ = terminal_;
  next_ = progress.wall_time + 10;
}

void ProgressLine::clear() {
  if (shown_) std::fputs("\r\033[K", stderr);
  shown_ = false;
}

std::string duration_text(double seconds) {
  if (seconds < 120) return fmt::format("{:.4g} s", seconds);
  const auto whole = static_cast<std::int64_t>(seconds);
  if (whole < 7200) return fmt::format("{} min {} s", whole / 60, whole % 60);
  return fmt::format("{} h {} min", whole / 3600, whole % 3600 / 60);
}

std::string bytes_text(std::uint64_t bytes) {
  const auto size = static_cast<double>(bytes);
  if (bytes < 1000) return fmt::format("{} B", bytes);
  if (bytes < 1000000) return fmt::format("{:.3g} kB", size / 1e3);
  if (bytes < 1000000000) return fmt::format("{:.3g} MB", size / 1e6);
  return fmt::format("{:.3g} GB", size / 1e9);
}

} // namespace hilda::cli
