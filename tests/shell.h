// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <cstdio>
#include <string>
#include <sys/wait.h>

namespace hilda::test {

/// What a shell command did.
struct Output {
  int status = 0;   ///< its exit code; 128 and the signal's number where a signal ended it
  std::string text; ///< standard output
};

inline Output run(const std::string& command) {
  Output output;
  std::FILE* const pipe = ::popen(command.c_str(), "r");
  if (pipe == nullptr) return {-1, "no shell"};
  std::array<char, 4096> buffer;
  for (std::size_t got = 0; (got = std::fread(buffer.data(), 1, buffer.size(), pipe)) > 0;)
    output.text.append(buffer.data(), got);
  const int status = ::pclose(pipe);
  output.status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  return output;
}

/// The same with standard error in the text, too.
inline Output run_with_errors(const std::string& command) { return run("{ " + command + "\n} 2>&1"); }

/// What a command prints to both; ends with the exit code where that is not 0.
inline std::string transcript(const std::string& command) {
  const Output output = run_with_errors(command);
  return output.status == 0 ? output.text : output.text + "exit code " + std::to_string(output.status) + "\n";
}

} // namespace hilda::test
