// SPDX-License-Identifier: BSD-3-Clause
#include "engine/session/detail/channels/channel_look.h"

#include <algorithm>
#include <cmath>

namespace hilda::session {
namespace {

constexpr std::size_t most_samples = 1000;
constexpr std::size_t least_samples = 16; // where that is a second at most
constexpr double longest_look = 1;        // s

std::string unit_of(const SignalType& type) {
  switch (type.kind) { // the first half of what has two
  case HILDA_POSE: return "m";
  case HILDA_TWIST: return "m/s";
  case HILDA_WRENCH: return "N";
  case HILDA_QUATERNION: return "";
  case HILDA_PLAIN: break;
  }
  return type.unit && !type.unit->dimensionless() ? type.unit->text() : "";
}

/// Without being asked for: what a contact is felt by.
bool always_looked_at(const std::string& unit) { return unit == "m" || unit == "N" || unit == "N m"; }

QualityIndex quality_of(const System& system, const SystemSignal& signal) {
  for (const QualityIndex i : system.quality.indices()) {
    const PortRef& output = system.quality[i].output;
    const bool same_item = std::max(output.item, 0) == std::max(signal.item, 0);
    if (output.block == signal.block && output.slot == signal.slot && same_item) return i;
  }
  return {};
}

} // namespace

void ChannelLook::bind(const Runtime& runtime, double seconds) {
  channels_.clear();
  taken_ = cycles_ = 0;
  period_ = runtime.base().value();
  const auto cycles_in = [&](double time) { return static_cast<std::size_t>(std::max(time / period_, 2.0)); };
  const std::size_t most = std::min(cycles_in(longest_look), most_samples);
  wanted_ = std::clamp(cycles_in(seconds), std::min(least_samples, most), most);
  const auto measured = [&](const SystemSignal& signal) {
    return runtime.memory().layout(signal.block).slots[signal.slot].is(HILDA_MEASUREMENT);
  };
  const auto sibling = [&](const SystemSignal& of, const std::string& name, hilda_element element,
                           const std::string& unit) -> const void* {
    const std::string path = of.path.substr(0, of.path.rfind('.') + 1) + name;
    for (const SystemSignal& each : runtime.signals())
      if (each.path == path && each.span.element == element && each.span.count == 1 && unit_of(each.type) == unit)
        return each.span.data;
    return nullptr;
  };
  for (const SystemSignal& signal : runtime.signals()) {
    const std::string unit = unit_of(signal.type);
    const std::string name = signal.path.substr(signal.path.rfind('.') + 1);
    const QualityIndex quality = quality_of(runtime.system(), signal);
    const bool named = name == "resolution" || name == "setpoint" || name == "taken";
    if (signal.type.element != HILDA_F64 || !measured(signal)) continue;
    if (!quality.valid() && (named || !always_looked_at(unit))) continue;
    Channel channel;
    channel.path = signal.path, channel.unit = unit, channel.quality = quality;
    channel.value = static_cast<const double*>(signal.span.data);
    channel.elements = signal.type.kind == HILDA_PLAIN || signal.type.kind == HILDA_QUATERNION ? signal.span.count : 3;
    channel.resolution = static_cast<const double*>(sibling(signal, "resolution", HILDA_F64, unit));
    channel.age = static_cast<const double*>(sibling(signal, "age", HILDA_F64, "s"));
    channel.stale = static_cast<const unsigned char*>(sibling(signal, "stale", HILDA_U8, ""));
    channel.seen.resize(wanted_ * channel.elements);
    channels_.push_back(std::move(channel));
  }
}

void ChannelLook::sample() noexcept {
  if (done()) return;
  for (Channel& channel : channels_) {
    std::copy_n(channel.value, channel.elements,
                channel.seen.begin() + static_cast<std::ptrdiff_t>(taken_ * channel.elements));
    if (channel.age != nullptr) channel.age_sum += *channel.age;
    if (channel.resolution != nullptr) channel.told = *channel.resolution;
    if (channel.stale == nullptr || *channel.stale == 0) ++channel.fresh;
  }
  ++taken_, ++cycles_;
}

void ChannelLook::miss() noexcept {
  if (taken_ > 0 && !done()) ++cycles_;
}

/// From the differences of neighbours, so that a slow drift does not count.
double ChannelLook::noise_of(const Channel& channel, std::size_t element) const {
  double sum = 0;
  for (std::size_t i = 1; i < taken_; ++i) {
    const double step =
        channel.seen[i * channel.elements + element] - channel.seen[(i - 1) * channel.elements + element];
    sum += step * step;
  }
  return std::sqrt(sum / (2.0 * static_cast<double>(taken_ - 1)));
}

/// The smallest step between neighbours; -1: it never changed.
double ChannelLook::step_of(const Channel& channel) const {
  double least = INFINITY;
  for (std::size_t i = channel.elements; i < taken_ * channel.elements; ++i) {
    const double step = std::abs(channel.seen[i] - channel.seen[i - channel.elements]);
    // Below this it is the rounding of a change of units.
    if (step > 1e-12 * std::max(1.0, std::abs(channel.seen[i]))) least = std::min(least, step);
  }
  return std::isfinite(least) ? least : -1;
}

/// What the samples tell, two of them at least.
void ChannelLook::look_back(const Channel& channel, ChannelQuality& quality) const {
  quality.resolution = channel.told > 0 ? channel.told : step_of(channel);
  for (std::size_t i = 0; i < channel.elements; ++i) quality.noise = std::max(quality.noise, noise_of(channel, i));
  if (channel.age != nullptr) quality.age = channel.age_sum / static_cast<double>(taken_);
}

std::vector<ChannelQuality> ChannelLook::results() const {
  std::vector<ChannelQuality> results;
  for (const Channel& channel : channels_) {
    ChannelQuality quality{channel.path, channel.unit};
    quality.quality = channel.quality;
    quality.rate = cycles_ > 0 ? static_cast<double>(channel.fresh) / (static_cast<double>(cycles_) * period_) : 0;
    if (taken_ > 1) look_back(channel, quality);
    results.push_back(quality);
  }
  return results;
}

} // namespace hilda::session
