// SPDX-License-Identifier: BSD-3-Clause
#include "axis.h"
#include "tests/project_folders.h"

#include <gtest/gtest.h>

namespace hilda::test {
namespace {

constexpr const char* head = R"(<diagram format="1" name="axis" period="4 ms">
  <parameter name="duration" value="1 s"/>
  <block name="wish" type="devices/Busy" speed="0.1"/>
  <block name="drive" type="devices/Drive"/>
  <limits on="drive.command" magnitude="2" rate="0.5" acceleration="150" stop_time="100 ms"/>
  <connect from="wish.y" to="drive.command"/>
)";

} // namespace

AxisRun::AxisRun(const std::string& options, const std::string& more, const std::string& before,
                 const std::string& after) {
  here_.write("axis.xml", head + more + "</diagram>\n");
  outcome = here_.hilda("run axis.xml --summary axis.json --log axis.mcap " + options,
                        "export HILDA_PLUGIN_PATH='" + build_folder() + "/tests/realtime/plugins'; " + before, after);
  if (here_.has("axis.json")) summary = nlohmann::json::parse(here_.read("axis.json"));
  std::string error;
  if (std::optional<Log> log = Log::open((here_.path() / "axis.mcap").string(), error)) events = log->events();
}

std::vector<double> AxisRun::signal(const std::string& name) const {
  std::string error;
  std::optional<Log> log = Log::open((here_.path() / "axis.mcap").string(), error);
  std::optional<Signal> signal;
  if (log) signal = log->signal(name, error);
  EXPECT_TRUE(signal) << error;
  return signal ? signal->column() : std::vector<double>();
}

std::vector<std::string> AxisRun::events_of(const std::string& kind) const {
  std::vector<std::string> texts;
  for (const LogEvent& event : events)
    if (event.kind == kind) texts.push_back(event.text);
  return texts;
}

bool AxisRun::log_complete() const {
  std::string error;
  const std::optional<Log> log = Log::open((here_.path() / "axis.mcap").string(), error);
  return log && log->complete();
}

Result AxisRun::info() const { return here_.hilda("info axis.mcap"); }

} // namespace hilda::test
