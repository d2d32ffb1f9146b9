// SPDX-License-Identifier: BSD-3-Clause
#include "engine/session/detail/replay/comparison.h"

#include "engine/session/run_log.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <map>
#include <set>

namespace hilda::session {
namespace {

/// Channels that the loop records of itself.
bool of_loop(const LogChannel& channel) { return channel.path == "realtime" || channel.path.starts_with("realtime."); }

double number_at(const std::byte* data, LogElement element, std::size_t index) {
  if (element == LogElement::boolean) return std::to_integer<int>(data[index]) != 0 ? 1 : 0;
  const std::byte* at = data + index * 8;
  if (element == LogElement::f64) {
    double number = 0;
    std::memcpy(&number, at, sizeof number);
    return number;
  }
  if (element == LogElement::u64) {
    std::uint64_t number = 0;
    std::memcpy(&number, at, sizeof number);
    return static_cast<double>(number);
  }
  std::int64_t number = 0;
  std::memcpy(&number, at, sizeof number);
  return static_cast<double>(number);
}

/// How far apart, for ranking: a NaN on one side is farthest.
double distance(const Difference& difference) {
  const double apart = std::abs(difference.recorded - difference.computed);
  return std::isnan(apart) ? HUGE_VAL : apart;
}

std::map<std::string, std::size_t> ranks(const Runtime& runtime) {
  std::map<std::string, std::size_t> rank;
  for (const BlockIndex block : runtime.plan().memory) rank.emplace(runtime.system().blocks[block].path, rank.size());
  return rank;
}

} // namespace

Comparison::Comparison(const Runtime& runtime, const Log& log) {
  RunLogOptions everything;
  everything.everything = true;
  const RecordedSignals computed = recorded_signals(runtime, everything);
  std::map<std::string, const RecordSource*> sources;
  for (const RecordSource& source : computed.sources) {
    const LogChannel& channel = computed.channels[source.channel];
    sources.emplace(channel.path + "." + channel.fields[source.field].name, &source);
  }
  const auto rank = ranks(runtime);
  std::set<std::string> matched;
  of_channel_.resize(log.schema().channels.size());
  for (std::size_t c = 0; c < of_channel_.size(); ++c) {
    const LogChannel& channel = log.schema().channels[c];
    if (of_loop(channel)) continue;
    const SampleLayout layout = sample_layout(channel);
    for (std::size_t f = 0; f < channel.fields.size(); ++f) {
      const LogField& field = channel.fields[f];
      const std::string name = channel.path + "." + field.name;
      const auto found = sources.find(name);
      if (found == sources.end() || found->second->bytes != field.bytes()) {
        only_recorded_.push_back(name);
        continue;
      }
      matched.insert(name);
      const auto ranked = rank.find(channel.path);
      of_channel_[c].push_back(fields_.size());
      fields_.push_back({.name = name,
                         .shape = field,
                         .data = static_cast<const std::byte*>(found->second->data),
                         .offset = layout.offsets[f],
                         .rank = ranked == rank.end() ? rank.size() : ranked->second});
    }
  }
  for (const auto& [name, source] : sources)
    if (!matched.contains(name)) only_computed_.push_back(name);
}

void Comparison::look(std::size_t channel, std::int64_t tick, std::span<const std::byte> data) {
  for (const std::size_t f : of_channel_[channel]) {
    Field& field = fields_[f];
    ++samples_;
    const std::byte* recorded = data.data() + field.offset;
    if (std::memcmp(recorded, field.data, field.shape.bytes()) != 0) compare(field, tick, recorded);
  }
}

void Comparison::compare(Field& field, std::int64_t tick, const std::byte* recorded) {
  const std::size_t bytes = element_bytes(field.shape.element);
  for (std::size_t e = 0; e < field.shape.elements(); ++e) {
    if (std::memcmp(recorded + e * bytes, field.data + e * bytes, bytes) == 0) continue;
    const Difference found{.signal = field.name + element_suffix(field.shape, e),
                           .unit = field.shape.unit,
                           .tick = tick,
                           .recorded = number_at(recorded, field.shape.element, e),
                           .computed = number_at(field.data, field.shape.element, e)};
    if (field.differing == 0 && field.first.signal.empty()) field.first = field.worst = found;
    if (distance(found) > distance(field.worst)) field.worst = found;
  }
  ++field.differing;
}

std::vector<Comparison::Finding> Comparison::findings() const {
  std::vector<const Field*> differing;
  for (const Field& field : fields_)
    if (field.differing > 0) differing.push_back(&field);
  std::stable_sort(differing.begin(), differing.end(), [](const Field* a, const Field* b) {
    return a->first.tick != b->first.tick ? a->first.tick < b->first.tick : a->rank < b->rank;
  });
  std::vector<Finding> findings;
  for (const Field* field : differing) findings.push_back({field->first, field->worst, field->differing});
  return findings;
}

} // namespace hilda::session
