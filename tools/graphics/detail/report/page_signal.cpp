// SPDX-License-Identifier: BSD-3-Clause
#include "tools/graphics/detail/report/page_signal.h"

#include "engine/log/frame_layout.h"
#include "engine/log/log_number.h"
#include "engine/log/signal_pattern.h"
#include "tools/graphics/detail/report/encoding.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <optional>

namespace hilda::graphics::report {
namespace {

/// Least and greatest of groups of samples, in the order in which they occur; each sample where a group is one.
class Thinned {
public:
  explicit Thinned(std::size_t group) : group_(group) {}

  void take(double value) {
    if (group_ == 1) return kept.push_back(value);
    if (inside_ == 0) {
      least_ = greatest_ = value;
      least_at_ = greatest_at_ = 0;
    }
    if (value < least_ || std::isnan(least_)) least_ = value, least_at_ = inside_;
    if (value > greatest_ || std::isnan(greatest_)) greatest_ = value, greatest_at_ = inside_;
    if (++inside_ == group_) close();
  }
  void close() {
    if (inside_ == 0) return;
    const bool falling = greatest_at_ < least_at_;
    kept.push_back(falling ? greatest_ : least_);
    kept.push_back(falling ? least_ : greatest_);
    inside_ = 0;
  }
  std::vector<double> kept;

private:
  std::size_t group_, inside_ = 0, least_at_ = 0, greatest_at_ = 0;
  double least_ = 0, greatest_ = 0;
};

/// Instants of the two numbers that are kept of each group: its first sample's, and its middle one's.
class ThinnedTimes {
public:
  explicit ThinnedTimes(std::size_t group) : group_(group) {}

  void take(double time) {
    last_ = time;
    if (group_ == 1 || inside_ == 0) kept.push_back(time);
    if (group_ > 1 && inside_ == group_ / 2) kept.push_back(time);
    if (++inside_ == group_) inside_ = 0;
  }
  void close() {
    if (group_ > 1 && inside_ > 0 && inside_ <= group_ / 2) kept.push_back(last_);
  }
  std::vector<double> kept;

private:
  std::size_t group_, inside_ = 0;
  double last_ = 0;
};

/// Instants as begin and step where they are uniform, else one by one.
PageAxis axis_of(const std::vector<double>& times, bool for_scripts) {
  PageAxis axis;
  axis.count = times.size();
  if (times.empty()) return axis;
  axis.begin = times.front();
  axis.step = times.size() > 1 ? (times.back() - times.front()) / static_cast<double>(times.size() - 1) : 0;
  axis.times = times;
  if (!for_scripts) return axis;
  for (std::size_t i = 0; i < times.size(); ++i)
    if (std::abs(axis.begin + static_cast<double>(i) * axis.step - times[i]) > 1e-6 * axis.step) {
      const Encoded encoded = encode(times);
      axis.data = encoded.text, axis.width = encoded.width;
      return axis;
    }
  return axis;
}

/// Two passes over the log: one that measures every element, one that keeps what fits. Memory follows from what is
/// kept and not from how long the log is.
class SignalReader {
public:
  SignalReader(Log& log, const SignalLimits& limits) : log_(log), limits_(limits), places_(all_elements(log)) {
    channels_.resize(log.schema().channels.size());
    for (std::size_t i = 0; i < places_.size(); ++i) {
      const LogChannel& channel = log.schema().channels[places_[i].channel];
      const LogField& field = channel.fields[places_[i].field];
      const std::size_t offset =
          sample_layout(channel).offsets[places_[i].field] + places_[i].element * element_bytes(field.element);
      channels_[places_[i].channel].elements.push_back({i, offset, field.element});
      result.signals.push_back(described(places_[i], channel, field));
    }
  }

  void read() {
    measure();
    keep();
    for (std::size_t c = 0; c < channels_.size(); ++c) finish(c);
  }
  PageSignals result;

