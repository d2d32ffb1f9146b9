// SPDX-License-Identifier: BSD-3-Clause
#include "engine/analysis/detail/response/root.h"

#include <boost/math/tools/minima.hpp>
#include <boost/math/tools/toms748_solve.hpp>
#include <cmath>
#include <cstdint>

namespace hilda::analysis {

double root_between(double low, double high, const std::function<double(double)>& f) {
  const double at_low = f(low), at_high = f(high);
  if (!((at_low < 0 && at_high > 0) || (at_low > 0 && at_high < 0)))
    return std::abs(at_low) <= std::abs(at_high) ? low : high;
  std::uintmax_t calls = 100;
  const auto [from, to] = boost::math::tools::toms748_solve(f, low, high, at_low, at_high,
                                                            boost::math::tools::eps_tolerance<double>(50), calls);
  return from + (to - from) / 2;
}

Valley valley_between(double low, double high, const std::function<double(double)>& f) {
  std::uintmax_t calls = 100;
  const auto [place, value] = boost::math::tools::brent_find_minima(f, low, high, 26, calls);
  return {place, value};
}

} // namespace hilda::analysis
