// SPDX-License-Identifier: BSD-3-Clause
#include "engine/log/recording.h"

#include "engine/base/error.h"
#include "engine/log/detail/mcap/mcap_records.h"
#include "engine/log/detail/recordings/log_recording.h"
#include "engine/log/detail/recordings/mat_recording.h"
#include "engine/quantity/printed_unit.h"
#include "engine/quantity/value.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <fstream>
#include <string_view>

namespace hilda::log {
namespace {

std::optional<Recording> refuse(RecordingFault& fault, const char* word, std::string text) {
  fault = {word, std::move(text)};
  return std::nullopt;
}

/// A unit as a file or a diagram writes it.
struct WrittenAs {
  UnitReading reading;
  Unit unit;
};

std::optional<WrittenAs> unit_of(const std::string& text, const std::string& whose, const char* word,
                                 RecordingFault& fault) {
  const Result<UnitReading> read = parse_unit(text);
  if (read) return WrittenAs{*read, printed_unit(*read, text)};
  fault = {word, whose + " " + in_quotes(text) + ": " + read.error().what +
                     (read.error().help.empty() ? "" : "; " + read.error().help)};
  return std::nullopt;
}

bool same_scale(const UnitReading& a, const UnitReading& b) { return a.factor() == b.factor() && a.offset == b.offset; }

/// Which unit the values are in: what the file says and what the diagram says must be the same.
std::optional<WrittenAs> settle_unit(const RecordingRequest& request, const Recording& found, RecordingFault& fault) {
  const std::string signal = in_quotes(request.signal);
  if (!found.has_unit && request.unit.empty()) {
    fault = {"unit", "the file does not say in which unit " + signal +
                         " is; write it, such as unit=\"m\", or unit=\"1\" for pure numbers"};
    return std::nullopt;
  }
  std::optional<WrittenAs> of_file, of_diagram;
  if (found.has_unit) {
    of_file = unit_of(found.unit, "the file has " + signal + " in the unit", "file", fault);
    if (!of_file) return std::nullopt;
  }
  if (request.unit.empty()) return of_file;
  of_diagram = unit_of(request.unit, "the unit", "unit", fault);
  if (!of_diagram || !of_file) return of_diagram;
  // a torque is written as an energy is
  const bool same = of_file->unit == of_diagram->unit || of_file->unit == of_diagram->reading.unit;
  if (same && same_scale(of_file->reading, of_diagram->reading)) return of_file;
  fault = {"unit", "the file has " + signal + " in " + found.unit + ", and unit is " + in_quotes(request.unit) +
                       "; leave unit out: what the file says counts"};
  return std::nullopt;
}

std::string place(std::size_t sample, double time) {
  return "sample " + std::to_string(sample) + " (t = " + decimal(time) + " s)";
}

bool check_times(const RecordingRequest& request, const Recording& found, RecordingFault& fault) {
  const char* const word = request.time.empty() ? "signal" : "time";
  const std::string of = " of " + in_quotes(request.signal);
  for (std::size_t i = 0; i < found.times.size(); ++i) {
    if (!std::isfinite(found.times[i])) {
      fault = {word, "the time of sample " + std::to_string(i) + of + " is " + decimal(found.times[i]) +
                         "; take the sample out"};
      return false;
    }
    if (i == 0 || found.times[i - 1] < found.times[i]) continue;
    const bool twice = found.times[i - 1] == found.times[i];
    fault = {word, place(i, found.times[i]) + of + (twice ? " has the time of" : " is earlier than") +
                       " the one before it" + (twice ? "" : ", at " + decimal(found.times[i - 1]) + " s") +
                       (twice ? "; keep one of the two" : "; sort the samples by time")};
    return false;
  }
  return true;
}

bool check_values(const RecordingRequest& request, const Recording& found, RecordingFault& fault) {
  const auto bad = std::find_if(found.values.begin(), found.values.end(), [](double v) { return !std::isfinite(v); });
  if (bad == found.values.end()) return true;
  const std::size_t sample = static_cast<std::size_t>(bad - found.values.begin()) / found.width();
  fault = {"signal", in_quotes(request.signal) + " is " + decimal(*bad) + " at " + place(sample, found.times[sample]) +
                         "; take such samples out: what lies between two others is interpolated"};
  return false;
}

} // namespace

RecordedFileKind recorded_file_kind(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  std::array<char, 128> head{};
  if (!in.read(head.data(), 8))
    return in.eof() && in.gcount() > 0 ? RecordedFileKind::other : RecordedFileKind::unreadable;
  const std::string_view first(head.data(), 8);
  if (first == mcap::magic) return RecordedFileKind::mcap;
  if (first == "\x89HDF\r\n\x1a\n") return RecordedFileKind::mat;
  in.read(head.data() + 8, static_cast<std::streamsize>(head.size() - 8));
  // version 5 and 7.3 begin with 116 characters of text and end their head with the mark of byte order
  const std::string_view order(head.data() + 126, 2);
  const bool marked = in.gcount() == static_cast<std::streamsize>(head.size() - 8) && (order == "IM" || order == "MI");
  return marked ? RecordedFileKind::mat : RecordedFileKind::other;
}

std::optional<Recording> read_recording(const RecordingRequest& request, RecordingFault& fault) {
  if (request.signal.empty()) return refuse(fault, "signal", "it must name a signal of the file");
  std::optional<Recording> found;
  switch (recorded_file_kind(request.file)) {
  case RecordedFileKind::unreadable: return refuse(fault, "file", "it cannot be read, or is empty");
  case RecordedFileKind::other:
    return refuse(fault, "file",
                  "it is neither an MCAP log nor a MAT file of version 5 or 7.3; sources/SignalFile plays a table of "
                  "comma-separated values");
  case RecordedFileKind::mcap:
    if (!request.time.empty()) return refuse(fault, "time", "a log knows the times of its signals; leave time out");
    found = recording_of_log(request, fault);
    break;
  case RecordedFileKind::mat: found = recording_of_mat(request, fault); break;
  }
  if (!found) return std::nullopt;
  const std::optional<WrittenAs> unit = settle_unit(request, *found, fault);
  if (!unit) return std::nullopt;
  if (!request.head_only) {
    if (found->times.empty()) return refuse(fault, "signal", "there is no sample of " + in_quotes(request.signal));
    if (!check_times(request, *found, fault) || !check_values(request, *found, fault)) return std::nullopt;
    const UnitReading& reading = unit->reading;
    if (reading.factor() != 1 || reading.offset != 0)
      for (double& each : found->values) each = reading.to_si(each);
  }
  found->unit = unit->unit.text();
  return found;
}

} // namespace hilda::log
