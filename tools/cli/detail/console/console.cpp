// SPDX-License-Identifier: BSD-3-Clause
#include "tools/cli/detail/console/console.h"

#include <array>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <poll.h>
#include <unistd.h>
#include <utility>

#ifdef HILDA_LIBEDIT
#include <editline/readline.h>
#endif

namespace hilda::cli {
namespace {

[[maybe_unused]] constexpr const char* prompt = "hilda> ";
constexpr std::size_t longest_line = std::size_t{1} << 16;

// libedit calls back without a pointer of ours.
Console::Words& words() {
  static Console::Words all;
  return all;
}

#ifdef HILDA_LIBEDIT

struct Typed {
  std::vector<std::string> lines;
  bool ended = false;
};

Typed& typed() {
  static Typed all;
  return all;
}

void take_line(char* line) {
  if (line == nullptr) {
    typed().ended = true;
    return;
  }
  if (*line != '\0') add_history(line);
  typed().lines.emplace_back(line);
  std::free(line); // NOLINT: libedit's
}

char* candidate(const char* begin, int state) {
  static std::vector<std::string> found;
  static std::size_t next = 0;
  if (state == 0) {
    found.clear();
    next = 0;
    const std::string before(rl_line_buffer, static_cast<std::size_t>(rl_point));
    for (const std::string& word : words()(before))
      if (word.starts_with(begin)) found.push_back(word);
  }
  return next < found.size() ? strdup(found[next++].c_str()) : nullptr;
}

char** complete(const char* text, int, int) {
  rl_attempted_completion_over = 1;
  return rl_completion_matches(text, candidate);
}

#endif

} // namespace

Console::Console(Words all) : interactive_(::isatty(STDIN_FILENO) == 1) {
  words() = std::move(all);
#ifdef HILDA_LIBEDIT
  if (!interactive_) return;
  static char breaks[] = " \t\n=&"; // a path is one word
  rl_completer_word_break_characters = breaks;
  rl_attempted_completion_function = complete;
  rl_callback_handler_install(prompt, take_line);
#endif
}

Console::~Console() {
#ifdef HILDA_LIBEDIT
  if (interactive_) rl_callback_handler_remove();
#endif
}

bool Console::wait(int milliseconds) {
  pollfd input{STDIN_FILENO, POLLIN, 0};
  return ::poll(&input, 1, milliseconds) > 0;
}

void Console::read() {
#ifdef HILDA_LIBEDIT
  if (interactive_) {
    rl_callback_read_char();
    lines_.insert(lines_.end(), typed().lines.begin(), typed().lines.end());
    typed().lines.clear();
    at_end_ = typed().ended;
    return;
  }
#endif
  std::array<char, 4096> bytes{};
  const ssize_t count = ::read(STDIN_FILENO, bytes.data(), bytes.size());
  if (count > 0) buffer_.append(bytes.data(), static_cast<std::size_t>(count));
  at_end_ = count <= 0 || buffer_.size() > longest_line;
  split(at_end_);
}

/// Whole lines of what was read; at the end also one without a line break.
void Console::split(bool rest) {
  std::size_t end = 0;
  while ((end = buffer_.find('\n')) != std::string::npos) {
    lines_.push_back(buffer_.substr(0, end));
    buffer_.erase(0, end + 1);
  }
  if (rest && !buffer_.empty()) lines_.push_back(std::exchange(buffer_, {}));
}

std::optional<std::string> Console::poll() {
  if (lines_.empty() && !at_end_ && wait(0)) read();
  if (lines_.empty()) return std::nullopt;
  std::string line = lines_.front();
  lines_.erase(lines_.begin());
  return line;
}

std::optional<std::string> Console::next(const std::function<bool()>& give_up) {
  constexpr int a_moment = 100; // ms
#ifndef HILDA_LIBEDIT
  if (interactive_) std::fputs(prompt, stderr);
#endif
  while (lines_.empty() && !at_end_) {
    if (wait(a_moment)) read();
    if (give_up()) return std::nullopt;
  }
  return poll();
}

} // namespace hilda::cli
