// SPDX-License-Identifier: BSD-3-Clause
#include "engine/log/signal_pattern.h"

namespace hilda::log {
namespace {

void add_elements(const Log& log, std::size_t channel, std::size_t field, ElementRange range,
                  std::vector<ElementPlace>& to) {
  const LogChannel& owner = log.schema().channels[channel];
  const LogField& signal = owner.fields[field];
  for (std::size_t e = range.first; e < range.first + range.count; ++e)
    to.push_back({owner.path + "." + signal.name + element_suffix(signal, e), channel, field, e});
}

} // namespace

std::vector<ElementPlace> all_elements(const Log& log) {
  std::vector<ElementPlace> all;
  for (std::size_t c = 0; c < log.schema().channels.size(); ++c)
    for (std::size_t f = 0; f < log.schema().channels[c].fields.size(); ++f)
      add_elements(log, c, f, {0, log.schema().channels[c].fields[f].elements()}, all);
  return all;
}

std::vector<ElementPlace> elements_of(const Log& log, const std::string& pattern) {
  std::vector<ElementPlace> found;
  if (const auto place = log.find(pattern)) {
    add_elements(log, place->channel, place->field, place->elements, found);
    return found;
  }
  for (ElementPlace& each : all_elements(log))
    if (pattern_means(pattern, each.name)) found.push_back(std::move(each));
  return found;
}

std::string element_unit(const LogField& field, std::size_t element) {
  const bool first = element % 6 < 3;
  if (field.kind == "wrench") return first ? "N" : "N m";
  if (field.kind == "twist") return first ? "m/s" : "rad/s";
  if (field.kind == "pose") return element < 3 ? "m" : "";
  return field.unit;
}

} // namespace hilda::log
