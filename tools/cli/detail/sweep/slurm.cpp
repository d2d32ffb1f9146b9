// SPDX-License-Identifier: BSD-3-Clause
#include "tools/cli/detail/sweep/slurm.h"

#include "tools/graphics/picture_file.h"

#include <fmt/format.h>
#include <sstream>

namespace hilda::cli {
namespace {

bool ask(const std::vector<std::string>& command, std::string& answer, std::string& error) {
  svg::Answer said = svg::ask_program(command, "");
  if (said.started && said.status == 0) {
    answer = std::move(said.out);
    return true;
  }
  error = said.started
              ? fmt::format("{} refuses (exit code {})\nhelp: its message is above", command[0], said.status)
              : command[0] + " is not there\nhelp: submit from a machine of the cluster, where Slurm's programs "
                             "are on the PATH";
  return false;
}

} // namespace

bool slurm_submit(const std::vector<std::string>& options, const std::string& script, std::string& job,
                  std::string& error) {
  std::vector<std::string> command = {"sbatch", "--parsable"};
  command.insert(command.end(), options.begin(), options.end());
  command.push_back(script);
  std::string answer;
  if (!ask(command, answer, error)) return false;
  job = answer.substr(0, answer.find_first_of(";\n")); // "123;cluster"
  if (!job.empty() && job.find_first_not_of("0123456789") == std::string::npos) return true;
  error = "sbatch gives no number of a job, but '" + job + "'\nhelp: its words must be those of --parsable";
  return false;
}

bool slurm_queue(std::map<std::string, std::string>& states, std::string& error) {
  std::string answer;
  if (!ask({"squeue", "--me", "--noheader", "--array", "--format=%i %T"}, answer, error)) return false;
  std::istringstream lines(answer);
  for (std::string job, state; lines >> job >> state;) states[job] = state;
  return true;
}

bool slurm_cancel(const std::vector<std::string>& jobs, std::string& error) {
  std::vector<std::string> command = {"scancel"};
  command.insert(command.end(), jobs.begin(), jobs.end());
  std::string answer;
  return ask(command, answer, error);
}

std::string slurm_path(const std::string& path) {
  std::string escaped;
  for (const char c : path) escaped += c == '%' ? std::string("%%") : std::string(1, c);
  return escaped;
}

} // namespace hilda::cli
