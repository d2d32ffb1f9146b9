// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cmath>
#include <cstdio>
#include <hilda/block.h>

namespace hilda {

/// Warns where a wave of `frequency` (rad/s) turns so fast that samples show another one. A continuous wave is taken
/// as it is. In configure().
inline void check_sampled_wave(const Instance& self, const char* slot, double frequency) {
  constexpr double rounding = 1e-9;
  if (self.continuous()) return;
  const double hertz = std::abs(frequency) / (2 * M_PI), rate = 1 / self.period();
  if (!(hertz > 0.5 * rate * (1 - rounding)) || std::isinf(hertz)) return;
  char text[400];
  std::snprintf(text, sizeof text,
                "is %.6g Hz, but a sample time of %.6g ms shows waves below %.6g Hz only: what runs is one of %.6g Hz; "
                "give the block a shorter sample_time or the diagram a shorter period, or take a lower frequency",
                hertz, 1e3 * self.period(), 0.5 * rate, std::abs(hertz - rate * std::round(hertz / rate)));
  self.warn(slot, text);
}

/// Where events are located they are looked for at four places of a step, which may be as long as a tick.
inline void check_located_part(const Instance& self, const char* slot, double length) {
  constexpr double looks = 4;
  if (!(length > 0 && looks * length < self.period())) return;
  char text[300];
  std::snprintf(text, sizeof text,
                "makes a part of %.6g ms, and within a step, which may be as long as the tick of %.6g ms, events are "
                "looked for at four places: some may be missed; give the diagram a period of %.6g ms or less",
                1e3 * length, 1e3 * self.period(), 1e3 * looks * length);
  self.warn(slot, text);
}

/// The same where a part of a signal is so short that it may lie between two samples. `length`: s.
inline void check_sampled_part(const Instance& self, const char* slot, double length) {
  constexpr double rounding = 1e-6;
  if (self.continuous()) return check_located_part(self, slot, length);
  if (!(length > 0 && length < self.period() * (1 - rounding))) return;
  char text[300];
  std::snprintf(text, sizeof text,
                "makes a part of %.6g ms, which is shorter than the sample time of %.6g ms: it may lie between two "
                "samples and is not seen then; give the block a shorter sample_time, or the diagram a shorter period",
                1e3 * length, 1e3 * self.period());
  self.warn(slot, text);
}

} // namespace hilda