  void measure() {
    log_.rewind();
    Log::Sample sample;
    while (log_.next(sample)) {
      Channel& channel = channels_[sample.channel];
      ++channel.samples;
      for (Element& element : channel.elements) {
        const double v = number_at(sample.data.data() + element.offset, element.type);
        if (std::isfinite(v))
          element.low = std::min(element.low, v), element.high = std::max(element.high, v);
        else
          result.signals[element.signal].finite = false;
      }
    }
    for (const Channel& channel : channels_)
      for (const Element& element : channel.elements) {
        PageSignal& signal = result.signals[element.signal];
        const bool any = element.low <= element.high;
        signal.samples = channel.samples;
        signal.constant = signal.finite && !(element.high > element.low);
        signal.low = any ? element.low : 0, signal.high = any ? element.high : 0;
      }
  }

private:
  struct Element {
    std::size_t signal, offset;
    LogElement type;
    double low = std::numeric_limits<double>::infinity(), high = -std::numeric_limits<double>::infinity();
  };
  struct Channel {
    std::vector<Element> elements;
    std::size_t samples = 0, group = 1;
    std::vector<Thinned> values; ///< by element
    std::optional<ThinnedTimes> times;
  };

  PageSignal described(const ElementPlace& place, const LogChannel& channel, const LogField& field) const {
    PageSignal page;
    page.held = channel.held || field.element != LogElement::f64;
    if (!channel.when.empty()) page.gap = 1.5 * seconds_at(log_.schema().period, channel.divider);
    page.name = place.name;
    page.block_type = channel.type;
    page.field = field.name;
    page.unit = element_unit(field, place.element);
    page.doc = field.doc;
    return page;
  }

  /// Of how many samples a signal keeps all: as many as asked for, and as all together may have.
  std::size_t most_samples() const {
    const std::size_t least = 64;
    const auto changes = [](const PageSignal& signal) { return !signal.constant; };
    const auto changing =
        static_cast<std::size_t>(std::count_if(result.signals.begin(), result.signals.end(), changes));
    std::size_t numbers = 0;
    for (const PageSignal& signal : result.signals) numbers += signal.constant ? 0 : signal.samples;
    const std::size_t share = numbers <= limits_.all ? limits_.one : limits_.all / std::max<std::size_t>(changing, 1);
    return std::max(least, std::min(limits_.one, share));
  }

  void keep() {
    const std::size_t most = most_samples();
    for (Channel& channel : channels_) {
      channel.group = channel.samples > most ? (2 * channel.samples + most - 1) / most : 1;
      channel.values.assign(channel.elements.size(), Thinned(channel.group));
      channel.times.emplace(channel.group);
    }
    log_.rewind();
    Log::Sample sample;
    while (log_.next(sample)) {
      Channel& channel = channels_[sample.channel];
      channel.times->take(seconds_at(log_.schema().period, sample.tick));
      for (std::size_t e = 0; e < channel.elements.size(); ++e) {
        const Element& element = channel.elements[e];
        if (result.signals[element.signal].constant) continue;
        channel.values[e].take(number_at(sample.data.data() + element.offset, element.type));
      }
    }
  }

  void finish(std::size_t index) {
    Channel& channel = channels_[index];
    channel.times->close();
    int axis = -1;
    for (std::size_t e = 0; e < channel.elements.size(); ++e) {
      PageSignal& signal = result.signals[channel.elements[e].signal];
      Thinned& values = channel.values[e];
      if (signal.constant) continue;
      values.close();
      signal.kept = values.kept.size();
      if (axis < 0) axis = axis_number(axis_of(channel.times->kept, limits_.encoded));
      signal.axis = axis;
      if (limits_.encoded) {
        const Encoded encoded = encode(values.kept);
        signal.data = encoded.text, signal.width = encoded.width;
      }
      signal.values = std::move(values.kept);
    }
    channel.times.reset();
  }

  /// The same for channels that run alike.
  int axis_number(const PageAxis& axis) {
    for (std::size_t a = 0; a < result.axes.size(); ++a)
      if (result.axes[a].begin == axis.begin && result.axes[a].step == axis.step &&
          result.axes[a].count == axis.count && result.axes[a].data == axis.data && result.axes[a].times == axis.times)
        return static_cast<int>(a);
    result.axes.push_back(axis);
    return static_cast<int>(result.axes.size()) - 1;
  }

  Log& log_;
  const SignalLimits limits_;
  const std::vector<ElementPlace> places_;
  std::vector<Channel> channels_;
};

} // namespace

PageSignals read_signals(Log& log, const SignalLimits& limits) {
  SignalReader reader(log, limits);
  reader.read();
  return std::move(reader.result);
}

std::vector<PageSignal> measured_signals(Log& log) {
  SignalReader reader(log, {});
  reader.measure();
  return std::move(reader.result.signals);
}

} // namespace hilda::graphics::report
