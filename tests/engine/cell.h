// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "tests/engine/loop.h"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <string>

namespace hilda::test {

inline const std::string limits = R"(<limits on="device.pose" position="0.5 m" rotation="1 rad" speed="0.2 m/s"
  angular_speed="1 rad/s" acceleration="4 m/s2" angular_acceleration="20 rad/s2" stop_time="20 ms"/>
)";
inline const std::string driven = R"(<block name="hand" type="probes/Hand"/>
<connect from="hand.pose" to="device.pose"/>
)" + limits;

inline std::string device(const std::string& attributes = "") {
  return "<block name='device' type='probes/Device' " + attributes + "/>\n";
}

inline RuntimeOptions on_hardware() {
  RuntimeOptions options;
  options.hardware = true;
  return options;
}

/// A device whose pose is commanded along x by the test, and the samples that it was sent.
class Cell {
public:
  explicit Cell(const std::string& more = "", const std::string& attributes = "",
                const RuntimeOptions& options = on_hardware())
      : loop(device(attributes) + driven + more, options), runtime(loop.runtime()) {
    auto* pose = static_cast<double*>(runtime.find_signal("hand.pose")->span.data);
    command = pose;
    std::fill_n(pose, 7, 0.0);
    pose[3] = 1;
  }

  Runtime::HoldResult hold() { return runtime.hold(); }

  /// One tick; false: it was the last one. A sample that was sent must keep the limits.
  bool tick() {
    const double before = loop.value("device.emits");
    const bool going = runtime.compute();
    const double emits = loop.value("device.emits") - before;
    EXPECT_LE(emits, 1);
    if (emits == 1) look(loop.value("device.wire_pose"));
    return going && runtime.advance();
  }

  /// Moves at v m/s, beginning gently, for so many ticks.
  void move(double v, int ticks) {
    for (int k = 0; k < ticks; ++k) {
      speed = std::min(v, speed + 2e-3);
      command[0] += speed * 1e-3;
      ASSERT_TRUE(tick()) << runtime.ending().text;
    }
  }

  /// Ticks until the run is over; it has to be soon.
  int wind_down(bool moving = true) {
    for (int k = 1; k < 2000; ++k) {
      if (moving) command[0] += speed * 1e-3;
      if (!tick()) return k;
    }
    ADD_FAILURE() << "the run does not end";
    return -1;
  }

  void expect_rest() const { EXPECT_NEAR(wire_speed, 0, 1e-12); }

  Loop loop;
  Runtime& runtime;
  double* command = nullptr;
  double speed = 0;
  double wire = 0, wire_speed = 0;
  bool first = true;

private:
  void look(double x) {
    const double v = first ? 0 : (x - wire) / 1e-3;
    EXPECT_LE(std::abs(v), 0.2 * (1 + 1e-6));
    EXPECT_LE(std::abs(v - wire_speed) / 1e-3, 4 * (1 + 1e-6));
    wire = x, wire_speed = v, first = false;
  }
};

} // namespace hilda::test
