// SPDX-License-Identifier: BSD-3-Clause
// What hilda doctor says of a machine, shown on made-up ones.
#include "engine/session/machine.h"
#include "tests/cli/program.h"
#include "tests/modules.h"

#include <algorithm>
#include <fstream>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace hilda::test {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

/// A machine of files.
class Machine {
public:
  void has(const std::string& file, const std::string& text) const {
    fs::create_directories((here_.path() / file).parent_path());
    here_.write(file, text + "\n");
  }
  MachineFinding finding(const std::string& subject, const RealtimeSettings& settings = {}) const {
    for (const MachineFinding& each : look_at_kernel(here_.path(), settings))
      if (each.subject == subject) return each;
    ADD_FAILURE() << subject << " was not looked at";
    return {};
  }

private:
  Workplace here_;
};

TEST(Doctor, KnowsAKernelForRealTime) {
  const Machine machine;
  machine.has("proc/version", "Linux version 6.1.0-rt (builder@host) #1 SMP PREEMPT_RT Debian");
  EXPECT_TRUE(machine.finding("kernel").good);
  EXPECT_THAT(machine.finding("kernel").found, HasSubstr("Linux version 6.1.0-rt"));
}

TEST(Doctor, SaysWhichKernelToTake) {
  const Machine machine;
  machine.has("proc/version", "Linux version 6.1.0-18 (builder@host) #1 SMP PREEMPT_DYNAMIC Debian");
  EXPECT_FALSE(machine.finding("kernel").good);
  EXPECT_THAT(machine.finding("kernel").help, HasSubstr("linux-image-rt-amd64"));
}

TEST(Doctor, WarnsWhereRealTimeThreadsAreKeptShort) {
  const Machine machine;
  machine.has("proc/sys/kernel/sched_rt_period_us", "1000000");
  machine.has("proc/sys/kernel/sched_rt_runtime_us", "950000");
  EXPECT_TRUE(machine.finding("runaway guard").good);
  machine.has("proc/sys/kernel/sched_rt_runtime_us", "500000");
  EXPECT_FALSE(machine.finding("runaway guard").good);
  machine.has("proc/sys/kernel/sched_rt_runtime_us", "-1");
  EXPECT_TRUE(machine.finding("runaway guard").good);
}

TEST(Doctor, WarnsOfAGovernorThatSavesPower) {
  const Machine machine;
  EXPECT_TRUE(machine.finding("governor").good);
  machine.has("sys/devices/system/cpu/cpu0/cpufreq/scaling_governor", "performance");
  EXPECT_TRUE(machine.finding("governor").good);
  machine.has("sys/devices/system/cpu/cpu1/cpufreq/scaling_governor", "powersave");
  EXPECT_FALSE(machine.finding("governor").good);
  EXPECT_THAT(machine.finding("governor").found, HasSubstr("performance on 1, powersave on 1"));
  EXPECT_THAT(machine.finding("governor").help, HasSubstr("cpupower frequency-set -g performance"));
}

TEST(Doctor, WantsTheLoopOnTheProcessorsThatAreKeptFree) {
  const Machine machine;
  machine.has("sys/devices/system/cpu/online", "0-3");
  machine.has("sys/devices/system/cpu/isolated", "");
  EXPECT_THAT(machine.finding("isolation").help, HasSubstr("isolcpus=3"));
  machine.has("sys/devices/system/cpu/isolated", "2-3");
  EXPECT_THAT(machine.finding("isolation").help, HasSubstr("<realtime processors=\"2 3\"/>"));
  RealtimeSettings settings;
  settings.processors = {3};
  EXPECT_TRUE(machine.finding("isolation", settings).good);
}

TEST(Doctor, WarnsOfASlowClock) {
  const Machine machine;
  machine.has("sys/devices/system/clocksource/clocksource0/current_clocksource", "hpet");
  EXPECT_FALSE(machine.finding("clock source").good);
  machine.has("sys/devices/system/clocksource/clocksource0/current_clocksource", "tsc");
  EXPECT_TRUE(machine.finding("clock source").good);
}

TEST(Doctor, ReadsListsOfProcessors) {
  EXPECT_THAT(processors_in("0-2,5"), ElementsAre(0, 1, 2, 5));
  EXPECT_THAT(processors_in(""), IsEmpty());
  EXPECT_THAT(processors_in("nonsense"), IsEmpty());
  EXPECT_THAT(processors_in("7,99999999999999,4-,3"), ElementsAre(7, 4, 3));
}

TEST(Doctor, SaysWhatIsRefusedToTheLoop) {
  RealtimeSettings settings;
  settings.processors = {1000};
  const std::vector<MachineFinding> findings = look_at_rights(settings);
  const auto refused = std::find_if(findings.begin(), findings.end(), [](const auto& each) {
    return !each.good && each.found.find("processor 1000") != std::string::npos;
  });
  ASSERT_NE(refused, findings.end());
  EXPECT_THAT(refused->help, HasSubstr("<realtime processors"));
}

TEST(Doctor, ExaminesThisMachineAndExitsByWhatItFinds) {
  const Workplace here;
  const Result run = here.hilda("doctor");
  const bool warned = run.out.find("warning") != std::string::npos;
  EXPECT_EQ(run.exit, warned ? 1 : 0) << run.out << run.err;
  for (const char* const subject : {"kernel", "priority", "memory", "network", "timer", "latency"})
    EXPECT_THAT(run.out, HasSubstr(std::string("  ") + subject));
  EXPECT_THAT(run.out, HasSubstr("p99"));
}

TEST(Doctor, TakesPriorityAndProcessorsFromADiagram) {
  const Workplace here;
  here.write("d.xml", "<diagram format=\"1\" name=\"d\" period=\"1 ms\">\n  <realtime processors=\"1000\"/>\n"
                      "</diagram>\n");
  const Result run = here.hilda("doctor d.xml");
  EXPECT_EQ(run.exit, 1) << run.err;
  EXPECT_THAT(run.out, HasSubstr("processor 1000"));
  EXPECT_EQ(here.hilda("doctor missing.xml").exit, 2);
}

} // namespace
} // namespace hilda::test
