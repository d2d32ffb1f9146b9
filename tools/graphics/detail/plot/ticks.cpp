// SPDX-License-Identifier: BSD-3-Clause
#include "tools/graphics/detail/plot/ticks.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <fmt/format.h>

namespace hilda::graphics::plot {
namespace {

constexpr const char* minus = "\xE2\x88\x92";

/// Does the unit's first factor take a prefix? "m/s" does, "m2" and "kg" do not.
bool takes_prefix(const std::string& unit) {
  std::size_t end = 0;
  while (end < unit.size() && std::isalpha(static_cast<unsigned char>(unit[end])) != 0) ++end;
  static const std::array<const char*, 9> known{"m", "s", "N", "J", "W", "V", "A", "Pa", "Hz"};
  const std::string first = unit.substr(0, end);
  const bool plain = end == unit.size() || unit[end] == '/' || unit[end] == ' ';
  return plain && std::any_of(known.begin(), known.end(), [&first](const char* each) { return first == each; });
}

const char* prefix_of(int thousands) {
  switch (thousands) {
  case -4: return "p";
  case -3: return "n";
  case -2: return "\xC2\xB5";
  case -1: return "m";
  case 1: return "k";
  case 2: return "M";
  case 3: return "G";
  default: return nullptr;
  }
}

} // namespace

bool drawable(double value) { return std::abs(value) <= 1e300; }

Ticks round_ticks(double low, double high, int most) {
  Ticks ticks;
  const double raw = (high - low) / std::max(1, most);
  const double power = std::pow(10.0, std::floor(std::log10(raw)));
  for (const double factor : {1.0, 2.0, 5.0, 10.0}) {
    ticks.step = factor * power;
    if (ticks.step >= raw * (1 - 1e-9)) break;
  }
  const int decimals = std::max(0, -static_cast<int>(std::floor(std::log10(ticks.step) + 1e-9)));
  const double slack = 1e-6 * ticks.step;
  const double first = std::ceil((low - slack) / ticks.step);
  for (int k = 0; (first + k) * ticks.step <= high + slack; ++k) {
    const double n = first + k, at = n * ticks.step;
    ticks.at.push_back(at);
    const std::string label = fmt::format("{}{:.{}f}", at < 0 ? minus : "", std::abs(at), std::min(decimals, 12));
    ticks.labels.push_back(n == 0 ? "0" : label);
    if (ticks.at.size() > 100) break;
  }
  return ticks;
}

Ticks decade_ticks(double low, double high) {
  Ticks ticks;
  const bool few = high - low < 2;
  const double first = std::floor(low - 1e-9);
  for (int k = 0; first + k <= high + 1e-9; ++k)
    for (const double factor : {1.0, 2.0, 5.0}) {
      const double n = first + k, at = n + std::log10(factor);
      if ((factor != 1 && !few) || at < low - 1e-9 || at > high + 1e-9) continue;
      ticks.at.push_back(at);
      const double value = factor * std::pow(10.0, n);
      ticks.labels.push_back(n >= -3 && n <= 4 ? fmt::format("{:.12g}", value) : fmt::format("{:.0e}", value));
      if (ticks.at.size() > 100) return ticks;
    }
  return ticks;
}

AxisUnit axis_unit(const std::string& unit, double largest) {
  if (!(largest > 0) || !std::isfinite(largest) || (largest >= 0.1 && largest < 1e4)) return {1, unit};
  // 0.02 is better as 20 m than as 2e-2; 12345 as 12.3 k
  const int thousands = static_cast<int>(std::floor(std::log10(largest) / 3 + 1e-9));
  const double factor = std::pow(10.0, 3 * thousands);
  const char* prefix = prefix_of(thousands);
  if (prefix != nullptr && takes_prefix(unit)) return {factor, prefix + unit};
  return {factor, fmt::format("1e{}{}{}", 3 * thousands, unit.empty() ? "" : " ", unit)};
}

} // namespace hilda::graphics::plot
