// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <cmath>

namespace hilda {

/// Where `value`, which is not above 0 at 0 (where it is `below`) and is `above` > 0 at `high`, comes to be above 0:
/// the upper end, at which it is, of a bracket no longer than `least`. Inverse quadratic interpolation wherever the
/// three last points are those of a function that has an inverse between them, else bisection (T. R. Chandrupatla,
/// Advances in Engineering Software 28, 1997, 145-149). A `value` that is not a number counts as below.
template <typename Value>
double bracketed_root(double below, double high, double above, double least, const Value& value) {
  double newest = 0.0, f = std::min(0.0, below); // the ends of the bracket: the one that came last,
  double other = high, g = above;                // the one across the root;
  const double straight = f / (f - g);           // and where between them to look, even where both are infinite
  double part = straight > 0.01 ? std::min(straight, 0.99) : 0.01;
  for (int i = 0; i < 200 && std::abs(other - newest) > least; ++i) {
    const double narrowest = std::min(0.5, 0.5 * least / std::abs(other - newest));
    part = std::clamp(part, narrowest, 1.0 - narrowest);
    const double at = newest + part * (other - newest), here = value(at);
    double last = newest, h = f; // of three points the one that is not an end
    if ((here > 0.0) != (f > 0.0)) last = other, h = g, other = newest, g = f;
    newest = at, f = here;
    const double place = (newest - other) / (last - other), level = (f - g) / (h - g);
    part = level * level < place && (1.0 - level) * (1.0 - level) < 1.0 - place
               ? f / (g - f) * h / (g - h) + (last - newest) / (other - newest) * f / (h - f) * g / (h - g)
               : 0.5;
  }
  return f > 0.0 ? newest : other;
}

} // namespace hilda
