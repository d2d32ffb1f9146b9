#include "engine/run/realtime/latency_histogram.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <fmt/format.h>
#include <limits>

namespace hilda {
namespace {

std::int64_t end_of_octave(std::ptrdiff_t width) {
  return width < 63 ? std::int64_t{1} << width : std::numeric_limits<std::int64_t>::max();
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
  std::array<std::uint64_t, 64> octaves{};
  for (std::size_t bin = 0; bin < bins; ++bin)
    octaves[std::bit_width(static_cast<std::uint64_t>(end_of(bin)))] += bins_[bin];
  const std::uint64_t most = *std::max_element(octaves.begin(), octaves.end());
  if (most == 0) return {};
  const auto first = std::find_if(octaves.begin(), octaves.end(), [](std::uint64_t n) { return n > 0; });
  const auto last = std::find_if(octaves.rbegin(), octaves.rend(), [](std::uint64_t n) { return n > 0; }).base();
  constexpr double width = 40;
  std::string text;
  for (auto at = first; at != last; ++at) {
    const auto octave = at - octaves.begin();
    const std::int64_t begin = octave == 0 ? 0 : std::int64_t{1} << (octave - 1);
    // On a scale of logarithms: a single one among a million is to be seen.
    const double length = *at == 0 ? 0
                                   : 1 + (width - 1) * std::log1p(static_cast<double>(*at - 1)) /
                                             std::max(std::log1p(static_cast<double>(most - 1)), 1.0);
    text +=
        fmt::format("{}{:>8} to {:<8} {:<40} {}\n", indent, duration_in_words(begin),
                    duration_in_words(end_of_octave(octave)), std::string(static_cast<std::size_t>(length), '#'), *at);
  }
  return text;
}

std::string duration_in_words(std::int64_t ns) {
  const auto value = static_cast<double>(ns);
  if (ns < 1000) return fmt::format("{} ns", ns);
  if (value < 999.5e3) return fmt::format("{:.3g} us", value / 1e3);
  if (value < 999.5e6) return fmt::format("{:.3g} ms", value / 1e6);
  return fmt::format("{:.4g} s", value / 1e9);
}

} // namespace hilda
