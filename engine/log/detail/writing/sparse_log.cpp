// SPDX-License-Identifier: BSD-3-Clause
#include "engine/log/sparse_log.h"

#include "engine/log/detail/format/channel_description.h"
#include "engine/log/detail/format/ros2_message.h"
#include "engine/log/detail/mcap/mcap_writer.h"
#include "engine/log/message_channels.h"

#include <algorithm>
#include <cstring>
#include <limits>

namespace hilda::log {
namespace {

/// Each signal has a separate channel, since they have samples at different ticks.
void write_channels(mcap::Writer& file, const std::vector<SparseSignal>& signals) {
  std::uint16_t id = 0;
  for (const SparseSignal& signal : signals) {
    const NumberedChannel numbered{signal.channel, id++};
    Ros2Type type = ros2_type(std::span(&signal.channel, 1));
    if (id > 1) type.name += std::to_string(id); // readers want different types to have different names
    file.schema(id, type.name, "ros2msg", type.text);
    file.channel(id, id, ros2_topic(signal.channel.path + "." + signal.channel.fields.front().name), "cdr",
                 {{channel_key, describe_channels(std::span(&numbered, 1))}});
  }
}

/// In the order of ticks, as every log is.
void write_samples(mcap::Writer& file, const Rational& period, const std::vector<SparseSignal>& signals) {
  std::vector<std::size_t> next(signals.size());
  const auto tick_of = [&](std::size_t i) {
    return next[i] < signals[i].ticks.size() ? signals[i].ticks[next[i]] : std::numeric_limits<std::int64_t>::max();
  };
  while (true) {
    std::size_t first = 0;
    for (std::size_t i = 1; i < signals.size(); ++i)
      if (tick_of(i) < tick_of(first)) first = i;
    const SparseSignal& signal = signals[first];
    if (next[first] == signal.ticks.size()) return;
    const std::int64_t tick = tick_of(first);
    const std::size_t bytes = signal.channel.fields.front().bytes();
    std::byte* const to =
        file.message(static_cast<std::uint16_t>(first + 1), *log_time_at(period, tick), message_prefix + bytes);
    std::memcpy(begin_message(to, tick), signal.numbers.data() + next[first] * (bytes / sizeof(double)), bytes);
    ++next[first];
    if (file.chunk_bytes() >= std::size_t{1} << 20) file.flush();
  }
}

} // namespace

bool write_sparse_log(std::unique_ptr<OutputFile> file, const Rational& period,
                      const std::vector<SparseSignal>& signals, std::string& error) {
  LogSchema schema;
  for (const SparseSignal& signal : signals) schema.channels.push_back(signal.channel);
  error = schema_fault(schema);
  for (const SparseSignal& signal : signals)
    if (!signal.ticks.empty() && !log_time_at(period, signal.ticks.back()))
      error = file->path() + " cannot be written: the times of a log are " + log_time_range;
  if (!error.empty()) return false;
  mcap::Writer writer;
  if (writer.open(std::move(file), "hilda")) {
    writer.metadata(log_record,
                    {{"format", "2"},
                     {"period", std::to_string(period.numerator()) + "/" + std::to_string(period.denominator())},
                     {"aliases", text_map_to_json({})}});
    write_channels(writer, signals);
    if (!signals.empty()) write_samples(writer, period, signals);
    if (!writer.failed()) writer.metadata(end_record, {{"lost_ticks", "0"}});
    if (writer.close()) return true;
  }
  error = writer.error();
  writer.drop();
  return false;
}

} // namespace hilda::log
