// SPDX-License-Identifier: BSD-3-Clause
#include "engine/log/recorded_file.h"

#include "engine/base/error.h"
#include "engine/base/word_list.h"
#include "engine/log/detail/recordings/csv_signals.h"
#include "engine/log/detail/recordings/mat_recording.h"
#include "engine/quantity/printed_unit.h"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <utility>

namespace hilda::log {
namespace {

constexpr std::size_t named = 5; // in a remark

/// Why a signal cannot be drawn; empty: it can.
std::string time_fault(const std::vector<double>& times) {
  for (std::size_t i = 0; i < times.size(); ++i) {
    if (!std::isfinite(times[i])) return "the time of sample " + std::to_string(i) + " is not a number";
    if (i > 0 && !(times[i] > times[i - 1]))
      return "sample " + std::to_string(i) + " is not later than the one before it";
  }
  return {};
}

/// Its values in SI, and its unit as hilda writes it; otherwise why not.
std::string to_si(Recording& recording) {
  if (!recording.has_unit) return {};
  const Result<UnitReading> read = parse_unit(recording.unit);
  if (!read) return "its unit " + in_quotes(recording.unit) + ": " + read.error().what;
  if (read->factor() != 1 || read->offset != 0)
    for (double& each : recording.values) each = read->to_si(each);
  recording.unit = read->unit.dimensionless() ? "" : printed_unit(*read, recording.unit).text();
  return {};
}

std::string list_of(const std::vector<std::string>& names) {
  FewNames few(named, "more");
  for (const std::string& each : names) few.add(each);
  return few.text();
}

std::optional<RecordedFile> file_of_mat(const std::string& path, RecordedFileFault& fault) {
  std::string error;
  std::optional<MatSignals> all = signals_of_mat(path, error);
  if (!all) {
    fault = {"this MAT file cannot be read: " + error, "MAT files of version 5 and 7.3 are read"};
    return std::nullopt;
  }
  if (all->signals.empty()) {
    fault = {"this MAT file has no variable with times" +
                 (all->without_times.empty() ? std::string() : "; it has: " + list_of(all->without_times)),
             "the times of a signal are the variable 'time' or 't', in s, of the same structure or of the file, and as "
             "long as the signal"};
    return std::nullopt;
  }
  RecordedFile made;
  for (MatSignals::Named& each : all->signals) {
    std::string why = time_fault(each.recording.times);
    if (why.empty()) why = to_si(each.recording);
    if (why.empty())
      made.signals.push_back({std::move(each.name), std::move(each.recording)});
    else
      made.remarks.push_back(in_quotes(each.name) + " is left out: " + why);
  }
  if (!all->without_times.empty())
    made.remarks.push_back("variables without times are left out: " + list_of(all->without_times));
  return made;
}

} // namespace

std::optional<RecordedFile> read_recorded_file(const std::string& path, RecordedFileFault& fault) {
  if (recorded_file_kind(path) == RecordedFileKind::mat) return file_of_mat(path, fault);
  std::ifstream in(path, std::ios::binary);
  if (in && in.peek() != std::ifstream::traits_type::eof()) return signals_of_csv(in, fault);
  fault = {"it cannot be read, or is empty", "choose another file"};
  return std::nullopt;
}

} // namespace hilda::log
