// SPDX-License-Identifier: BSD-3-Clause
#include "watched_run.h"

#include "tests/project_folders.h"
#include "tests/shell.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <unistd.h>

namespace hilda::test {
namespace {

/// The rest of `line` after `key`, if it begins with it.
std::optional<std::string> after(const std::string& line, const std::string& key) {
  if (line.rfind(key, 0) != 0) return std::nullopt;
  return line.substr(key.size());
}

void parse(WatchedRun& run) {
  std::istringstream lines(run.report);
  for (std::string line; std::getline(lines, line);) {
    if (const auto count = after(line, "loops watched: "))
      run.loops = std::stoi(*count);
    else if (const auto yes = after(line, "system calls watched: "))
      run.system_calls_watched = *yes == "yes";
    else if (const auto what = after(line, "offence: "))
      run.offences.push_back({*what, "", ""});
    else if (const auto block = after(line, "  block: "))
      run.offences.back().block = *block;
    else if (const auto frame = after(line, "    "))
      run.offences.back().called_from += *frame + "\n";
  }
}

} // namespace

const WatchedRun::Offence* WatchedRun::find(const std::string& what) const {
  const auto found =
      std::find_if(offences.begin(), offences.end(), [&](const Offence& offence) { return offence.what == what; });
  return found == offences.end() ? nullptr : &*found;
}

std::optional<WatchedRun> run_watched([[maybe_unused]] const std::string& command) {
#ifdef HILDA_WITHOUT_TRAP
  return std::nullopt;
#else
  const auto report = std::filesystem::temp_directory_path() / ("hilda_trap_" + std::to_string(getpid()) + ".txt");
  std::filesystem::remove(report);
  const std::string line = "exec 2>&1; LD_PRELOAD='" + build_folder() +
                           "/tests/realtime/libhilda_trap.so' HILDA_TRAP_REPORT='" + report.string() + "' " + command;
  const Output done = hilda::test::run(line);
  WatchedRun run;
  run.output = done.text;
  run.exit_code = done.status;
  std::stringstream text;
  text << std::ifstream(report).rdbuf();
  std::filesystem::remove(report);
  run.report = text.str();
  parse(run);
  return run;
#endif
}

} // namespace hilda::test
