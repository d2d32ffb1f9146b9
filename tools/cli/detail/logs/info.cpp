// SPDX-License-Identifier: BSD-3-Clause
#include "engine/base/word_list.h"
#include "engine/log/log.h"
#include "engine/log/log_figures.h"
#include "tools/cli/detail/program/command.h"
#include "tools/cli/detail/program/output.h"
#include "tools/cli/detail/program/terminal.h"

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <memory>
#include <nlohmann/json.hpp>

namespace hilda::cli {
namespace {

struct InfoArguments {
  std::string log;
  bool parameters = false, files = false;
};

std::string shape_text(const LogField& field) {
  if (!field.kind.empty()) return field.kind;
  std::string shape = field.cols > 1   ? fmt::format("{}x{}", field.rows, field.cols)
                      : field.rows > 1 ? fmt::format("{}", field.rows)
                                       : "scalar";
  return field.element == LogElement::f64 ? shape : fmt::format("{} {}", element_name(field.element), shape);
}

/// Entries that are printed separately, further down.
bool apart(const std::string& key) {
  return key == "summary" || key == "parameters" || key == "limits" || key == "quality" || key == "figures";
}

void print_entries(const std::map<std::string, std::string>& entries) {
  for (const auto& [key, value] : entries)
    if (!value.empty() && !apart(key)) std::printf("%s\n", fmt::format("  {:<10} {}", key, value).c_str());
}

void print_signals(const LogSchema& schema) {
  std::size_t names = 0, shapes = 0;
  for (const LogChannel& channel : schema.channels)
    for (const LogField& field : channel.fields) {
      names = std::max(names, channel.path.size() + 1 + field.name.size());
      shapes = std::max(shapes, shape_text(field).size());
    }
  std::printf("\n%s\n", on_stdout(Ink::bold, "Signals").c_str());
  for (const LogChannel& channel : schema.channels)
    for (const LogField& field : channel.fields) {
      std::string rate = channel.divider > 1 ? fmt::format("every {} ticks", channel.divider) : "";
      if (!channel.when.empty()) rate += (rate.empty() ? "while " : ", while ") + channel.when;
      std::string line = fmt::format("  {:<{}}  {:<{}}  {:<8}  {}", channel.path + "." + field.name, names,
                                     shape_text(field), shapes, field.unit, rate);
      line.erase(line.find_last_not_of(' ') + 1);
      std::printf("%s\n", line.c_str());
    }
}

/// A line for each port that has some: "  rig.robot.command_pose  speed 0.25, stop_time 0.1".
void print_bounds(const LogSchema& schema, const char* key, const char* title) {
  const auto found = schema.metadata.find(key);
  if (found == schema.metadata.end()) return;
  const auto ports = nlohmann::ordered_json::parse(found->second, nullptr, false);
  if (!ports.is_object() || ports.empty()) return;
  std::printf("\n%s\n", on_stdout(Ink::bold, title).c_str());
  for (const auto& [port, bounds] : ports.items()) {
    std::string line;
    for (const auto& [name, value] : bounds.items()) add_word(line, name + " " + value.dump());
    std::printf("  %s  %s\n", port.c_str(), line.c_str());
  }
}

/// What a report of the log opens on, where its diagram says so.
void print_figures(const LogSchema& schema) {
  const std::vector<LogFigure> figures = figures_of(schema);
  if (figures.empty()) return;
  std::printf("\n%s\n", on_stdout(Ink::bold, "Figures").c_str());
  for (const LogFigure& figure : figures)
    std::printf("%s\n", fmt::format("  {}: {}", figure.title, fmt::join(figure.signals, " ")).c_str());
}

void print_parameters(const LogSchema& schema) {
  const auto found = schema.metadata.find("parameters");
  if (found == schema.metadata.end()) return;
  const auto parameters = nlohmann::ordered_json::parse(found->second, nullptr, false);
  if (!parameters.is_object()) return;
  std::printf("\n%s\n", on_stdout(Ink::bold, "Parameters, in SI").c_str());
  for (const auto& [name, value] : parameters.items())
    std::printf("  %s = %s\n", name.c_str(),
                value.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace).c_str());
}

std::string state_of(const Log& log) {
  if (log.damaged()) return "damaged";
  if (log.complete()) return "complete";
  const std::string writer = writer_of(log.path());
  return writer.empty() ? "cut: the run did not end in order" : "in progress: being written by " + writer;
}

int info(const InfoArguments& arguments) {
  std::string error;
  std::optional<Log> log = Log::open(arguments.log, error);
  if (!log) {
    print_error(error);
    return exit_bad_file;
  }
  log->verify();
  const LogSchema& schema = log->schema();
  std::error_code failed;
  std::printf("%s\n", fmt::format("{}: {}, {}", on_stdout(Ink::bold, arguments.log),
                                  bytes_text(std::filesystem::file_size(log->path(), failed)), state_of(*log))
                          .c_str());
  print_entries(schema.metadata);
  std::printf("  %-10s %s s\n", "period", schema.period.text().c_str());
  std::printf("\n%s\n", on_stdout(Ink::bold, "End").c_str());
  if (log->end().empty()) std::printf("  not recorded\n");
  print_entries(log->end());
  print_signals(schema);
  print_bounds(schema, "limits", "Limits of motion, in SI");
  print_bounds(schema, "quality", "Quality asked of measurements, in SI");
  print_figures(schema);
  if (arguments.parameters) print_parameters(schema);
  if (arguments.files)
    for (const LogFile& file : schema.files) std::printf("\n---- %s\n%s\n", file.name.c_str(), file.text.c_str());
  return tell_problems(*log);
}

} // namespace

void add_info(Program& program) {
  Command command = program.command("info", "Shows what a log holds: the run it comes from and its signals");
  auto arguments = std::make_shared<InfoArguments>();
  command.option("LOG", arguments->log, "Log of a run (MCAP)").required().option_text("FILE");
  command.flag("--parameters", arguments->parameters, "Also every parameter of the run, in SI");
  command.flag("--files", arguments->files, "Also the diagram and every file that belonged to it");
  command.footer("Examples:\n"
                 "  hilda info out/pida.mcap\n"
                 "  hilda info out/pida.mcap --parameters");
  command.runs([arguments] { return info(*arguments); });
}

} // namespace hilda::cli
