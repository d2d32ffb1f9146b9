// SPDX-License-Identifier: BSD-3-Clause
#include "engine/log/detail/writing/frame_selection.h"

#include "engine/log/signal_names.h"

#include <cstring>
#include <map>
#include <optional>

namespace hilda::log {

/// Where in `latest_` the signals of all lie.
class FrameSelection::Places {
public:
  Places(const LogSchema& all, const FrameLayout& layout, const std::vector<std::size_t>& at)
      : all_(all), names_(all), channels_(all.channels.size()) {
    for (std::size_t g = 0; g < layout.groups.size(); ++g)
      for (const FrameGroup::Sample& sample : layout.groups[g].samples)
        channels_[sample.channel] = at[g] + sample.offset;
  }

  std::size_t of(std::size_t channel, std::size_t field) const {
    return channels_[channel] + sample_layout(all_.channels[channel]).offsets[field];
  }
  std::optional<std::size_t> of(const std::string& name) const {
    const std::optional<SignalPlace> found = names_.find(all_, name);
    if (!found) return std::nullopt;
    const LogField& field = all_.channels[found->channel].fields[found->field];
    return of(found->channel, found->field) + found->elements.first * element_bytes(field.element);
  }

private:
  const LogSchema& all_;
  SignalNames names_;
  std::vector<std::size_t> channels_;
};

FrameSelection::FrameSelection(const LogSchema& all, const std::vector<RecordSource>& sources, const LogSchema& kept)
    : all_(frame_layout(all)), kept_(frame_layout(kept)), made_(kept_.largest) {
  std::size_t bytes = 0;
  for (const FrameGroup& group : all_.groups) {
    at_.push_back(bytes);
    bytes += group.bytes;
  }
  latest_.resize(bytes);
  const Places places(all, all_, at_);
  for (const RecordSource& source : sources)
    std::memcpy(latest_.data() + places.of(source.channel, source.field), source.data, source.bytes);
  find_copies(kept, places);
}

void FrameSelection::find_copies(const LogSchema& kept, const Places& places) {
  for (const FrameGroup& group : kept_.groups) {
    Kept& wanted = wanted_.emplace_back();
    for (const FrameGroup::Sample& sample : group.samples) {
      const LogChannel& channel = kept.channels[sample.channel];
      const SampleLayout layout = sample_layout(channel);
      for (std::size_t f = 0; f < channel.fields.size(); ++f) {
        const std::string name = channel.path + "." + channel.fields[f].name;
        const std::optional<std::size_t> from = places.of(name);
        if (!from) fault_ = name;
        if (from) wanted.copies.push_back({*from, sample.offset + layout.offsets[f], channel.fields[f].bytes()});
      }
    }
    if (!group.conditional) continue;
    const std::string& when = kept.channels[group.samples.front().channel].when;
    const std::optional<std::size_t> flag = places.of(when);
    if (flag) wanted.flag = *flag;
    if (!flag) fault_ = when;
  }
}

/// All is recorded without conditions, so that no group has a word before it.
void FrameSelection::take(const FrameHeader& header, const std::byte* data) {
  for (std::size_t g = 0; g < all_.groups.size(); ++g) {
    const FrameGroup& group = all_.groups[g];
    if (!group.due(header.tick) || (header.observed == 0 && group.record_class == RecordClass::observed)) continue;
    std::memcpy(latest_.data() + at_[g], data, group.bytes);
    data += group.bytes;
  }
}

std::byte* FrameSelection::put(std::size_t group, std::byte* target) {
  const FrameGroup& layout = kept_.groups[group];
  const Kept& wanted = wanted_[group];
  if (layout.conditional) {
    const std::uint64_t present = latest_[wanted.flag] != std::byte{0} ? 1 : 0;
    std::memcpy(target, &present, sizeof present);
    target += FrameLayout::presence;
    if (present == 0) return target;
  }
  std::memset(target, 0, layout.bytes);
  for (const Copy& copy : wanted.copies) std::memcpy(target + copy.to, latest_.data() + copy.from, copy.bytes);
  return target + layout.bytes;
}

std::span<const std::byte> FrameSelection::operator()(std::span<const std::byte> frame) {
  FrameHeader header;
  std::memcpy(&header, frame.data(), sizeof header);
  if (header.kind != FrameHeader::Kind::samples) return frame;
  take(header, frame.data() + sizeof header);
  std::memcpy(made_.data(), &header, sizeof header);
  std::byte* end = made_.data() + sizeof header;
  for (std::size_t g = 0; g < kept_.groups.size(); ++g) {
    const FrameGroup& group = kept_.groups[g];
    if (!group.due(header.tick) || (header.observed == 0 && group.record_class == RecordClass::observed)) continue;
    end = put(g, end);
  }
  return {made_.data(), static_cast<std::size_t>(end - made_.data())};
}

} // namespace hilda::log
