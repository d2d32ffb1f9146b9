// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "tests/blocks/trial.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <gtest/gtest.h>
#include <string>

namespace hilda::test {

constexpr double T = 1e-3; ///< s, of the trials

/// A filter by hand: the next output from the next input.
using Recursion = std::function<double(double)>;

/// Feeds noise of several shapes through a block and compares every element with a recursion, at two sample times.
/// `make` builds one for an element from the sample time and its first input.
inline void expect_recursion(const std::string& type, const std::string& attributes, const std::string& port,
                             const std::function<Recursion(double period, double first)>& make, bool matrices = true) {
  for (const char* deviation : {"2", "1 2 3", "1 2 3 4 5 6", "1 2; 3 4; 5 6"}) {
    if (!matrices && std::string(deviation).find(';') != std::string::npos) continue;
    for (const int divider : {1, 5}) {
      const std::string time = "sample_time=\"" + std::to_string(divider) + " ms\" ";
      const Trial trial =
          sound_trial(fed(type, time + attributes, time + "type=\"sources/Noise\" deviation=\"" + deviation + "\""),
                      {.duration = 0.4});
      const Trace &u = trial["u.y"], &y = trial["b." + port];
      ASSERT_EQ(u.width, y.width);
      for (std::size_t i = 0; i < u.width; ++i) {
        const Recursion next = make(T * divider, u.at(0, i));
        for (std::size_t k = 0; k < u.ticks(); k += static_cast<std::size_t>(divider)) {
          const double wanted = next(u.at(k, i));
          ASSERT_NEAR(y.at(k, i), wanted, 1e-12 * std::max(1.0, std::abs(wanted)))
              << type << " tick " << k << " element " << i;
        }
      }
    }
  }
}

} // namespace hilda::test
