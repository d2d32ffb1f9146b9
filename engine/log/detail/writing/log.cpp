// SPDX-License-Identifier: BSD-3-Clause
#include "engine/log/log.h"

#include "engine/base/diagnostic.h"
#include "engine/log/detail/format/channel_description.h"
#include "engine/log/detail/format/ros2_message.h"

#include <algorithm>
#include <cstring>
#include <set>
#include <unistd.h>

namespace hilda::log {
namespace {

/// Appends elements of a sample to a signal's values.
struct Append {
  const std::byte* from;
  std::size_t count;

  template <typename Element> void operator()(std::vector<Element>& values) const {
    values.resize(values.size() + count);
    std::memcpy(values.data() + values.size() - count, from, count * sizeof(Element));
  }
};

Signal empty_signal(const std::string& name, const LogField& field, const ElementRange& elements) {
  Signal signal;
  signal.name = name;
  signal.field = field;
  if (elements.count != field.elements() || elements.first != 0) {
    signal.field.rows = static_cast<std::int64_t>(elements.count);
    signal.field.cols = 1;
    signal.field.kind.clear();
  }
  switch (field.element) {
  case LogElement::f64: signal.values = std::vector<double>(); break;
  case LogElement::i64: signal.values = std::vector<std::int64_t>(); break;
  case LogElement::u64: signal.values = std::vector<std::uint64_t>(); break;
  case LogElement::boolean: signal.values = std::vector<std::uint8_t>(); break;
  }
  return signal;
}

} // namespace

double Signal::value(std::size_t sample, std::size_t element) const {
  const std::size_t index = sample * field.elements() + element;
  return std::visit([index](const auto& all) { return static_cast<double>(all[index]); }, values);
}

std::vector<double> Signal::column(std::size_t element) const {
  std::vector<double> column(samples());
  for (std::size_t i = 0; i < column.size(); ++i) column[i] = value(i, element);
  return column;
}

std::optional<Log> Log::open(const std::string& path, std::string& error) {
  // a run in progress, or one that was killed, has its log next to the name
  const std::string part = path + ".part";
  const bool unfinished = ::access(path.c_str(), F_OK) != 0 && ::access(part.c_str(), F_OK) == 0;
  auto reader = mcap::Reader::open(unfinished ? part : path, error);
  if (!reader) return std::nullopt;
  Log log(std::move(*reader));
  if (!log.read_head(error)) {
    error = path + ": " + error;
    return std::nullopt;
  }
  return log;
}

bool Log::read_head(std::string& error) {
  std::optional<Rational> period;
  std::string format;
  for (const mcap::MetadataRecord& record : reader_.metadata()) {
    const auto& name = record.name;
    const auto& values = record.values;
    if (name == run_record) schema_.metadata = values;
    if (name == end_record) end_ = values;
    if (name != log_record) continue;
    const auto text_of = [&values](const char* key) {
      const auto found = values.find(key);
      return found == values.end() ? std::string() : found->second;
    };
    format = text_of("format");
    period = period_from(text_of("period"));
    if (auto aliases = text_map_from_json(text_of("aliases"))) schema_.aliases = std::move(*aliases);
  }
  const bool known = format == "1" || format == "2";
  if (!known || !period) {
    error = format.empty() || known
                ? "this log says nothing about itself: it is cut before its first sample, or is not one of hilda's"
                : "this log has format " + format + ", this program reads formats 1 and 2";
    return false;
  }
  schema_.period = *period;
  for (const auto& file : reader_.attachments()) schema_.files.push_back({file.name, file.media_type, file.data});
  read_channels();
  return true;
}

/// Channels as they are in one channel record of the file.
struct Log::Description {
  std::uint16_t id = 0;
  std::size_t place = 0; ///< of the sample in the message
  NumberedChannel numbered;
};

void Log::read_channels() {
  std::vector<Description> descriptions;
  std::set<std::string> paths;
  std::set<std::uint16_t> ids;
  for (const mcap::ChannelRecord& record : reader_.channels()) {
    if (record.topic == event_topic) event_channel_ = record.id;
    if (record.topic == lost_topic) lost_channel_ = record.id;
    const auto description = record.metadata.find(channel_key);
    if (description == record.metadata.end()) continue;
    auto channels = channels_from_description(description->second, static_cast<std::int64_t>(descriptions.size()));
    LogSchema alone;
    for (const NumberedChannel& each : channels) alone.channels.push_back(each.channel);
    const auto known = [&](const LogChannel& channel) {
      return std::any_of(channel.fields.begin(), channel.fields.end(),
                         [&](const LogField& field) { return paths.contains(channel.path + "." + field.name); });
    };
    const bool sound = !channels.empty() && schema_fault(alone).empty() &&
                       std::none_of(alone.channels.begin(), alone.channels.end(), known) &&
                       ids.insert(record.id).second;
    if (!sound) {
      problems_.push_back(record.topic + ": this channel's description is damaged; it is left out");
      continue;
    }
    for (const LogChannel& channel : alone.channels)
      for (const LogField& field : channel.fields) paths.insert(channel.path + "." + field.name);
    const MessageLayout layout = message_layout(alone.channels);
    parts_.resize(std::max<std::size_t>(parts_.size(), std::size_t{record.id} + 1));
    for (std::size_t i = 0; i < channels.size(); ++i) {
      parts_[record.id].push_back({0, layout.offsets[i], layout.sizes[i]});
      descriptions.push_back({record.id, i, std::move(channels[i])});
    }
  }
  add_channels(descriptions);
}

/// In the order of the run's channels, which is not that of the messages.
void Log::add_channels(std::vector<Description>& descriptions) {
  std::stable_sort(descriptions.begin(), descriptions.end(),
                   [](const Description& a, const Description& b) { return a.numbered.number < b.numbered.number; });
  for (Description& each : descriptions) {
    LogChannel& channel = each.numbered.channel;
    parts_[each.id][each.place].channel = schema_.channels.size();
    schema_.channels.push_back(std::move(channel));
  }
  names_ = SignalNames(schema_);
}

void Log::verify() {
  rewind();
  reader_.verify();
}

std::vector<std::string> Log::problems() const {
  std::vector<std::string> all = reader_.problems();
  all.insert(all.end(), problems_.begin(), problems_.end());
  if (short_samples_ > 0)
    all.push_back(std::to_string(short_samples_) + " samples are shorter than their channel and are left out");
  if (strange_ > 0)
    all.push_back(std::to_string(strange_) + (strange_ == 1 ? " message has" : " messages have") +
                  " a time that is not that of a tick: left out");
  if (broken_events_ > 0)
    all.push_back(std::to_string(broken_events_) +
                  (broken_events_ == 1 ? " event cannot be read: it is" : " events cannot be read: they are") +
                  " left out");
  return all;
}

std::vector<std::string> Log::matching(const std::string& word) const {
  if (find(word)) return {word};
  std::vector<std::string> under;
  std::copy_if(signal_names().begin(), signal_names().end(), std::back_inserter(under),
               [&](const std::string& name) { return name.starts_with(word + "."); });
  return under;
}

std::string Log::missing(const std::string& name) const {
  const std::string near = names_.nearest_to(name);
  if (near == name) return "\"" + name + "\" is a block or a subsystem and no signal: name one of its signals";
  return "the log has no signal \"" + name + "\"" + (near.empty() ? "" : "; the nearest is \"" + near + "\"");
}

std::optional<std::vector<Signal>> Log::signals(const std::vector<std::string>& names, std::string& error) {
  struct Wanted {
    std::size_t signal, offset;
    ElementRange elements;
  };
  std::vector<Signal> signals;
  std::vector<std::vector<Wanted>> wanted(schema_.channels.size());
  std::vector<std::shared_ptr<TimeAxis>> axes(schema_.channels.size());
  for (const std::string& name : names) {
    const auto place = find(name);
    if (!place) {
      error = missing(name);
      return std::nullopt;
    }
    const LogChannel& channel = schema_.channels[place->channel];
    const LogField& field = channel.fields[place->field];
    const std::size_t offset =
        sample_layout(channel).offsets[place->field] + place->elements.first * element_bytes(field.element);
    wanted[place->channel].push_back({signals.size(), offset, place->elements});
    signals.push_back(empty_signal(name, field, place->elements));
    auto& axis = axes[place->channel];
    if (!axis) axis = std::make_shared<TimeAxis>();
    signals.back().axis = axis;
  }
  rewind();
  Sample sample;
  while (next(sample)) {
    if (wanted[sample.channel].empty()) continue;
    axes[sample.channel]->ticks.push_back(sample.tick);
    axes[sample.channel]->seconds.push_back(seconds_at(schema_.period, sample.tick));
    for (const Wanted& want : wanted[sample.channel])
      std::visit(Append{sample.data.data() + want.offset, want.elements.count}, signals[want.signal].values);
  }
  return signals;
}

std::optional<Signal> Log::signal(const std::string& name, std::string& error) {
  auto all = signals({name}, error);
  if (!all) return std::nullopt;
  return std::move(all->front());
}

void Log::rewind() {
  reader_.rewind();
  short_now_ = strange_now_ = 0;
  next_part_ = parts_of_message_ = 0;
}

bool Log::next(Sample& sample) {
  while (true) {
    while (next_part_ < parts_of_message_) {
      const Part& part = parts_[message_.channel][next_part_++];
      if (message_.data.size() < message_prefix + part.offset + part.bytes) {
        short_samples_ = std::max(short_samples_, ++short_now_);
        continue;
      }
      sample.channel = part.channel;
      std::memcpy(&sample.tick, message_.data.data() + cdr_head, sizeof sample.tick);
      sample.data = message_.data.subspan(message_prefix + part.offset, part.bytes);
      return true;
    }
    next_part_ = parts_of_message_ = 0;
    if (!reader_.next(message_)) return false;
    if (message_.channel >= parts_.size() || parts_[message_.channel].empty()) continue;
    if (in_time(message_))
      parts_of_message_ = parts_[message_.channel].size();
    else
      strange_ = std::max(strange_, ++strange_now_);
  }
}

/// A message that is too short for a tick is not reported from here.
bool Log::in_time(const mcap::MessageView& message) const {
  if (message.data.size() < message_prefix) return true;
  std::int64_t tick = 0;
  std::memcpy(&tick, message.data.data() + cdr_head, sizeof tick);
  return is_time_of(schema_.period, tick, message.nanoseconds);
}

bool Log::next_of(std::uint16_t channel_id, mcap::MessageView& message) {
  while (reader_.next(message))
    if (message.channel == channel_id && message.data.size() >= message_prefix && in_time(message)) return true;
  return false;
}

std::vector<LogEvent> Log::events() {
  std::vector<LogEvent> events;
  if (event_channel_ < 0) return events;
  rewind();
  broken_events_ = 0;
  mcap::MessageView message;
  while (next_of(static_cast<std::uint16_t>(event_channel_), message)) {
    LogEvent event;
    std::memcpy(&event.tick, message.data.data() + cdr_head, sizeof event.tick);
    std::optional<EventRead> read = read_event(message.data.subspan(message_prefix));
    if (!read) {
      ++broken_events_;
      continue;
    }
    event.kind = std::move(read->kind), event.text = std::move(read->text);
    event.inputs = std::move(read->inputs);
    if (!event.inputs.empty()) event.text = text_of_numbers(event.inputs);
    events.push_back(std::move(event));
  }
  return events;
}

std::uint64_t Log::lost_ticks() {
  std::uint64_t lost = 0;
  if (lost_channel_ < 0) return lost;
  rewind();
  mcap::MessageView message;
  while (next_of(static_cast<std::uint16_t>(lost_channel_), message))
    if (message.data.size() >= message_prefix + sizeof lost)
      std::memcpy(&lost, message.data.data() + message_prefix, sizeof lost);
  return lost;
}

} // namespace hilda::log
