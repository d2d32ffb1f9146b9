// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

namespace hilda::test {

/// The four contact methods and the energy ledger on one axis, written again from the specification and not from the
/// blocks: a mass between two walls, a robot and a sensor with dead time in whole ticks. The tests compare the
/// diagrams with it.
struct OneAxis {
  enum Method { pic, dac, pida, tdpa };
  enum Rule { off, ratio, model, known };

  double mass = 1.0 / (1.0 / 300.0 + 1.0 / 4000.0), stiffness = 176275.0, damping = 0.0;
  double period = 1e-3, gap = 0.03, speed = 0.02;
  int robot_delay = 10, sensor_delay = 0; ///< ticks
  Method method = pida;
  bool zoh = false; ///< else symplectic; TDPA is integrated by Euler
  Rule rule = ratio;
  double restitution = 1.0;
  double alignment_ticks = -1.0; ///< below 0: the sensor's delay
  double force_noise = 0.0;      ///< N, standard deviation
  unsigned seed = 1;

  /// Smallest force that counts as contact.
  double threshold() const { return method == tdpa || force_noise > 0.0 ? 6.0 * force_noise : 0.5; }

  /// Speed at which the wall is met by contact 2, 3...: what contact 1, 2... gave.
  std::vector<double> speeds(int contacts) const;
};

} // namespace hilda::test
