#include "tools/cli/program/output.h"

#include "tools/cli/program/terminal.h"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>

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

std::string beside(const std::string& log, const std::string& extension) {
  return without_part(log).replace_extension(extension).string();
}

std::string stem_of(const std::string& log) { return without_part(log).stem().string(); }

Exit tell_problems(const Log& log, const std::string& name) {
  for (const std::string& problem : log.problems())
    std::fprintf(stderr, "note: %s%s%s\n", name.c_str(), name.empty() ? "" : ": ", problem.c_str());
  if (!log.damaged()) return exit_ok;
  print_error((name.empty() ? "the log" : name) + " is damaged: what is damaged was left out" +
              "\nhelp: 'hilda recover' makes a whole log of what can be had");
  return exit_bad_file;
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
