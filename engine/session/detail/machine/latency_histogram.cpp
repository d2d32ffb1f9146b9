// SPDX-License-Identifier: BSD-3-Clause
#include "engine/session/detail/machine/latency_histogram.h"

#include "engine/session/detail/machine/monotonic.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <fmt/format.h>
#include <vector>

namespace hilda::session {
namespace {

/// Of the chart, from just above `begin` to `end` ns.
struct HistogramRow {
  std::int64_t begin = 0, end = 0;
  std::uint64_t count = 0;

  std::string words() const {
    if (begin == 0) return "below " + duration_in_words(end);
    return fmt::format("{} to {}", duration_in_words(begin), duration_in_words(end));
  }
};

/// On a scale of logarithms: a single one among a million is to be seen.
std::size_t bar_length(std::uint64_t count, std::uint64_t most) {
  constexpr double width = 40;
  if (count == 0) return 0;
  const double share = std::log(static_cast<double>(count)) / std::max(std::log(static_cast<double>(most)), 1.0);
  return static_cast<std::size_t>(1 + (width - 1) * share);
}

} // namespace

std::size_t LatencyHistogram::bin_of(std::int64_t ns) noexcept {
  const auto value = static_cast<std::uint64_t>(ns);
  if (value < per_octave) return static_cast<std::size_t>(value);
  const int octave = static_cast<int>(std::bit_width(value)) - bits - 1;
  return static_cast<std::size_t>(octave) * per_octave + static_cast<std::size_t>(value >> octave);
}

std::int64_t LatencyHistogram::end_of(std::size_t bin) noexcept {
  if (bin < 2 * per_octave) return static_cast<std::int64_t>(bin);
  const std::size_t octave = bin / per_octave - 1;
  const std::uint64_t first = (per_octave + bin % per_octave) << octave;
  return static_cast<std::int64_t>(first + (std::uint64_t{1} << octave) - 1);
}

void LatencyHistogram::add(std::int64_t ns) noexcept {
  const std::int64_t duration = std::max<std::int64_t>(ns, 0);
  ++bins_[bin_of(duration)];
  ++count_;
  max_ = std::max(max_, duration);
}

std::int64_t LatencyHistogram::percentile(double q) const {
  const auto wanted = static_cast<std::uint64_t>(std::ceil(std::clamp(q, 0.0, 1.0) * static_cast<double>(count_)));
  std::uint64_t below = 0;
  for (std::size_t bin = 0; bin < bins; ++bin) {
    below += bins_[bin];
    if (below >= wanted && below > 0) return std::min(end_of(bin), max_);
  }
  return max_;
}

std::uint64_t LatencyHistogram::above(std::int64_t ns) const {
  std::uint64_t longer = 0;
  for (std::size_t bin = bin_of(std::max<std::int64_t>(ns, 0)) + 1; bin < bins; ++bin) longer += bins_[bin];
  return longer;
}

std::string LatencyHistogram::chart(const std::string& indent) const {
  std::vector<HistogramRow> rows{{0, 1000}};
  constexpr std::int64_t longest = 100 * second_ns; // longer times count in the last row
  for (std::int64_t decade = 1000; decade <= std::min(max_, longest); decade *= 10)
    for (const int digit : {1, 2, 5}) rows.push_back({digit * decade, (digit == 5 ? 10 : digit == 2 ? 5 : 2) * decade});
  auto row = rows.begin();
  for (std::size_t bin = 0; bin < bins; ++bin) {
    if (bins_[bin] == 0) continue;
    while (end_of(bin) > row->end && row + 1 != rows.end()) ++row;
    row->count += bins_[bin];
  }
  const auto filled = [](const HistogramRow& each) { return each.count > 0; };
  const auto first = std::find_if(rows.begin(), rows.end(), filled);
  const auto last = std::find_if(rows.rbegin(), rows.rend(), filled).base();
  std::uint64_t most = 1;
  for (const HistogramRow& each : rows) most = std::max(most, each.count);
  std::string text;
  for (auto at = first; at < last; ++at)
    text += fmt::format("{}{:>18}  {:<40}  {}\n", indent, at->words(), std::string(bar_length(at->count, most), '#'),
                        at->count);
  return text;
}

std::string duration_in_words(std::int64_t ns) {
  const auto value = static_cast<double>(ns);
  if (ns < 1000) return fmt::format("{} ns", ns);
  if (value < 999.5e3) return fmt::format("{:.3g} us", value / 1e3);
  if (value < 999.5e6) return fmt::format("{:.3g} ms", value / 1e6);
  return fmt::format("{:.4g} s", value / 1e9);
}

} // namespace hilda::session
