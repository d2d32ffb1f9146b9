// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <hilda/block.h>
#include <optional>
#include <utility>
#include <vector>

namespace hilda {

/// What lies between two samples of a file.
enum class Between { linear, hold };
/// What follows the last one; stop ends the run.
enum class After { hold, zero, repeat, stop };

/// A sample, and how far on the way to the next.
struct PlaybackPlace {
  std::size_t sample;
  double share;
  bool at_sample; ///< the time is the sample's, but for its last digits
};

/// Where in a file's samples a time lies.
class PlaybackTimes {
public:
  PlaybackTimes() = default;
  explicit PlaybackTimes(std::vector<double> rising) : times_(std::move(rising)) {}

  std::size_t size() const { return times_.size(); }
  const std::vector<double>& all() const { return times_; }

  /// The place of a block at a time of the file; none where all is over and zeros follow. `end` is the reason given to
  /// the run where it stops there.
  std::optional<PlaybackPlace> place(const Tick& t, double time, Between between, After after, const char* end) const {
    if (after == After::repeat) {
      time = repeated(time, t.period());
    } else if (time - times_.back() > slack(t.period())) {
      if (after == After::zero) return std::nullopt;
      if (after == After::stop) t.stop(end, time);
    }
    return find(time, t.period(), between);
  }

private:
  /// A time written in decimal and one counted in ticks may differ in their last digit.
  static double slack(double period) { return 5e-7 * period; }
  /// The same time in the first round, where a round ends as the next begins: with the first sample.
  double repeated(double time, double period) const {
    if (time < times_.front()) return time;
    const double round = times_.back() - times_.front(), within = std::fmod(time - times_.front(), round);
    return round - within <= slack(period) ? times_.front() : times_.front() + within;
  }
  PlaybackPlace find(double time, double period, Between between) const {
    const auto next = std::upper_bound(times_.begin(), times_.end(), time + slack(period));
    if (next == times_.begin()) return {0, 0, true};
    const auto sample = static_cast<std::size_t>(next - times_.begin()) - 1;
    if (between == Between::hold || next == times_.end()) return {sample, 0, true};
    const double since = time - times_[sample];
    return {sample, std::max(0.0, since / (times_[sample + 1] - times_[sample])), since <= slack(period)};
  }

  std::vector<double> times_;
};

} // namespace hilda
