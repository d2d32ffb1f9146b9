// SPDX-License-Identifier: BSD-3-Clause
// The methods and the ledger on one axis as tests/diagrams/one_axis.cpp has them, which tests hold against the
// diagrams: a thousand contacts in a tenth of a second, so that longrun.py can afford many seeds. Prints the speed
// after contact 1000 over that at the start, a line for each seed.
//
//     longrun_reference METHOD DELAY_MS SEEDS CONTACTS LEDGER   (pic dac pida tdpa; on off)

#include "tests/diagrams/one_axis.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>

int main(int count, char** words) {
  using hilda::test::OneAxis;
  if (count != 6) return 64;
  static constexpr const char* names[] = {"pic", "dac", "pida", "tdpa"};
  OneAxis axis;
  for (int i = 0; i < 4; ++i)
    if (std::strcmp(words[1], names[i]) == 0) axis.method = static_cast<OneAxis::Method>(i);
  axis.robot_delay = std::atoi(words[2]);
  axis.sensor_delay = 2;
  axis.force_noise = 0.5;
  axis.gap = 6e-3;
  axis.rule = std::strcmp(words[5], "on") == 0 ? OneAxis::ratio : OneAxis::off;
  const int contacts = std::atoi(words[4]);
  for (int seed = 1; seed <= std::atoi(words[3]); ++seed) {
    axis.seed = static_cast<unsigned>(seed);
    std::printf("%.6f\n", axis.speeds(contacts).back() / axis.speed);
  }
}
