// SPDX-License-Identifier: BSD-3-Clause
#include "engine/log/comparison.h"

#include "engine/catalogue/index.h"
#include "engine/log/frame_layout.h"
#include "engine/log/log_number.h"
#include "engine/log/signal_pattern.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <fmt/format.h>
#include <limits>
#include <map>
#include <set>

namespace hilda::log {
namespace {

using LoneIndex = Index<LoneSamples>;

/// A log one instant after the other: what every channel recorded at it.
class Instants {
public:
  Instants(Log& log, std::int64_t scale) : log_(log), scale_(scale), data_(log.schema().channels.size()) {
    log_.rewind();
    fetch();
  }

  bool next() {
    for (auto& sample : data_) sample.clear();
    if (!waiting_) return false;
    tick_ = sample_.tick;
    do {
      data_[sample_.channel].assign(sample_.data.begin(), sample_.data.end());
      fetch();
    } while (waiting_ && sample_.tick == tick_);
    return true;
  }

  /// In a unit of time that both logs share.
  std::int64_t instant() const { return tick_ * scale_; }
  double seconds() const { return seconds_at(log_.schema().period, tick_); }
  /// Empty where the channel has no sample.
  const std::vector<std::byte>& sample(std::size_t channel) const { return data_[channel]; }

private:
  void fetch() { waiting_ = log_.next(sample_); }
  Log& log_;
  std::int64_t scale_, tick_ = 0;
  std::vector<std::vector<std::byte>> data_;
  Log::Sample sample_;
  bool waiting_ = false;
};

/// Where an element lies in the samples of both logs.
struct Pair {
  std::size_t channel_a, channel_b, offset_a, offset_b, bytes;
  LogElement element;
};

double distance(double a, double b, LogElement element) {
  if (a == b) return element == LogElement::f64 ? 0 : 1; // integers that differ beyond a double's digits
  if (std::isnan(a) && std::isnan(b)) return 0;
  return std::isfinite(a) && std::isfinite(b) ? std::abs(a - b) : std::numeric_limits<double>::infinity();
}

void compare_element(const Pair& pair, const std::byte* a, const std::byte* b, double time, ElementDifference& into) {
  ++into.samples;
  if (std::memcmp(a, b, pair.bytes) == 0) return;
  const ElementDifference::At at{.time = time,
                                 .a = number_at(a, pair.element),
                                 .b = number_at(b, pair.element),
                                 .difference =
                                     distance(number_at(a, pair.element), number_at(b, pair.element), pair.element)};
  if (at.difference == 0) return;
  if (!into.worst || at.difference > into.worst->difference) into.worst = at;
  const double size = std::max(std::abs(at.a), std::abs(at.b));
  const double allowed = into.tolerance.absolute + (std::isfinite(size) ? into.tolerance.relative * size : 0.0);
  if (at.difference <= allowed) return;
  ++into.beyond;
  if (!into.first) into.first = at;
}

class Comparer {
public:
  Comparer(Log& a, Log& b, const ComparisonOptions& options) : a_(a), b_(b), options_(options) {}

  bool pair_up(std::string& error) {
    if (!read_patterns(error)) return false;
    for (const std::string& name : a_.signal_names())
      if (wanted(a_, name)) pair_up(name);
    for (const std::string& name : b_.signal_names())
      if (!a_.find(name) && wanted(b_, name)) result_.only_in_b.push_back(name);
    return true;
  }

  LogComparison run(std::int64_t scale_a, std::int64_t scale_b) {
    Instants a(a_, scale_a), b(b_, scale_b);
    bool more_a = a.next(), more_b = b.next();
    while (more_a || more_b) {
      const bool take_a = more_a && (!more_b || a.instant() <= b.instant());
      const bool take_b = more_b && (!more_a || b.instant() <= a.instant());
      compare(take_a ? &a : nullptr, take_b ? &b : nullptr);
      if (take_a) more_a = a.next();
      if (take_b) more_b = b.next();
    }
    for (LoneSamples& each : lone_)
      if (each.count > 0 && !options_.by_time) result_.lone.push_back(std::move(each));
    return std::move(result_);
  }

private:
  /// Adds the elements that a pattern means in either log; a name without stars must mean some.
  bool add_named(const std::string& pattern, std::set<std::string>& to, std::string& error) const {
    bool any = false;
    for (const Log* log : {&a_, &b_})
      for (ElementPlace& place : elements_of(*log, pattern)) {
        to.insert(std::move(place.name));
        any = true;
      }
    if (!any && pattern.find_first_of("*?") == std::string::npos) error = a_.missing(pattern);
    return error.empty();
  }

  bool read_patterns(std::string& error) {
    for (const std::string& pattern : options_.only)
      if (!add_named(pattern, only_, error)) return false;
    if (!options_.only.empty() && only_.empty()) error = a_.missing(options_.only.front());
    for (const std::string& pattern : options_.ignored)
      if (!add_named(pattern, ignored_, error)) return false;
    for (const Tolerance& tolerance : options_.tolerances) {
      std::set<std::string> named;
      if (!add_named(tolerance.pattern, named, error)) return false;
      for (const std::string& name : named) tolerance_of_[name] = tolerance;
    }
    return error.empty();
  }

