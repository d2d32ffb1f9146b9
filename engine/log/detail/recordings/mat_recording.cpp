// SPDX-License-Identifier: BSD-3-Clause
#include "engine/log/detail/recordings/mat_recording.h"

#include "engine/base/error.h"
#include "engine/base/word_list.h"
#include "engine/log/detail/recordings/matio.h"

#include <algorithm>
#include <set>
#include <utility>

namespace hilda::log {
namespace {

constexpr const char* log_mark = "hilda_log.period"; ///< what `hilda export --mat` writes has it

/// "500 by 3"
std::string size_text(const MatVariable& variable) {
  std::string text;
  for (const std::uint64_t each : variable.size) text += (text.empty() ? "" : " by ") + std::to_string(each);
  return text;
}

std::uint64_t count_of(const MatVariable& variable) {
  std::uint64_t count = variable.size.empty() ? 0 : 1;
  for (const std::uint64_t each : variable.size) count *= each;
  return count;
}

bool is_vector(const MatVariable& variable) {
  return std::count_if(variable.size.begin(), variable.size.end(), [](std::uint64_t each) { return each != 1; }) <= 1;
}

/// How a variable is cut into samples.
struct MatSamples {
  std::uint64_t rows = 1, cols = 1;
  bool first_runs = false; ///< along the first dimension, so a sample's elements lie apart
};

/// None where no dimension is as long as the times.
std::optional<MatSamples> samples_of(const MatVariable& variable, std::uint64_t times) {
  std::vector<std::uint64_t> size = variable.size;
  while (size.size() > 2 && size.back() == 1 && times != 1) size.pop_back();
  if (size.size() == 2 && size[0] == times) return MatSamples{size[1], 1, true};
  if (size.size() == 2 && size[1] == times) return MatSamples{size[0], 1, false};
  if (size.size() == 3 && size[2] == times) return MatSamples{size[0], size[1], false};
  return std::nullopt;
}

/// The numbers of a recording, from a request and the variables that it means.
class MatSignal {
public:
  MatSignal(const RecordingRequest& request, RecordingFault& fault) : request_(request), fault_(fault) {
    const std::size_t dot = request.signal.rfind('.');
    const std::string inside = dot == std::string::npos ? "" : request.signal.substr(0, dot + 1);
    const std::string leaf = dot == std::string::npos ? request.signal : request.signal.substr(dot + 1);
    unit_ = inside + "units." + leaf;
    times_ = request.time.empty() ? std::vector<std::string>{inside + "time", inside + "t"} : std::vector{request.time};
    if (request.time.empty() && !inside.empty()) times_.insert(times_.end(), {"time", "t"});
  }

  std::optional<Recording> read() {
    std::vector<std::string> wanted{request_.signal, unit_, log_mark};
    wanted.insert(wanted.end(), times_.begin(), times_.end());
    std::string error;
    const std::optional<MatContent> content = read_mat(request_.file, wanted, request_.head_only, error);
    if (!content) return refuse("file", "this MAT file cannot be read: " + error);
    return take(*content);
  }

  /// Where it is the variable with the unit.
  const std::string& unit() const { return unit_; }
  /// The variable with the times, once the signal was taken.
  const std::string& times() const { return time_name_; }

  std::optional<Recording> take(const MatContent& content) {
    content_ = &content;
    const auto signal = content_->found.find(request_.signal);
    if (signal == content_->found.end())
      return refuse("signal", "the file has no variable " + in_quotes(request_.signal) + there());
    if (signal->second.kind != MatVariable::Kind::numbers)
      return refuse("signal", in_quotes(request_.signal) + " is " + signal->second.what + ", and numbers are played");
    const MatVariable* const times = find_times();
    return times != nullptr ? cut(signal->second, *times) : std::nullopt;
  }

private:
  std::optional<Recording> refuse(const char* word, std::string text) {
    fault_ = {word, std::move(text)};
    return std::nullopt;
  }

  /// "; it has plant.time and plant.position"
  std::string there() const {
    std::string list;
    for (const std::string& name : content_->names) add_word(list, name);
    return list.empty() ? "; it has none with numbers" : "; it has: " + list;
  }

