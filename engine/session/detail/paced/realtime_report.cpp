// SPDX-License-Identifier: BSD-3-Clause
#include "engine/session/realtime_report.h"

#include "engine/session/detail/machine/monotonic.h"

#include <cmath>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace hilda::session {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t overruns_printed = 5;
constexpr const char* indent = "          ";

struct Percentile {
  const char *key, *words;
  double q;
};
constexpr Percentile percentiles[] = {{"p50", "p50", 0.5}, {"p99", "p99", 0.99}, {"p999", "p99.9", 0.999}};

void add_percentiles(Json& to, const std::string& name, const LatencyHistogram& times) {
  for (const Percentile& each : percentiles) to[name + "_" + each.key] = seconds_of(times.percentile(each.q));
  to[name + "_max"] = seconds_of(times.max());
}

std::string percentile_line(const char* name, const LatencyHistogram& times) {
  std::string line = fmt::format("{}{:<8}", indent, name);
  for (const Percentile& each : percentiles)
    line += fmt::format("{} {}, ", each.words, duration_in_words(times.percentile(each.q)));
  return line + fmt::format("max {}\n", duration_in_words(times.max()));
}

const std::string& path_of(const System& system, const BlockTimer::Share& share) {
  return system.blocks[share.block].path;
}

Json overrun_document(const Overrun& overrun, const System& system) {
  Json blocks = Json::object();
  for (const BlockTimer::Share& share : overrun.slowest)
    if (share.block.valid()) blocks[path_of(system, share)] = seconds_of(share.ns);
  return {{"tick", overrun.tick},
          {"took", seconds_of(overrun.took)},
          {"slowest", blocks},
          {"elsewhere", seconds_of(overrun.elsewhere)}};
}

std::string overrun_line(const Overrun& overrun, const System& system, double period) {
  std::string line =
      fmt::format("{}overrun at t = {:.6g} s (tick {}): {}; slowest:", indent,
                  static_cast<double>(overrun.tick) * period, overrun.tick, duration_in_words(overrun.took));
  for (const BlockTimer::Share& share : overrun.slowest)
    if (share.block.valid()) line += fmt::format(" {} {},", path_of(system, share), duration_in_words(share.ns));
  return line + fmt::format(" outside of all blocks {}\n", duration_in_words(overrun.elsewhere));
}

std::string counts_line(const RealtimeFigures& f) {
  std::string line =
      fmt::format("realtime  paced by {}, {}: {} ticks, {} lost, {} late", f.clock == "timer" ? "the timer" : f.clock,
                  duration_in_words(nanoseconds_of(f.period)), f.ticks, f.lost, f.late);
  if (f.witnessed) line += fmt::format(" and {} while the machine kept the witness waiting too", f.witness_late);
  return line + fmt::format(", {} overrun{}\n", f.overruns, f.overruns == 1 ? "" : "s");
}

} // namespace

Json realtime_document(const RealtimeFigures& f, const System& system) {
  Json document = {{"period", f.period}, {"clock", f.clock}, {"ticks", f.ticks},
                   {"late", f.late},     {"lost", f.lost},   {"overruns", f.overruns}};
  add_percentiles(document, "jitter", f.jitter);
  add_percentiles(document, "reply", f.reply);
  add_percentiles(document, "compute", f.compute);
  document["witness_late"] = f.witnessed ? Json(f.witness_late) : Json(nullptr);
  if (f.witnessed) add_percentiles(document, "witness", f.witness);
  document["log_dropped"] = f.log_dropped;
  document["log_unrecorded"] = f.log_unrecorded;
  Json& first = document["first_overruns"] = Json::array();
  for (const Overrun& each : f.overruns_kept) first.push_back(overrun_document(each, system));
  return document;
}

std::string realtime_text(const RealtimeFigures& f, const System& system) {
  std::string text = counts_line(f);
  if (f.reply.count() == 0) return text;
  text += percentile_line("jitter", f.jitter) + f.jitter.chart(indent);
  text += percentile_line("reply", f.reply) + f.reply.chart(indent);
  if (f.compute.count() > 0) text += percentile_line("compute", f.compute) + f.compute.chart(indent);
  if (f.witnessed) text += percentile_line("witness", f.witness);
  for (std::size_t i = 0; i < std::min(f.overruns_kept.size(), overruns_printed); ++i)
    text += overrun_line(f.overruns_kept[i], system, f.period);
  if (f.log_dropped > 0)
    text +=
        fmt::format("{}the log lacks the observed signals of {} ticks: its disk was behind\n", indent, f.log_dropped);
  if (f.log_unrecorded > 0) text += fmt::format("{}the log lacks {} ticks\n", indent, f.log_unrecorded);
  return text;
}

} // namespace hilda::session
