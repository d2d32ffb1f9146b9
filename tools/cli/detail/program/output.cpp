// SPDX-License-Identifier: BSD-3-Clause
#include "tools/cli/detail/program/output.h"

#include "tools/cli/detail/program/terminal.h"

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <sys/stat.h>
#include <unistd.h>

namespace hilda::cli {
namespace {

std::filesystem::path without_part(const std::string& log) {
  std::filesystem::path path(log);
  if (path.extension() == ".part") path.replace_extension();
  return path;
}

} // namespace

Exit refused(const OutputFiles& files, const std::string& help) {
  const bool helped = files.error().find("\nhelp:") != std::string::npos;
  print_error(files.error() + (help.empty() || helped ? "" : "\nhelp: " + help));
  return files.misuse() ? exit_usage : exit_failed_run;
}

Exit finish(OutputFile& file, const std::string& text) {
  if (file.room_for(text.size()) && file.write(text) && file.commit()) return exit_ok;
  print_error(file.error());
  return exit_failed_run;
}

void words_beside(const OutputFile& file) {
  struct stat there {
  }, own{};
  if (::fstat(file.descriptor(), &there) != 0 || ::fstat(STDOUT_FILENO, &own) != 0) return;
  if (there.st_dev != own.st_dev || there.st_ino != own.st_ino) return;
  std::fflush(stdout);
  ::dup2(STDERR_FILENO, STDOUT_FILENO);
}

void tell_place(const OutputFile& file, const std::string& more) {
  if (file.replaces()) std::printf("%s%s\n", file.path().c_str(), more.c_str());
}

std::string beside(const std::string& log, const std::string& extension) {
  return without_part(log).replace_extension(extension).string();
}

std::string stem_of(const std::string& log) { return without_part(log).stem().string(); }

Exit tell_problems(Log& log, const std::string& name) {
  log.verify();
  for (const std::string& problem : log.problems())
    std::fprintf(stderr, "note: %s%s%s\n", name.c_str(), name.empty() ? "" : ": ", problem.c_str());
  if (!log.damaged()) return exit_ok;
  print_error((name.empty() ? "the log" : name) + " is damaged: what cannot be had was left out" +
              "\nhelp: 'hilda recover' makes a whole log of what can be had");
  return exit_bad_file;
}

void hold_streams() {
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (::fcntl(stream, F_GETFD) >= 0 || errno != EBADF) continue;
    const int other_way = stream == STDIN_FILENO ? O_WRONLY : O_RDONLY; // so that reading, or writing, fails
    if (::open("/dev/null", other_way) != stream) std::_Exit(exit_failed_run);
  }
}

int end_output(int code) {
  errno = 0;
  const bool taken = std::fflush(stdout) == 0 && std::ferror(stdout) == 0;
  if (taken) return code;
  print_error(std::string("standard output cannot be written: ") +
              (errno != 0 ? std::strerror(errno) : "a part of it was lost"));
  return code == exit_ok ? exit_failed_run : code;
}

} // namespace hilda::cli