  const MatVariable* find_times() {
    std::string looked;
    for (const std::string& name : times_) {
      add_word(looked, name);
      const auto found = content_->found.find(name);
      if (found == content_->found.end() || name == request_.signal) continue;
      time_name_ = name;
      if (found->second.kind == MatVariable::Kind::numbers && is_vector(found->second)) return &found->second;
      refuse("time", "the times " + in_quotes(name) + " are " +
                         (found->second.kind == MatVariable::Kind::numbers ? size_text(found->second) + " numbers"
                                                                           : found->second.what) +
                         ", and must be a vector, in s");
      return nullptr;
    }
    refuse(request_.time.empty() ? "signal" : "time", "the file has no times for " + in_quotes(request_.signal) +
                                                          ", looked for: " + looked +
                                                          "; name the variable with the times in s: time=\"...\"");
    return nullptr;
  }

  std::optional<Recording> cut(const MatVariable& signal, const MatVariable& times) {
    const std::uint64_t samples = count_of(times);
    const std::optional<MatSamples> way = samples_of(signal, samples);
    if (!way)
      return refuse("signal", in_quotes(request_.signal) + " is " + size_text(signal) + ", and its times " +
                                  in_quotes(time_name_) + " are " + std::to_string(samples) +
                                  ": no dimension of it is as long");
    Recording made;
    made.rows = static_cast<std::int64_t>(way->rows);
    made.cols = static_cast<std::int64_t>(way->cols);
    take_unit(made);
    if (made.rows < 1 || made.cols < 1) return refuse("signal", in_quotes(request_.signal) + " holds no number");
    if (request_.head_only) return made;
    made.times = times.numbers;
    made.values = signal.numbers;
    if (way->first_runs && way->rows > 1)
      for (std::size_t s = 0; s < samples; ++s)
        for (std::size_t e = 0; e < way->rows; ++e) made.values[s * way->rows + e] = signal.numbers[e * samples + s];
    return made;
  }

  void take_unit(Recording& to) const {
    const auto unit = content_->found.find(unit_);
    const bool exported = content_->found.contains(log_mark); // it has units but for pure numbers
    to.has_unit = exported;
    if (unit == content_->found.end() || unit->second.kind != MatVariable::Kind::text) return;
    to.has_unit = true;
    to.unit = unit->second.text;
  }

  const RecordingRequest& request_;
  RecordingFault& fault_;
  std::string unit_, time_name_;
  std::vector<std::string> times_;
  const MatContent* content_ = nullptr;
};

/// Variables, each with its unit next to it, so that a structure is read once.
std::vector<std::string> with_units(const std::vector<std::string>& names) {
  std::vector<std::string> wanted;
  RecordingFault ignored;
  for (const std::string& name : names) {
    const RecordingRequest request{.signal = name};
    wanted.push_back(name);
    wanted.push_back(MatSignal(request, ignored).unit());
  }
  wanted.emplace_back(log_mark);
  return wanted;
}

} // namespace

std::optional<MatSignals> signals_of_mat(const std::string& file, std::string& error) {
  constexpr std::size_t most_listed = 10'000;
  const std::optional<MatContent> list = read_mat(file, {""}, true, error, most_listed);
  if (!list) return std::nullopt;
  const std::optional<MatContent> content = read_mat(file, with_units(list->names), false, error, most_listed);
  if (!content) return std::nullopt;
  MatSignals all;
  std::set<std::string> times;
  for (const std::string& name : list->names) {
    const RecordingRequest request{.signal = name};
    RecordingFault fault;
    MatSignal signal(request, fault);
    std::optional<Recording> recording = signal.take(*content);
    if (recording)
      all.signals.push_back({name, std::move(*recording)}), times.insert(signal.times());
    else if (name != log_mark)
      all.without_times.push_back(name);
  }
  std::erase_if(all.signals, [&](const MatSignals::Named& each) { return times.contains(each.name); });
  std::erase_if(all.without_times, [&](const std::string& each) { return times.contains(each); });
  return all;
}

std::optional<Recording> recording_of_mat(const RecordingRequest& request, RecordingFault& fault) {
  return MatSignal(request, fault).read();
}

} // namespace hilda::log
