#include "tools/report/page_signal.h"

#include "engine/observe/signal_pattern.h"
#include "tools/report/encoding.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

namespace hilda::report {
namespace {

constexpr std::size_t numbers_at_once = 64'000'000; ///< held in memory while a log is read

void measure(PageSignal& signal, const std::vector<double>& values) {
  double low = std::numeric_limits<double>::infinity(), high = -low;
  for (const double v : values) {
    if (std::isfinite(v))
      low = std::min(low, v), high = std::max(high, v);
    else
      signal.finite = false;
  }
  signal.samples = values.size();
  signal.constant = signal.finite && !(high > low);
  signal.low = low <= high ? low : 0, signal.high = low <= high ? high : 0;
}

/// Least and greatest of each group, in the order in which they occur.
std::vector<double> thinned(const std::vector<double>& values, std::size_t group) {
  std::vector<double> kept;
  for (std::size_t i = 0; i < values.size(); i += group) {
    std::size_t least = i, greatest = i;
    for (std::size_t k = i; k < std::min(values.size(), i + group); ++k) {
      if (values[k] < values[least] || std::isnan(values[least])) least = k;
      if (values[k] > values[greatest] || std::isnan(values[greatest])) greatest = k;
    }
    kept.push_back(values[std::min(least, greatest)]);
    kept.push_back(values[std::max(least, greatest)]);
  }
  return kept;
}

/// Instants of the two numbers that are kept of each group: its first sample's, and its middle one's.
std::vector<double> thinned_times(const std::vector<double>& times, std::size_t group) {
  std::vector<double> kept;
  for (std::size_t i = 0; i < times.size(); i += group) {
    kept.push_back(times[i]);
    kept.push_back(times[std::min(i + group / 2, times.size() - 1)]);
  }
  return kept;
}

PageAxis axis_of(const std::vector<double>& times) {
  PageAxis axis;
  axis.count = times.size();
  if (times.empty()) return axis;
  axis.begin = times.front();
  axis.step = times.size() > 1 ? (times.back() - times.front()) / static_cast<double>(times.size() - 1) : 0;
  for (std::size_t i = 0; i < times.size(); ++i)
    if (std::abs(axis.begin + static_cast<double>(i) * axis.step - times[i]) > 1e-6 * axis.step) {
      const Encoded encoded = encode(times);
      axis.data = encoded.text, axis.width = encoded.width;
      return axis;
    }
  return axis;
}

class Reader {
public:
  Reader(Log& log, std::size_t most_samples) : log_(log), most_(std::max<std::size_t>(most_samples, 64)) {}

  bool read(std::string& error) {
    const std::vector<ElementPlace> places = all_elements(log_);
    std::size_t batch = places.size();
    for (std::size_t begin = 0; begin < places.size(); begin += batch) {
      batch = std::min(places.size() - begin, batch_size());
      std::vector<std::string> names;
      for (std::size_t i = begin; i < begin + batch; ++i) names.push_back(places[i].name);
      const auto signals = log_.signals(names, error);
      if (!signals) return false;
      for (std::size_t i = 0; i < batch; ++i) take(places[begin + i], (*signals)[i]);
    }
    return true;
  }
  PageSignals result;

private:
  /// How many elements are read in one pass: by the length of the first.
  std::size_t batch_size() const {
    return result.signals.empty() ? 1
                                  : std::max<std::size_t>(1, numbers_at_once / (result.signals.front().samples + 1));
  }

  void take(const ElementPlace& place, const Signal& signal) {
    const LogChannel& channel = log_.schema().channels[place.channel];
    const LogField& field = channel.fields[place.field];
    PageSignal page;
    page.name = place.name;
    page.block_type = channel.type;
    page.field = field.name;
    page.unit = element_unit(field, place.element);
    page.doc = field.doc;
    const std::vector<double> values = signal.column();
    measure(page, values);
    if (!page.constant) {
      const bool thin = values.size() > most_;
      const std::size_t group = thin ? (2 * values.size() + most_ - 1) / most_ : 1;
      const std::vector<double> kept = thin ? thinned(values, group) : std::vector<double>();
      const Encoded encoded = encode(thin ? kept : values);
      page.data = encoded.text, page.width = encoded.width;
      page.kept = thin ? kept.size() : values.size();
      page.axis = axis(place.channel, signal.times(), group);
    }
    result.signals.push_back(std::move(page));
  }

  /// One for each channel, and the same for channels that run alike.
  int axis(std::size_t channel, const std::vector<double>& times, std::size_t group) {
    if (const auto known = axis_of_channel_.find(channel); known != axis_of_channel_.end()) return known->second;
    const PageAxis axis = axis_of(group > 1 ? thinned_times(times, group) : times);
    for (std::size_t a = 0; a < result.axes.size(); ++a)
      if (result.axes[a].begin == axis.begin && result.axes[a].step == axis.step &&
          result.axes[a].count == axis.count && result.axes[a].data == axis.data)
        return axis_of_channel_[channel] = static_cast<int>(a);
    result.axes.push_back(axis);
    return axis_of_channel_[channel] = static_cast<int>(result.axes.size()) - 1;
  }

  Log& log_;
  std::size_t most_;
  std::map<std::size_t, int> axis_of_channel_;
};

} // namespace

PageSignals read_signals(Log& log, std::size_t most_samples, std::string& error) {
  Reader reader(log, most_samples);
  if (!reader.read(error)) return {};
  return std::move(reader.result);
}

} // namespace hilda::report
