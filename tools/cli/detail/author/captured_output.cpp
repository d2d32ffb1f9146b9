// SPDX-License-Identifier: BSD-3-Clause
#include "tools/cli/detail/author/captured_output.h"

#include "tools/cli/detail/program/terminal.h"

#include <array>
#include <cstddef>
#include <cstdio>
#include <fmt/format.h>
#include <string_view>
#include <sys/mman.h>
#include <unistd.h>

namespace hilda::cli {

namespace {

constexpr std::size_t shown_lines = 3, shown_bytes = 200;

/// Lines of it, and the first of them.
struct Text {
  std::size_t lines = 0;
  std::string first;
};

Text read_text(int file) {
  Text text;
  std::array<char, 65536> buffer;
  char last = '\n';
  lseek(file, 0, SEEK_SET);
  for (ssize_t bytes = 0; (bytes = read(file, buffer.data(), buffer.size())) > 0;) {
    for (const char each : std::string_view(buffer.data(), static_cast<std::size_t>(bytes))) {
      if (last == '\n' && text.lines < shown_lines) text.first += "  | ";
      const bool shown = text.lines < shown_lines && text.first.size() < (text.lines + 1) * shown_bytes;
      if (shown && each != '\n') text.first += static_cast<unsigned char>(each) < ' ' ? '?' : each;
      if (each == '\n' && text.lines < shown_lines) text.first += '\n';
      text.lines += each == '\n' ? 1 : 0;
      last = each;
    }
  }
  if (last != '\n') {
    if (text.lines < shown_lines) text.first += '\n';
    ++text.lines;
  }
  return text;
}

} // namespace

CapturedOutput::CapturedOutput() {
  std::fflush(stdout);
  own_ = dup(STDOUT_FILENO);
  memory_ = memfd_create("hilda output of blocks", MFD_CLOEXEC);
  if (own_ < 0 || memory_ < 0) return; // then it is shown
  dup2(memory_, STDOUT_FILENO);
}

void CapturedOutput::end() {
  if (own_ < 0) return;
  std::fflush(stdout);
  dup2(own_, STDOUT_FILENO);
  close(own_);
  own_ = -1;
  if (memory_ < 0) return;
  report();
  close(memory_);
}

void CapturedOutput::report() const {
  const Text text = read_text(memory_);
  if (text.lines == 0) return;
  const std::string which = text.lines > shown_lines ? fmt::format(". The first {}", shown_lines) : "";
  print_note(fmt::format("the blocks printed {} line{} while they were tried{}:\n{}", text.lines,
                         text.lines == 1 ? "" : "s", which, text.first.substr(0, text.first.size() - 1)));
}

} // namespace hilda::cli
