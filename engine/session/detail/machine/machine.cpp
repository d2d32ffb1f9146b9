// SPDX-License-Identifier: BSD-3-Clause
#include "engine/session/machine.h"

#include "engine/session/detail/machine/latency_histogram.h"
#include "engine/session/detail/machine/loop_thread.h"
#include "engine/session/detail/machine/monotonic.h"

#include <algorithm>
#include <charconv>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <fstream>
#include <map>
#include <sstream>

namespace hilda::session {
namespace {

namespace fs = std::filesystem;

/// The first line of a file, or empty.
std::string line_of(const fs::path& file) {
  std::ifstream stream(file);
  std::string line;
  std::getline(stream, line);
  return line;
}

MachineFinding look_at_preemption(const fs::path& root) {
  const std::string version = line_of(root / "proc/version");
  const std::string release = version.substr(0, version.find(" ("));
  if (line_of(root / "sys/kernel/realtime") == "1" || version.find("PREEMPT_RT") != std::string::npos)
    return {true, "kernel", release + ", PREEMPT_RT", ""};
  return {false, "kernel", release + ", without PREEMPT_RT: it may keep the loop waiting for milliseconds",
          "install a kernel with PREEMPT_RT (Debian: apt-get install linux-image-rt-amd64) and boot it"};
}

/// The kernel stops threads of SCHED_FIFO that take more than this share of a second.
MachineFinding look_at_runaway_guard(const fs::path& root) {
  const std::string runtime = line_of(root / "proc/sys/kernel/sched_rt_runtime_us");
  const std::string period = line_of(root / "proc/sys/kernel/sched_rt_period_us");
  if (runtime.empty() || period.empty()) return {true, "runaway guard", "the kernel has none", ""};
  if (runtime == "-1") return {true, "runaway guard", "off", ""};
  const double share = std::strtod(runtime.c_str(), nullptr) / std::max(std::strtod(period.c_str(), nullptr), 1.0);
  const std::string found = fmt::format("real-time threads may use {} us of {} us", runtime, period);
  constexpr double usual = 0.95;
  if (share >= usual) return {true, "runaway guard", found, ""};
  return {false, "runaway guard", found, "sysctl kernel.sched_rt_runtime_us=950000"};
}

MachineFinding look_at_clock_source(const fs::path& root) {
  const std::string source = line_of(root / "sys/devices/system/clocksource/clocksource0/current_clocksource");
  if (source.empty()) return {true, "clock source", "unknown", ""};
  const bool slow = source == "hpet" || source == "acpi_pm" || source == "jiffies";
  return {!slow, "clock source", source,
          slow ? "boot with clocksource=tsc tsc=reliable: reading this one is slow" : ""};
}

MachineFinding look_at_governors(const fs::path& root) {
  std::map<std::string, int> governors;
  std::error_code failed;
  for (const fs::directory_entry& entry : fs::directory_iterator(root / "sys/devices/system/cpu", failed)) {
    const std::string governor = line_of(entry.path() / "cpufreq/scaling_governor");
    if (!governor.empty()) ++governors[governor];
  }
  if (governors.empty()) return {true, "governor", "no frequency scaling is seen", ""};
  std::vector<std::string> found;
  for (const auto& [name, count] : governors) found.push_back(fmt::format("{} on {}", name, count));
  const bool good = governors.size() == 1 && governors.begin()->first == "performance";
  return {good, "governor", fmt::format("{} processors", fmt::join(found, ", ")),
          good ? "" : "cpupower frequency-set -g performance: a processor that slept is slow at first"};
}

MachineFinding look_at_isolation(const fs::path& root, const RealtimeSettings& settings) {
  const std::vector<int> isolated = processors_in(line_of(root / "sys/devices/system/cpu/isolated"));
  const std::vector<int> online = processors_in(line_of(root / "sys/devices/system/cpu/online"));
  const int last = online.empty() ? 1 : online.back();
  if (isolated.empty())
    return {false, "isolation", "no processor is kept free for the loop",
            fmt::format("boot with isolcpus={0} nohz_full={0} rcu_nocbs={0} and write <realtime processors=\"{0}\"/>",
                        last)};
  const std::string found = fmt::format("isolated: {}", fmt::join(isolated, ", "));
  const bool used =
      !settings.processors.empty() &&
      std::includes(isolated.begin(), isolated.end(), settings.processors.begin(), settings.processors.end());
  if (used) return {true, "isolation", found + "; the loop runs there", ""};
  return {false, "isolation", found + "; the loop does not run there",
          fmt::format("write <realtime processors=\"{}\"/> into the diagram or its rig", fmt::join(isolated, " "))};
}

MachineFinding look_at_latency(const RealtimeSettings& settings, double seconds, double period) {
  LatencyHistogram lateness;
  constexpr std::int64_t cycle = second_ns / 1000;
  LoopThread thread(settings, [&] {
    const std::int64_t end = monotonic_ns() + nanoseconds_of(seconds);
    for (std::int64_t due = monotonic_ns() + cycle; due < end;) {
      sleep_until(due);
      const std::int64_t now = monotonic_ns();
      lateness.add(now - due);
      due += ((now - due) / cycle + 1) * cycle;
    }
  });
  thread.join();
  constexpr std::int64_t usual_p99 = 200'000, usual_max = second_ns / 1000;
  const std::int64_t most = period > 0 ? std::min(usual_max, nanoseconds_of(period / 4)) : usual_max;
  const std::string found = fmt::format(
      "woke {} times, late by: p50 {}, p99 {}, max {}", lateness.count(), duration_in_words(lateness.percentile(0.5)),
      duration_in_words(lateness.percentile(0.99)), duration_in_words(lateness.max()));
  const bool good = lateness.percentile(0.99) <= usual_p99 && lateness.max() <= most;
  return {
      good, "latency", found,
      good ? ""
           : fmt::format("p99 should stay below {} and the longest below {}: end what else runs, see the lines above",
                         duration_in_words(usual_p99), duration_in_words(most))};
}

} // namespace

std::vector<int> processors_in(const std::string& list) {
  std::vector<int> processors;
  std::istringstream parts(list);
  constexpr int most = 4096;
  for (std::string part; std::getline(parts, part, ',');) {
    int first = 0, last = 0;
    const char* const end = part.data() + part.size();
    const auto [dash, fault] = std::from_chars(part.data(), end, first);
    if (fault != std::errc{} || first < 0) continue;
    const bool range = dash != end && *dash == '-' && std::from_chars(dash + 1, end, last).ec == std::errc{};
    if (!range) last = first;
    for (int p = first; p <= std::min(last, most); ++p) processors.push_back(p);
  }
  return processors;
}

std::vector<MachineFinding> look_at_kernel(const fs::path& root, const RealtimeSettings& settings) {
  return {look_at_preemption(root), look_at_runaway_guard(root), look_at_clock_source(root), look_at_governors(root),
          look_at_isolation(root, settings)};
}

std::vector<MachineFinding> look_at_rights(const RealtimeSettings& settings) {
  std::vector<MachineFinding> findings;
  const auto split = [&](const char* subject, const Refusals& refusals, const std::string& granted) {
    if (refusals.empty()) findings.push_back({true, subject, granted, ""});
    for (const std::string& each : refusals) {
      const std::size_t end = each.rfind("; ");
      findings.push_back({false, subject, each.substr(0, end), each.substr(end + 2)});
    }
  };
  const std::string where = settings.processors.empty()
                                ? std::string("any processor")
                                : fmt::format("processor {}", fmt::join(settings.processors, ", "));
  split("priority", LoopThread::probe(settings), fmt::format("SCHED_FIFO {} on {}", settings.priority, where));
  split("memory", LockedMemory().refusals(), "can be locked");
  return findings;
}

std::vector<MachineFinding> look_at_timing(const RealtimeSettings& settings, double seconds, double period) {
  timespec resolution{};
  clock_getres(CLOCK_MONOTONIC, &resolution);
  const std::int64_t ns = resolution.tv_sec * second_ns + resolution.tv_nsec;
  const bool fine = ns <= 1000;
  return {{fine, "timer", "resolution " + duration_in_words(ns),
           fine ? "" : "boot with highres=on, in a kernel with CONFIG_HIGH_RES_TIMERS"},
          look_at_latency(settings, seconds, period)};
}

} // namespace hilda::session
