// SPDX-License-Identifier: BSD-3-Clause
#include "engine/log/frame_layout.h"

#include <algorithm>
#include <map>
#include <string>
#include <tuple>
#include <utility>

namespace hilda::log {

SampleLayout sample_layout(const LogChannel& channel) {
  SampleLayout layout;
  layout.offsets.resize(channel.fields.size());
  for (const std::size_t width : {std::size_t{8}, std::size_t{1}}) {
    for (std::size_t i = 0; i < channel.fields.size(); ++i) {
      if (element_bytes(channel.fields[i].element) != width) continue;
      layout.offsets[i] = layout.bytes;
      layout.bytes += channel.fields[i].bytes();
    }
  }
  return layout;
}

MessageLayout message_layout(std::span<const LogChannel> channels) {
  MessageLayout layout;
  for (const LogChannel& channel : channels) {
    const bool aligned = std::any_of(channel.fields.begin(), channel.fields.end(),
                                     [](const LogField& field) { return element_bytes(field.element) == 8; });
    if (aligned) layout.bytes = (layout.bytes + 7) / 8 * 8;
    layout.offsets.push_back(layout.bytes);
    layout.sizes.push_back(sample_layout(channel).bytes);
    layout.bytes += layout.sizes.back();
  }
  return layout;
}

std::string_view subsystem_of(std::string_view path) {
  const std::size_t dot = path.rfind('.');
  return dot == std::string_view::npos ? std::string_view{} : path.substr(0, dot);
}

namespace {

void lay_out(FrameGroup& group, const LogSchema& schema) {
  std::vector<LogChannel> channels;
  for (const FrameGroup::Sample& sample : group.samples) channels.push_back(schema.channels[sample.channel]);
  const MessageLayout layout = message_layout(channels);
  for (std::size_t s = 0; s < group.samples.size(); ++s) {
    group.samples[s].offset = layout.offsets[s];
    group.samples[s].bytes = layout.sizes[s];
  }
  group.message_bytes = layout.bytes;
  group.bytes = (layout.bytes + 7) / 8 * 8;
}

} // namespace

FrameLayout frame_layout(const LogSchema& schema) {
  std::map<std::tuple<bool, std::int64_t, std::string, std::string_view>, FrameGroup> groups;
  for (std::size_t i = 0; i < schema.channels.size(); ++i) {
    const LogChannel& channel = schema.channels[i];
    const std::string_view subsystem = subsystem_of(channel.path);
    FrameGroup& group =
        groups[{channel.record_class == RecordClass::observed, channel.divider, channel.when, subsystem}];
    group.subsystem = subsystem;
    group.record_class = channel.record_class;
    group.divider = channel.divider;
    group.conditional = !channel.when.empty();
    group.samples.push_back({i, 0, 0});
  }
  FrameLayout layout;
  for (auto& [key, group] : groups) {
    lay_out(group, schema);
    layout.largest += group.bytes + (group.conditional ? FrameLayout::presence : 0);
    layout.groups.push_back(std::move(group));
  }
  return layout;
}

} // namespace hilda::log
