// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "tests/wire/witness/program.h"
#include "tests/wire/witness/proxy.h"
#include "tests/wire/witness/robot.h"
#include "tests/wire/witness/sensor_box.h"

#include <memory>

namespace witness {

/// Robot, wire, sensor and the program between them, one run long.
class Stage {
public:
  Stage(const Script& script, Capture& capture);
  ~Stage();
  Stage(const Stage&) = delete;
  Stage& operator=(const Stage&) = delete;

  /// The error, or nothing.
  std::string open();
  /// Until the program has ended and the robot has seen the end of it; its exit code, -1 where it never ended.
  int run(Program& program);

private:
  struct Pending {
    Event event;
    bool begun = false, ended = false;
  };
  void play_script(Program& program);
  void begin(Event& event, Program& program);
  void end(const Event& event, Program& program);
  Instant next_event() const;
  Instant time_of(const Event& event, Instant at) const;
  void read_answers();
  void send_as_foreigner();
  void wait_until(Instant time);

  const Script& script_;
  Capture& capture_;
  Arm arm_;
  Robot robot_;
  SensorBox sensor_;
  Proxy to_program_, to_robot_;
  std::unique_ptr<Program> second_; ///< the same command once more
  std::vector<Pending> events_;
  int wire_ = -1, foreign_ = -1;
  Instant started_ = 0;
  bool foreigner_ = false;
  sockaddr_in program_at_{};
};

} // namespace witness
