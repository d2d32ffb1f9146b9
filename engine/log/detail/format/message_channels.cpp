// SPDX-License-Identifier: BSD-3-Clause
#include "engine/log/message_channels.h"

#include "engine/log/detail/format/channel_description.h"

#include <array>
#include <cstring>
#include <map>
#include <set>

namespace hilda::log {
namespace {

/// Numbers the message types; channels with equal types share one, different types of one name get numbers.
class MessageTypes {
public:
  explicit MessageTypes(std::vector<Ros2Type>& types) : types_(types) {}

  std::size_t number_of(const Ros2Type& type) {
    const auto [known, fresh] = numbers_.emplace(std::pair(type.name, type.text), types_.size());
    if (!fresh) return known->second;
    std::string unique = type.name;
    for (int number = 2; !names_.insert(unique).second; ++number) unique = type.name + std::to_string(number);
    types_.push_back({unique, type.text});
    return known->second;
  }

private:
  std::vector<Ros2Type>& types_;
  std::map<std::pair<std::string, std::string>, std::size_t> numbers_;
  std::set<std::string> names_;
};

/// Viewers want one type a topic. It follows from the group alone, so that a layout made for one log fits the next.
std::string topic_of(const FrameGroup& group, const std::string& when) {
  std::string topic = group.subsystem.empty() ? outermost_topic : ros2_topic(group.subsystem);
  if (group.record_class == RecordClass::acquired) topic += "/acquired";
  if (group.divider > 1) topic += "/every_" + std::to_string(group.divider);
  return when.empty() ? topic : topic + "/when" + ros2_topic(when);
}

} // namespace

MessageChannels message_channels(const LogSchema& schema, const FrameLayout& layout) {
  MessageChannels all;
  MessageTypes types(all.types);
  std::set<std::string> topics{event_topic, lost_topic};
  for (const FrameGroup& group : layout.groups) {
    std::vector<LogChannel> channels;
    std::vector<NumberedChannel> numbered;
    for (const FrameGroup::Sample& sample : group.samples) {
      channels.push_back(schema.channels[sample.channel]);
      numbered.push_back({channels.back(), static_cast<std::int64_t>(sample.channel)});
    }
    std::string topic = topic_of(group, channels.front().when);
    for (int number = 2; !topics.insert(topic).second; ++number)
      topic = topic_of(group, channels.front().when) + "_" + std::to_string(number);
    all.channels.push_back({topic, types.number_of(ros2_type(channels)), describe_channels(numbered)});
  }
  all.channels.push_back({event_topic, types.number_of(ros2_event_type()), {}});
  all.channels.push_back({lost_topic, types.number_of(ros2_lost_type()), {}});
  return all;
}

std::byte* begin_message(std::byte* target, std::int64_t tick) {
  constexpr std::array<std::uint8_t, cdr_head> plain_little_endian{0, 1, 0, 0};
  std::memcpy(target, plain_little_endian.data(), cdr_head);
  std::memcpy(target + cdr_head, &tick, sizeof tick);
  return target + message_prefix;
}

} // namespace hilda::log
