// SPDX-License-Identifier: BSD-3-Clause
#include "tools/studio/detail/clients/signal_reader.h"

#include "engine/log/signal_pattern.h"

#include <cstring>
#include <limits>

namespace hilda::studio {
namespace {

/// Where the samples of a channel lie: in which group, and where in it.
std::pair<std::size_t, std::size_t> place_of(const FrameLayout& layout, std::size_t channel) {
  for (std::size_t g = 0; g < layout.groups.size(); ++g)
    for (const FrameGroup::Sample& sample : layout.groups[g].samples)
      if (sample.channel == channel) return {g, sample.offset};
  return {0, 0};
}

} // namespace

std::string FrameReader::add(const std::string& signal, const ServedSignals& signals) {
  const std::optional<SignalPlace> place = signals.names.find(signals.schema, signal);
  if (!place) {
    const std::string near = signals.names.nearest_to(signal);
    return "there is no such signal" + (near.empty() ? "" : "; the nearest is " + near);
  }
  const LogChannel& channel = signals.schema.channels[place->channel];
  const LogField& field = channel.fields[place->field];
  const auto [group, begin] = place_of(signals.layout, place->channel);
  const std::size_t offset = begin + sample_layout(channel).offsets[place->field];
  for (std::size_t i = 0; i < place->elements.count; ++i) {
    const std::size_t element = place->elements.first + i;
    sources_.push_back({group, offset + element * element_bytes(field.element), field.element});
    columns_.push_back(
        {channel.path + "." + field.name + element_suffix(field, element), element_unit(field, element)});
  }
  latest_.assign(sources_.size(), std::numeric_limits<double>::quiet_NaN());
  return {};
}

double FrameReader::read(const Source& source, const std::byte* data) {
  const auto number = [from = data + source.offset](auto value) {
    std::memcpy(&value, from, sizeof value);
    return static_cast<double>(value);
  };
  switch (source.element) {
  case LogElement::i64: return number(std::int64_t{0});
  case LogElement::u64: return number(std::uint64_t{0});
  case LogElement::boolean: return number(std::uint8_t{0});
  case LogElement::f64: break;
  }
  return number(0.0);
}

bool FrameReader::take(const TickSamples& samples) {
  bool due = false;
  for (std::size_t i = 0; i < sources_.size(); ++i) {
    const std::byte* const data = samples.groups[sources_[i].group];
    if (data == nullptr) continue;
    latest_[i] = read(sources_[i], data);
    due = true;
  }
  return due;
}

} // namespace hilda::studio
