#include "engine/observe/comparison.h"

#include "engine/observe/frame_layout.h"
#include "engine/observe/signal_pattern.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <fmt/format.h>
#include <limits>
#include <set>

namespace hilda {
namespace {

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

double number_at(const std::byte* from, LogElement element) {
  const auto read = [from](auto number) {
    std::memcpy(&number, from, sizeof number);
    return static_cast<double>(number);
  };
  switch (element) {
  case LogElement::f64: return read(double{});
  case LogElement::i64: return read(std::int64_t{});
  case LogElement::u64: return read(std::uint64_t{});
  case LogElement::boolean: return *from != std::byte{0} ? 1.0 : 0.0;
  }
  return 0;
}

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
  const ElementDifference::At at{time, number_at(a, pair.element), number_at(b, pair.element),
                                 distance(number_at(a, pair.element), number_at(b, pair.element), pair.element)};
  if (at.difference == 0) return;
  if (!into.worst || at.difference > into.worst->difference) into.worst = at;
  const double size = std::max(std::abs(at.a), std::abs(at.b));
  const double allowed = into.tolerance.absolute + (std::isfinite(size) ? into.tolerance.relative * size : 0.0);
  if (at.difference <= allowed) return;
  ++into.beyond;
  if (!into.first) into.first = at;
}

bool means_any(const std::vector<std::string>& patterns, const std::string& name) {
  return std::any_of(patterns.begin(), patterns.end(),
                     [&name](const std::string& each) { return pattern_means(each, name); });
}

/// Aliases are names of their own log; patterns are held against the names of blocks.
class Comparer {
public:
  Comparer(Log& a, Log& b, const ComparisonOptions& options) : a_(a), b_(b), options_(options) {}

  bool pair_up(std::string& error) {
    for (const std::string& pattern : options_.only)
      if (elements_of(a_, pattern).empty() && elements_of(b_, pattern).empty()) {
        error = a_.missing(pattern);
        return false;
      }
    std::set<std::string> in_a;
    for (const LogChannel& channel : a_.schema().channels)
      for (const LogField& field : channel.fields) {
        const std::string name = channel.path + "." + field.name;
        in_a.insert(name);
        if (wanted(name)) pair_up(name);
      }
    for (const std::string& name : b_.signal_names())
      if (!in_a.contains(name) && wanted(name)) result_.only_in_b.push_back(name);
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
  bool wanted(const std::string& name) const {
    if (means_any(options_.ignored, name)) return false;
    if (options_.only.empty()) return true;
    for (const Log* log : {&a_, &b_})
      for (const std::string& pattern : options_.only)
        for (const ElementPlace& place : elements_of(*log, pattern))
          if (pattern_means(name, place.name)) return true;
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
      if (means_any(options_.ignored, difference.name) || !chosen(difference.name)) continue;
      difference.unit = element_unit(field_a, e);
      for (const Tolerance& tolerance : options_.tolerances)
        if (pattern_means(tolerance.pattern, difference.name)) difference.tolerance = tolerance;
      result_.elements.push_back(std::move(difference));
      pairs_.push_back({in_a->channel, in_b->channel, sample_layout(channel_a).offsets[in_a->field] + e * bytes,
                        sample_layout(channel_b).offsets[in_b->field] + e * bytes, bytes, field_a.element});
    }
    remember(channel_a.path, in_a->channel, true);
    remember(channel_b.path, in_b->channel, false);
  }

  bool chosen(const std::string& element) const {
    if (options_.only.empty()) return true;
    for (const std::string& pattern : options_.only)
      for (const ElementPlace& place : elements_of(a_, pattern))
        if (place.name == element) return true;
    return false;
  }

  void remember(const std::string& path, std::size_t channel, bool in_a) {
    auto& index = in_a ? lone_of_a_ : lone_of_b_;
    index.resize(std::max(index.size(), channel + 1), -1);
    if (index[channel] >= 0) return;
    index[channel] = static_cast<int>(lone_.size());
    lone_.push_back({path, in_a, 0, 0});
  }

  void note_lone(int index, double time) {
    LoneSamples& lone = lone_[static_cast<std::size_t>(index)];
    if (lone.count++ == 0) lone.first = time;
  }

  void compare(const Instants* a, const Instants* b) {
    const double time = a != nullptr ? a->seconds() : b->seconds();
    if (a != nullptr && b != nullptr) result_.end = time;
    std::size_t last = static_cast<std::size_t>(-1);
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
  LogComparison result_;
  std::vector<Pair> pairs_;
  std::vector<LoneSamples> lone_;
  std::vector<int> lone_of_a_, lone_of_b_; ///< by channel, index into lone_
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

} // namespace hilda