  bool chosen(const std::string& element) const {
    return !ignored_.contains(element) && (options_.only.empty() || only_.contains(element));
  }

  /// Is any element of this signal to be compared?
  bool wanted(const Log& log, const std::string& name) const {
    const SignalPlace place = *log.find(name);
    const LogField& field = log.schema().channels[place.channel].fields[place.field];
    for (std::size_t e = 0; e < field.elements(); ++e)
      if (chosen(name + element_suffix(field, e))) return true;
    return false;
  }

  void pair_up(const std::string& name) {
    const auto in_a = a_.find(name), in_b = b_.find(name);
    if (!in_b) {
      result_.only_in_a.push_back(name);
      return;
    }
    const LogChannel &channel_a = a_.schema().channels[in_a->channel], &channel_b = b_.schema().channels[in_b->channel];
    const LogField &field_a = channel_a.fields[in_a->field], &field_b = channel_b.fields[in_b->field];
    if (field_a.rows != field_b.rows || field_a.cols != field_b.cols || field_a.element != field_b.element ||
        field_a.unit != field_b.unit || field_a.kind != field_b.kind) {
      const auto told = [](const LogField& f) {
        return fmt::format("{}x{} {}{}{}{}", f.rows, f.cols, element_name(f.element),
                           f.kind.empty() ? "" : " " + f.kind, f.unit.empty() ? "" : " in ", f.unit);
      };
      result_.unlike.push_back(fmt::format("{} is {} in A and {} in B", name, told(field_a), told(field_b)));
      return;
    }
    const std::size_t bytes = element_bytes(field_a.element);
    for (std::size_t e = 0; e < field_a.elements(); ++e) {
      ElementDifference difference;
      difference.name = name + element_suffix(field_a, e);
      if (!chosen(difference.name)) continue;
      difference.unit = element_unit(field_a, e);
      if (const auto found = tolerance_of_.find(difference.name); found != tolerance_of_.end())
        difference.tolerance = found->second;
      result_.elements.push_back(std::move(difference));
      pairs_.push_back({.channel_a = in_a->channel,
                        .channel_b = in_b->channel,
                        .offset_a = sample_layout(channel_a).offsets[in_a->field] + e * bytes,
                        .offset_b = sample_layout(channel_b).offsets[in_b->field] + e * bytes,
                        .bytes = bytes,
                        .element = field_a.element});
    }
    remember(channel_a.path, in_a->channel, true);
    remember(channel_b.path, in_b->channel, false);
  }

  void remember(const std::string& path, std::size_t channel, bool in_a) {
    auto& index = in_a ? lone_of_a_ : lone_of_b_;
    index.resize(std::max(index.size(), channel + 1));
    if (index[channel].valid()) return;
    index[channel] = lone_.next();
    lone_.push_back({path, in_a, 0, 0});
  }

  void note_lone(LoneIndex index, double time) {
    LoneSamples& lone = lone_[index];
    if (lone.count++ == 0) lone.first = time;
  }

  void compare(const Instants* a, const Instants* b) {
    const double time = a != nullptr ? a->seconds() : b->seconds();
    if (a != nullptr && b != nullptr) result_.end = time;
    std::size_t last = std::numeric_limits<std::size_t>::max();
    for (std::size_t i = 0; i < pairs_.size(); ++i) {
      const Pair& pair = pairs_[i];
      const bool in_a = a != nullptr && !a->sample(pair.channel_a).empty();
      const bool in_b = b != nullptr && !b->sample(pair.channel_b).empty();
      if (in_a && in_b)
        compare_element(pair, a->sample(pair.channel_a).data() + pair.offset_a,
                        b->sample(pair.channel_b).data() + pair.offset_b, time, result_.elements[i]);
      else if (in_a != in_b && pair.channel_a != last)
        note_lone(in_a ? lone_of_a_[pair.channel_a] : lone_of_b_[pair.channel_b], time);
      last = pair.channel_a;
    }
  }

  Log &a_, &b_;
  const ComparisonOptions& options_;
  std::set<std::string> only_, ignored_; ///< elements
  std::map<std::string, Tolerance> tolerance_of_;
  LogComparison result_;
  std::vector<Pair> pairs_;
  Indexed<LoneIndex, LoneSamples> lone_;
  std::vector<LoneIndex> lone_of_a_, lone_of_b_; ///< by channel
};

} // namespace

std::optional<LogComparison> compare_logs(Log& a, Log& b, const ComparisonOptions& options, std::string& error) {
  const Rational period_a = a.schema().period, period_b = b.schema().period;
  if (period_a != period_b && !options.by_time) {
    error = fmt::format("the logs have different periods, {} s and {} s", period_a.text(), period_b.text());
    return std::nullopt;
  }
  Comparer comparer(a, b, options);
  if (!comparer.pair_up(error)) return std::nullopt;
  const Rational ratio = period_a / period_b;
  return comparer.run(ratio.numerator(), ratio.denominator());
}

} // namespace hilda::log
