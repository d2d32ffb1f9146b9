#include "engine/run/realtime/channel_look.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <numbers>

namespace hilda {
namespace {

constexpr std::size_t most_samples = 1000;
constexpr std::size_t least_samples = 16;

/// Metres or newtons, or nothing that is looked at.
std::string looked_unit(const SignalType& type) {
  if (type.element != HILDA_F64) return "";
  if (type.kind == HILDA_POSE) return "m";
  if (type.kind != HILDA_PLAIN || !type.unit || type.unit->dimensionless()) return "";
  const std::string unit = type.unit->text();
  return unit == "m" || unit == "N" ? unit : "";
}

} // namespace

void ChannelLook::bind(const Runtime& runtime, double seconds) {
  channels_.clear();
  taken_ = 0;
  period_ = runtime.base().value();
  wanted_ = std::clamp(static_cast<std::size_t>(seconds / period_), least_samples, most_samples);
  const auto measured = [&](const SystemSignal& signal) {
    return runtime.memory().layout(signal.block).slots[static_cast<std::size_t>(signal.slot)].is(HILDA_MEASUREMENT);
  };
  const auto sibling = [&](const SystemSignal& of, const std::string& name, hilda_element element) -> const void* {
    const std::string path = of.path.substr(0, of.path.rfind('.') + 1) + name;
    for (const SystemSignal& each : runtime.signals())
      if (each.path == path && each.span.element == element && each.span.count == 1) return each.span.data;
    return nullptr;
  };
  for (const SystemSignal& signal : runtime.signals()) {
    const std::string unit = looked_unit(signal.type);
    const std::string name = signal.path.substr(signal.path.rfind('.') + 1);
    if (unit.empty() || !measured(signal) || name == "resolution" || name == "setpoint") continue;
    Channel channel;
    channel.path = signal.path, channel.unit = unit;
    channel.value = static_cast<const double*>(signal.span.data);
    channel.elements = signal.type.kind == HILDA_POSE ? 3 : signal.span.count;
    channel.resolution = static_cast<const double*>(sibling(signal, "resolution", HILDA_F64));
    channel.age = static_cast<const double*>(sibling(signal, "age", HILDA_F64));
    channel.stale = static_cast<const unsigned char*>(sibling(signal, "stale", HILDA_U8));
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
    if (channel.stale == nullptr || *channel.stale == 0) ++channel.fresh;
  }
  ++taken_;
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

std::vector<ChannelQuality> ChannelLook::results() const {
  std::vector<ChannelQuality> results;
  if (!any()) return results;
  for (const Channel& channel : channels_) {
    ChannelQuality quality{channel.path, channel.unit};
    quality.resolution =
        channel.resolution != nullptr && *channel.resolution > 0 ? *channel.resolution : step_of(channel);
    for (std::size_t i = 0; i < channel.elements; ++i) quality.noise = std::max(quality.noise, noise_of(channel, i));
    const auto samples = static_cast<double>(taken_);
    if (channel.age != nullptr) quality.age = channel.age_sum / samples;
    quality.rate = static_cast<double>(channel.fresh) / (samples * period_);
    results.push_back(quality);
  }
  return results;
}

ContactFacts ContactFacts::of(const System& system) {
  const auto number = [&](const char* name) {
    for (const NamedParameter& each : system.parameters)
      if (each.path == name && each.value.kind == Value::Kind::number && !each.value.numbers.empty()) {
        double squares = 0;
        for (const double v : each.value.numbers) squares += v * v;
        return std::sqrt(squares);
      }
    return 0.0;
  };
  ContactFacts facts;
  facts.period = system.base.value();
  facts.speed = number("speed") > 0 ? number("speed") : number("velocity");
  facts.stiffness = number("stiffness");
  const double service = number("service_mass"), target = number("target_mass");
  facts.mass = service > 0 && target > 0 ? (std::isinf(target) ? service : service * target / (service + target))
                                         : std::max(service, number("mass"));
  return facts;
}

double ContactFacts::depth() const { return stiffness > 0 ? speed * std::sqrt(mass / stiffness) : 0; }

ChannelEffect effect_of(const ChannelQuality& channel, const ContactFacts& contact) {
  const double depth = contact.depth();
  ChannelEffect effect;
  if (depth <= 0 || (channel.resolution < 0 && channel.noise <= 0)) return effect;
  const double coarse = std::max({channel.resolution, channel.noise, 0.0});
  const double peak = contact.stiffness * depth;
  effect.stiffness = channel.unit == "m" ? coarse / depth : coarse / peak;
  // A velocity from neighbouring positions is off by a step a period; the energy goes by its square.
  const double share = channel.unit == "m" ? coarse / (contact.period * contact.speed) : coarse / peak;
  effect.energy = channel.unit == "m" ? (1 + share) * (1 + share) : 1 + share;
  // A force that is late by d puts energy in: exp(pi w d) over half a period of the contact.
  if (channel.unit == "N" && channel.age > 0)
    effect.energy *= std::exp(std::numbers::pi * std::sqrt(contact.stiffness / contact.mass) * channel.age);
  return effect;
}

std::string channel_table(const std::vector<ChannelQuality>& channels, const ContactFacts& contact) {
  const auto amount = [](double value, const std::string& unit) {
    if (value < 0) return std::string("not seen");
    if (value == 0) return "0 " + unit;
    if (value < 1e-3) return fmt::format("{:.3g} u{}", 1e6 * value, unit);
    return value < 1 ? fmt::format("{:.3g} m{}", 1e3 * value, unit) : fmt::format("{:.3g} {}", value, unit);
  };
  std::string text = fmt::format("{:<24} {:>11} {:>11} {:>9} {:>8}  {}\n", "measured, at rest", "resolution", "noise",
                                 "age", "rate", "may change by");
  for (const ChannelQuality& each : channels) {
    const ChannelEffect effect = effect_of(each, contact);
    std::string change = contact.depth() > 0 ? "not known: it never changed" : "the diagram tells no contact";
    if (effect.stiffness >= 0)
      change = fmt::format("stiffness {:.2g} %, energy x{:.3g}", 100 * effect.stiffness, effect.energy);
    text += fmt::format("{:<24} {:>11} {:>11} {:>9} {:>6.0f}/s  {}\n", each.path, amount(each.resolution, each.unit),
                        amount(each.noise, each.unit), each.age < 0 ? "-" : amount(each.age, "s"), each.rate, change);
  }
  return text;
}

} // namespace hilda
