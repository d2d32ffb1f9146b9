// SPDX-License-Identifier: BSD-3-Clause
#include "engine/log/detail/recordings/log_recording.h"

#include "engine/base/error.h"
#include "engine/log/log.h"
#include "engine/log/signal_pattern.h"

#include <algorithm>
#include <utility>

namespace hilda::log {
namespace {

/// Unit of all elements of a signal; none where they differ, as those of a wrench.
std::optional<std::string> common_unit(const LogField& field, const ElementRange& elements) {
  const std::string unit = element_unit(field, elements.first);
  for (std::size_t e = elements.first; e < elements.first + elements.count; ++e)
    if (element_unit(field, e) != unit) return std::nullopt;
  return unit;
}

/// ".force and .torque"
std::string parts_of(const std::string& kind) {
  if (kind == "wrench") return ".force and .torque";
  if (kind == "twist") return ".linear and .angular";
  return ".position and .orientation";
}

void take_shape(const LogField& field, const ElementRange& elements, Recording& to) {
  const bool whole = elements.count == field.elements();
  to.rows = whole ? field.rows : static_cast<std::int64_t>(elements.count);
  to.cols = whole ? field.cols : 1;
}

} // namespace

std::optional<Recording> recording_of_log(const RecordingRequest& request, RecordingFault& fault) {
  const auto refuse = [&fault](const char* word, std::string text) {
    fault = {word, std::move(text)};
    return std::optional<Recording>();
  };
  std::string error;
  std::optional<Log> log = Log::open(request.file, error);
  if (!log) return refuse("file", error);
  const std::optional<SignalPlace> place = log->find(request.signal);
  if (!place) return refuse("signal", log->missing(request.signal) + "; hilda info lists them");
  const LogField& field = log->schema().channels[place->channel].fields[place->field];
  const std::optional<std::string> unit = common_unit(field, place->elements);
  if (!unit)
    return refuse("signal", in_quotes(request.signal) + " is a " + field.kind +
                                ", whose parts have different units; play its parts: " + parts_of(field.kind));
  Recording made;
  take_shape(field, place->elements, made);
  made.unit = *unit;
  made.has_unit = true;
  if (request.head_only) return made;
  std::optional<Signal> signal = log->signal(request.signal, error);
  if (!signal) return refuse("signal", error);
  if (log->damaged()) return refuse("file", log->problems().front() + "; hilda recover makes of it what can be had");
  if (!log->complete()) made.note = "the log ends without its summary, as after a crash; all before is played";
  if (const std::uint64_t lost = log->lost_ticks(); lost > 0)
    return refuse("file", "the log has lost " + std::to_string(lost) +
                              " ticks while it was recorded, and what lay between cannot be known; record it again");
  if (signal->samples() * made.width() > most_recorded_numbers)
    return refuse("signal", in_quotes(request.signal) + " has more than 200 million numbers; record less of it");
  made.times = signal->times();
  if (auto* real = std::get_if<std::vector<double>>(&signal->values)) {
    made.values = std::move(*real);
  } else {
    std::visit([&made](const auto& all) { made.values.assign(all.begin(), all.end()); }, signal->values);
  }
  return made;
}

} // namespace hilda::log
