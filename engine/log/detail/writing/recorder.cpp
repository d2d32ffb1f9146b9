// SPDX-License-Identifier: BSD-3-Clause
#include "engine/log/recorder.h"

#include <algorithm>
#include <chrono>
#include <cstring>
#include <thread>

namespace hilda::log {
namespace {

std::string name_of(const LogSchema& schema, std::size_t channel, std::size_t field) {
  return schema.channels[channel].path + "." + schema.channels[channel].fields[field].name;
}

/// The source of each field of each channel, or a text that says what is missing, double or of another size.
std::string sort_sources(const LogSchema& schema, const std::vector<RecordSource>& sources,
                         std::vector<std::vector<const RecordSource*>>& by_field) {
  for (const LogChannel& channel : schema.channels) by_field.emplace_back(channel.fields.size(), nullptr);
  for (const RecordSource& source : sources) {
    if (source.channel >= by_field.size() || source.field >= by_field[source.channel].size())
      return "a recorded signal names channel " + std::to_string(source.channel) + ", field " +
             std::to_string(source.field) + ", which the log does not have";
    const std::string name = name_of(schema, source.channel, source.field);
    const std::size_t bytes = schema.channels[source.channel].fields[source.field].bytes();
    if (source.bytes != bytes)
      return name + ": the log expects " + std::to_string(bytes) + " bytes, the signal has " +
             std::to_string(source.bytes);
    if (source.data == nullptr) return name + ": the signal has no memory";
    if ((source.when == nullptr) != schema.channels[source.channel].when.empty())
      return name + ": its channel has a condition and the signal has none, or the other way round";
    if (by_field[source.channel][source.field] != nullptr) return name + ": recorded twice";
    by_field[source.channel][source.field] = &source;
  }
  for (std::size_t c = 0; c < by_field.size(); ++c)
    for (std::size_t f = 0; f < by_field[c].size(); ++f)
      if (by_field[c][f] == nullptr) return name_of(schema, c, f) + ": in the log's schema but not recorded";
  return {};
}

} // namespace

Recorder::Recorder(FrameRing& ring, WhenFull when_full, std::size_t largest)
    : ring_(&ring), when_full_(when_full), largest_(largest) {}

std::optional<Recorder> Recorder::create(const LogSchema& schema, const std::vector<RecordSource>& sources,
                                         FrameRing& ring, WhenFull when_full, std::string& error) {
  std::vector<std::vector<const RecordSource*>> by_field;
  error = schema_fault(schema);
  if (!error.empty()) return std::nullopt;
  error = sort_sources(schema, sources, by_field);
  if (!error.empty()) return std::nullopt;
  const FrameLayout layout = frame_layout(schema);
  const std::size_t largest = std::max(layout.largest, sizeof(FrameHeader) + 2 * sizeof(std::uint32_t) + largest_event);
  if (largest > ring.largest_frame() / 2) {
    error = "one tick is " + std::to_string(largest) + " bytes; the ring of " + std::to_string(ring.capacity()) +
            " bytes holds too few of them";
    return std::nullopt;
  }
  Recorder recorder(ring, when_full, largest);
  for (const FrameGroup& frame : layout.groups) {
    Group group{.record_class = frame.record_class, .divider = frame.divider, .bytes = frame.bytes};
    for (const FrameGroup::Sample& sample : frame.samples) {
      const SampleLayout places = sample_layout(schema.channels[sample.channel]);
      for (std::size_t f = 0; f < places.offsets.size(); ++f) {
        const RecordSource& source = *by_field[sample.channel][f];
        group.when = source.when;
        group.copies.push_back({source.data, sample.offset + places.offsets[f], source.bytes});
      }
    }
    std::sort(group.copies.begin(), group.copies.end(),
              [](const Copy& a, const Copy& b) { return a.offset < b.offset; });
    std::size_t end = 0;
    const auto fill_to = [&](std::size_t begin) { // a gap is shorter than a word
      if (begin > end) group.padding.push_back(end / 8 * 8);
    };
    for (const Copy& copy : group.copies) {
      fill_to(copy.offset);
      end = copy.offset + copy.bytes;
    }
    fill_to(frame.bytes);
    recorder.groups_.push_back(std::move(group));
  }
  recorder.join_neighbours();
  return recorder;
}

/// Signals that lie side by side in memory and in the frame become one copy.
void Recorder::join_neighbours() {
  for (Group& group : groups_) {
    std::vector<Copy> joined;
    for (const Copy& copy : group.copies) {
      if (!joined.empty()) {
        Copy& last = joined.back();
        if (static_cast<const std::byte*>(last.source) + last.bytes == copy.source &&
            last.offset + last.bytes == copy.offset) {
          last.bytes += copy.bytes;
          continue;
        }
      }
      joined.push_back(copy);
    }
    group.copies = std::move(joined);
  }
}

void Recorder::gather(const Group& group, std::byte* target) noexcept {
  for (const std::size_t offset : group.padding) std::memset(target + offset, 0, 8);
  for (const Copy& copy : group.copies) {
    // sizes known to the compiler become plain moves
    switch (copy.bytes) {
    case 1: std::memcpy(target + copy.offset, copy.source, 1); break;
    case 8: std::memcpy(target + copy.offset, copy.source, 8); break;
    case 24: std::memcpy(target + copy.offset, copy.source, 24); break;
    case 48: std::memcpy(target + copy.offset, copy.source, 48); break;
    case 56: std::memcpy(target + copy.offset, copy.source, 56); break;
    default: std::memcpy(target + copy.offset, copy.source, copy.bytes);
    }
  }
}

/// A group as it is in a frame; where the next one begins.
std::byte* Recorder::put(const Group& group, std::byte* target) noexcept {
  const std::uint64_t wanted = group.wanted() ? 1 : 0;
  if (group.presence() > 0) std::memcpy(target, &wanted, sizeof wanted);
  target += group.presence();
  if (wanted == 0) return target;
  gather(group, target);
  return target + group.bytes;
}

std::byte* Recorder::reserve(std::size_t all, std::size_t acquired, FrameHeader& header) noexcept {
  if (when_full_ == WhenFull::wait || all == acquired) return ring_->reserve(all);
  if (std::byte* const whole = ring_->reserve(all, ring_->capacity() / 2)) return whole;
  header.lost = ++lost_;
  header.observed = 0;
  return ring_->reserve(acquired);
}

RecordStatus Recorder::record(std::int64_t tick) noexcept {
  std::size_t acquired = sizeof(FrameHeader), all = sizeof(FrameHeader);
  bool any = false;
  for (const Group& group : groups_) {
    if (!group.due(tick)) continue;
    const bool wanted = group.wanted();
    any = any || wanted;
    all += group.presence() + (wanted ? group.bytes : 0);
    if (group.record_class == RecordClass::acquired) acquired += group.bytes;
  }
  if (!any) return RecordStatus::recorded;

  FrameHeader header{.tick = tick, .lost = lost_};
  std::byte* target = reserve(all, acquired, header);
  if (target == nullptr) return RecordStatus::no_room;
  std::memcpy(target, &header, sizeof header);
  target += sizeof header;
  for (const Group& group : groups_) {
    if (!group.due(tick) || (header.observed == 0 && group.record_class == RecordClass::observed)) continue;
    target = put(group, target);
  }
  ring_->commit();
  return header.observed != 0 ? RecordStatus::recorded : RecordStatus::observed_lost;
}

bool Recorder::event(std::int64_t tick, std::string_view kind, std::string_view text) noexcept {
  if (kind.size() + text.size() > largest_event) return false;
  const std::uint32_t sizes[2] = {static_cast<std::uint32_t>(kind.size()), static_cast<std::uint32_t>(text.size())};
  std::byte* target = ring_->reserve(sizeof(FrameHeader) + sizeof sizes + kind.size() + text.size());
  if (target == nullptr) return false;
  const FrameHeader header{.tick = tick, .lost = lost_, .kind = FrameHeader::Kind::event};
  std::memcpy(target, &header, sizeof header);
  std::memcpy(target + sizeof header, sizes, sizeof sizes);
  target += sizeof header + sizeof sizes;
  if (!kind.empty()) std::memcpy(target, kind.data(), kind.size());
  if (!text.empty()) std::memcpy(target + kind.size(), text.data(), text.size());
  ring_->commit();
  return true;
}

void Recorder::wait_for_room() noexcept {
  while (!has_room()) std::this_thread::sleep_for(std::chrono::microseconds(200));
}

} // namespace hilda::log
