#include "engine/log/frame_layout.h"

#include <map>
#include <string>
#include <tuple>
#include <utility>

namespace hilda {

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

FrameLayout frame_layout(const LogSchema& schema) {
  std::map<std::tuple<bool, std::int64_t, std::string>, FrameGroup> groups;
  for (std::size_t i = 0; i < schema.channels.size(); ++i) {
    const LogChannel& channel = schema.channels[i];
    FrameGroup& group = groups[{channel.record_class == RecordClass::observed, channel.divider, channel.when}];
    group.record_class = channel.record_class;
    group.divider = channel.divider;
    group.conditional = !channel.when.empty();
    const std::size_t bytes = sample_layout(channel).bytes;
    group.samples.push_back({i, group.bytes, bytes});
    group.bytes += (bytes + 7) / 8 * 8;
  }
  FrameLayout layout;
  for (auto& [key, group] : groups) {
    layout.largest += group.bytes + (group.conditional ? FrameLayout::presence : 0);
    layout.groups.push_back(std::move(group));
  }
  return layout;
}

} // namespace hilda
