// SPDX-License-Identifier: BSD-3-Clause
#include "tools/cli/detail/rig/probe_delay.h"

#include "engine/run/runtime.h"
#include "tools/cli/detail/program/terminal.h"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <memory>

namespace hilda::cli {
namespace {

constexpr const char* parameter = "probe_delay";

bool can_be_probed(const SystemBlock& block) {
  return std::any_of(block.type->slots.begin(), block.type->slots.end(),
                     [](const Slot& slot) { return slot.role == HILDA_PARAMETER && slot.name == parameter; });
}

MachineFinding finding_of(std::int64_t counts) {
  const std::string subject = "Delay counts";
  switch (counts) {
  case 1: return {true, subject, "every answer that was late", ""};
  case 2: return {true, subject, "answers that were late in a row: it fell to 0 with the next one", ""};
  default:
    return {false, subject, "neither all late answers nor those in a row, in 20 attempts",
            "too many cycles are lost on the way: look at cable and switch first"};
  }
}

std::int64_t counted(const Runtime& runtime, const std::string& robot) {
  std::int64_t value = 0;
  if (const SystemSignal* signal = runtime.find_signal(robot + ".delay_counts"))
    std::memcpy(&value, signal->span.data, sizeof value);
  return value;
}

} // namespace

std::vector<MachineFinding> probe_delay(DiagramArguments arguments, const System& system) {
  std::vector<std::string> robots;
  for (const SystemBlock& block : system.blocks)
    if (can_be_probed(block))
      robots.push_back(block.path), arguments.settings.push_back(block.path + ".probe_delay=true");
  if (robots.empty()) return {{false, "Delay counts", "no robot of this rig can be asked", "leave --probe-delay out"}};
  CommandDiagram loaded(arguments);
  std::optional<System> probed = loaded.check(arguments.mode);
  std::unique_ptr<Runtime> runtime;
  RuntimeOptions options;
  options.hardware = true, options.simulated = false;
  if (probed) runtime = Runtime::create(std::move(*probed), options, loaded.diagnostics());
  const bool met = runtime && runtime->start(loaded.diagnostics());
  print_diagnostics(loaded.diagnostics());
  if (!met)
    return {{false, "Delay counts", "the rig could not be connected",
             "start the robot's program (RSI_ON, RSI_MOVECORR) and correct the errors above"}};
  runtime->hold(); // takes the first measurements; every device stays where it is
  std::vector<MachineFinding> findings;
  for (const std::string& robot : robots) findings.push_back(finding_of(counted(*runtime, robot)));
  runtime->stop();
  return findings;
}

} // namespace hilda::cli
