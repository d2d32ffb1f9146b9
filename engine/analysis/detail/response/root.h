// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/modules.h"

#include <functional>

namespace hilda::analysis {

/// Where f is 0 between two places at which its signs differ, to the last bits; the nearer end where they do not.
double root_between(double low, double high, const std::function<double(double)>& f);

/// Where f is least between two places, and what it is there, to about eight digits of the place; f has one valley.
struct Valley {
  double place = 0, value = 0;
};
Valley valley_between(double low, double high, const std::function<double(double)>& f);

} // namespace hilda::analysis
