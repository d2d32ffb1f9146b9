// SPDX-License-Identifier: BSD-3-Clause
#include "tools/cli/detail/run/report.h"

#include "engine/quantity/value.h"
#include "engine/session/solver_findings.h"
#include "engine/session/solver_report.h"
#include "engine/session/verdict_text.h"
#include "tools/cli/detail/program/terminal.h"

#include <cstdio>
#include <fmt/format.h>

namespace hilda::cli {
namespace {

std::string end_text(const SimulationResult& result) {
  switch (result.reason) {
  case SimulationResult::Reason::duration: return "its time was over";
  case SimulationResult::Reason::stopped:
    return fmt::format("{} stopped it: {}", result.ending.block, verdict_text(result.ending));
  case SimulationResult::Reason::interrupted: return "interrupted";
  case SimulationResult::Reason::left: return "left there";
  case SimulationResult::Reason::failed: return "it failed";
  }
  return {};
}

} // namespace

void print_figures(const SummaryFigures& figures) {
  const std::string tables = table_text(figures), lines = figure_text(figures);
  std::fputs(tables.c_str(), stdout);
  if (!tables.empty() && !lines.empty()) std::fputs("\n", stdout);
  std::fputs(lines.c_str(), stdout);
  if (!tables.empty() || !lines.empty()) std::fputs("\n", stdout);
  for (const SummaryWarning& warning : figures.warnings) print_warning(warning.block + ": " + warning.text);
  for (const std::string& sentence : shared_figures(figures)) print_note(sentence);
}

void print_account(const Ledger& ledger) {
  const std::string account = account_text(ledger);
  if (!account.empty()) std::printf("energy   %s\n", account.c_str());
}

void print_result(const Runtime& runtime, const SimulationResult& result) {
  const System& system = runtime.system();
  std::printf("%s%s: ended at t = %s s, %s\n", system.name.c_str(),
              system.mode.empty() ? "" : (", mode " + system.mode).c_str(), decimal(result.time).c_str(),
              end_text(result).c_str());
  std::printf("%s\n", fmt::format("{} steps in {:.3g} s, {:.3g} times real time", result.steps, result.wall_time,
                                  result.real_time_factor())
                          .c_str());
  std::printf("%s", solver_text(runtime).c_str());
  std::fflush(stdout);
  print_diagnostics(solver_findings(runtime));
}

void print_failure(const Ending& ending) {
  std::string text = fmt::format("the run failed at t = {} s (tick {})", decimal(ending.time), ending.tick);
  if (!ending.block.empty()) text += ", block " + ending.block;
  if (!ending.signal.empty()) text += ", signal " + ending.signal;
  print_error(text + ": " + verdict_text(ending));
}

} // namespace hilda::cli
