// SPDX-License-Identifier: BSD-3-Clause
#include "tools/cli/detail/sweep/submitted.h"

#include "engine/base/output_files.h"

#include <algorithm>
#include <fmt/format.h>
#include <fstream>
#include <nlohmann/json.hpp>

namespace hilda::cli {

std::string Submitted::part(std::int64_t task) const {
  return fmt::format("{}/part{}of{}.sqlite", folder, task, tasks);
}

std::int64_t Submitted::runs_of(std::int64_t task) const { return task > runs ? 0 : (runs - task + tasks) / tasks; }

std::string Submitted::state(const std::map<std::string, std::string>& queue, std::int64_t task) const {
  const auto found = queue.find(fmt::format("{}_{}", array, task));
  return found != queue.end() ? found->second : std::string();
}

bool Submitted::in(const std::map<std::string, std::string>& queue) const {
  return std::any_of(queue.begin(), queue.end(), [this](const auto& each) {
    const std::string job = each.first.substr(0, each.first.find('_'));
    return job == array || job == merge;
  });
}

std::string job_file(const std::string& folder) { return folder + "/job.json"; }

std::optional<Submitted> read_submitted(const std::string& folder, std::string& error) {
  std::ifstream file(job_file(folder));
  const nlohmann::json json = nlohmann::json::parse(file, nullptr, false);
  Submitted submitted;
  submitted.folder = folder;
  try {
    if (json.is_discarded() || json.at("format") != 1) throw std::out_of_range("format");
    submitted.study = json.at("study"), submitted.results = json.at("results");
    submitted.array = json.at("array"), submitted.merge = json.at("merge");
    submitted.tasks = json.at("tasks"), submitted.runs = json.at("runs");
    if (submitted.tasks < 1 || submitted.runs < 0) throw std::out_of_range("tasks");
  } catch (const std::exception&) {
    error = folder + " is not a folder of a submitted study\nhelp: name the folder that 'hilda sweep submit' printed";
    return std::nullopt;
  }
  return submitted;
}

bool write_submitted(const Submitted& submitted, std::string& error) {
  const nlohmann::ordered_json json = {{"format", 1},
                                       {"study", submitted.study},
                                       {"results", submitted.results},
                                       {"tasks", submitted.tasks},
                                       {"runs", submitted.runs},
                                       {"array", submitted.array},
                                       {"merge", submitted.merge}};
  OutputFiles files;
  return write_file(job_file(submitted.folder), json.dump(2) + "\n", FileContent::json, files, error);
}

} // namespace hilda::cli
