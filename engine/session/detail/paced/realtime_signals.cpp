// SPDX-License-Identifier: BSD-3-Clause
#include "engine/session/detail/paced/realtime_signals.h"

namespace hilda::session {
namespace {

void add(LogChannelSource& to, const char* name, LogElement element, const void* data, const char* doc) {
  LogField field;
  field.name = name;
  field.element = element;
  field.unit = element == LogElement::f64 ? "s" : "";
  field.doc = doc;
  to.channel.fields.push_back(field);
  to.data.push_back(data);
}

} // namespace

LogChannelSource realtime_channel(const RealtimeSignals& signals) {
  LogChannelSource made{{"realtime", "realtime", RecordClass::acquired, 1, {}}, {}};
  add(made, "lost", LogElement::boolean, &signals.lost, "A device's cycle did not come, or the timer passed unserved");
  add(made, "late", LogElement::boolean, &signals.late, "The reply was not out when the next cycle was due");
  add(made, "periods", LogElement::i64, &signals.periods,
      "Where the timer moves something: periods of the clock since the tick before");
  add(made, "overdue", LogElement::i64, &signals.overdue,
      "Likewise: periods by which the tick before was sent too late; it was withheld then");
  add(made, "jitter", LogElement::f64, &signals.jitter, "Of the wake-up (timer) or of the packets' intervals (device)");
  add(made, "reply", LogElement::f64, &signals.reply, "From packet or due time until all was sent");
  add(made, "compute", LogElement::f64, &signals.compute, "Worked since the record before");
  return made;
}

std::vector<LogChannelSource> block_time_channels(const System& system, const BlockTimer& timer) {
  std::vector<LogChannelSource> channels;
  for (const BlockIndex b : system.blocks.indices()) {
    LogChannelSource made{{"realtime." + system.blocks[b].path, "block_time", RecordClass::observed, 1, {}}, {}};
    add(made, "time", LogElement::f64, &timer.since_record()[b], "Worked since the record before");
    channels.push_back(std::move(made));
  }
  return channels;
}

} // namespace hilda::session
