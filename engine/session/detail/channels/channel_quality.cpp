// SPDX-License-Identifier: BSD-3-Clause
#include "engine/session/detail/channels/channel_quality.h"

#include "engine/base/error.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <numbers>

namespace hilda::session {
namespace {

using Q = QualityLimits;

std::string amount(double value, const std::string& unit) {
  if (value < 0) return "not seen";
  if (value == 0) return "0 " + unit;
  if (value < 1e-3) return fmt::format("{:.3g} u{}", 1e6 * value, unit);
  return value < 1 ? fmt::format("{:.3g} m{}", 1e3 * value, unit) : fmt::format("{:.3g} {}", value, unit);
}

std::string change_text(const ChannelQuality& channel, const ContactFacts& contact) {
  const ChannelEffect effect = effect_of(channel, contact);
  if (effect.stiffness >= 0)
    return fmt::format("stiffness {:.2g} %, energy x{:.3g}", 100 * effect.stiffness, effect.energy);
  if (contact.depth() <= 0) return "the diagram describes no contact";
  return channel.unit == "m" || channel.unit == "N" ? "not known: it never changed" : "not known for such a channel";
}

bool meets(double value, Q::Kind kind, double asked) {
  constexpr double slack = 1e-9;
  if (value < 0) return false; // what no one knows may be anything
  return kind == Q::rate ? value >= asked * (1 - slack) : value <= asked * (1 + slack);
}

/// "noise is 32 um, 10 um is asked for"
std::string figures_text(const ChannelQuality& channel, Q::Kind kind, double asked) {
  const std::string unit = kind == Q::delay ? "s" : channel.unit, name = Q::names[kind];
  const double value = channel.value(kind);
  if (kind == Q::rate) return fmt::format("its rate is {:.0f}/s, {:.0f}/s at the least is asked for", value, asked);
  const std::string wanted = amount(asked, unit) + " at the most is asked for";
  if (value >= 0) return fmt::format("its {} is {}, {}", name, amount(value, unit), wanted);
  const char* const why = kind == Q::delay ? "its block has no output 'age'" : "it never changed, as one that is stuck";
  return fmt::format("its {} is not known ({}), {}", name, why, wanted);
}

std::string help_text(Q::Kind kind, const System& system, const std::string& doc) {
  static constexpr std::array<const char*, Q::count> ways{
      "let the device send finer steps (more decimals, a smaller range)",
      "find what shakes the device, look at its cable, its shield and its filter",
      "let the device send more often and without buffers on the way",
      "let the device send more often, and let nothing on the way drop packets; a tick sees one sample"};
  std::string help = ways[kind];
  if (kind == Q::rate) help += fmt::format(", so {:.4g}/s are the most here", 1 / system.base.value());
  help += "; or ask for less";
  return doc.empty() ? help : help + "; the file says: " + doc;
}

/// Calls back for each figure that is not what it must be.
template <typename Each> void each_unmet(const std::vector<ChannelQuality>& channels, const System& system, Each each) {
  for (const ChannelQuality& channel : channels) {
    if (!channel.quality.valid()) continue;
    const Quality& asked = system.quality[channel.quality];
    for (std::size_t i = 0; i < Q::count; ++i) {
      const auto kind = static_cast<Q::Kind>(i);
      if (asked.limits.asks_for(kind) && !meets(channel.value(kind), kind, asked.limits[kind]))
        each(channel, asked, kind);
    }
  }
}

} // namespace

double ChannelQuality::value(QualityLimits::Kind kind) const {
  switch (kind) {
  case Q::resolution: return resolution;
  case Q::noise: return noise;
  case Q::delay: return age;
  case Q::rate: return rate;
  case Q::count: break;
  }
  return -1;
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
  std::string text = fmt::format("{:<24} {:>11} {:>11} {:>9} {:>8}  {}\n", "measured, at rest", "resolution", "noise",
                                 "age", "rate", "may change by");
  for (const ChannelQuality& each : channels) {
    text += fmt::format("{:<24} {:>11} {:>11} {:>9} {:>6.0f}/s  {}\n", each.path, amount(each.resolution, each.unit),
                        amount(each.noise, each.unit), each.age < 0 ? "-" : amount(each.age, "s"), each.rate,
                        change_text(each, contact));
  }
  return text;
}

bool meets_quality(const std::vector<ChannelQuality>& channels, const System& system) {
  bool met = true;
  each_unmet(channels, system, [&](const ChannelQuality&, const Quality&, Q::Kind) { met = false; });
  return met;
}

void report_quality(const std::vector<ChannelQuality>& channels, const System& system, Diagnostics& diagnostics) {
  const ContactFacts contact = ContactFacts::of(system);
  each_unmet(channels, system, [&](const ChannelQuality& channel, const Quality& asked, Q::Kind kind) {
    std::vector<Note> notes;
    for (const Location& origin : asked.through[kind]) notes.push_back({origin, "the requirement is here"});
    const ChannelEffect effect = effect_of(channel, contact);
    diagnostics.error("quality-unmet", asked.where,
                      in_quotes(channel.path) + ": " + figures_text(channel, kind, asked.limits[kind]) +
                          (kind != Q::rate && effect.stiffness >= 0
                               ? "; what it is like may change: " + change_text(channel, contact)
                               : ""),
                      help_text(kind, system, asked.doc), std::move(notes));
  });
}

} // namespace hilda::session
