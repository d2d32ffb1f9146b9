// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "drivers/kuka_rsi/telegram.h"
#include "drivers/net/datagram_socket.h"

#include <Eigen/Dense>
#include <array>
#include <cmath>
#include <functional>
#include <string>

namespace hilda::kuka::test {

/// What happens to one cycle on its way.
struct CycleFault {
  bool drop_telegram = false; ///< it never arrives
  bool behind_next = false;   ///< it arrives after the next one
  bool twice = false;         ///< it arrives twice
  bool garble_delay = false;  ///< its Delay cannot be read
  bool garble_pose = false;   ///< its RIst cannot be read
  bool drop_answer = false;   ///< its answer never arrives, or too late
  std::int64_t ipoc_leap = 0; ///< IPOC grows by so many cycles more; -1: it does not grow
  bool repeat = false;        ///< the telegram before comes in its place
  bool anew = false;          ///< RSI restarts before it: corrections from where the robot is, Delay from 0
};

/// The robot's end of the wire, in step with the PC: a cycle ends when its answer is there, or as soon as none can be
/// expected. It takes the answer that carries the current IPOC, counts Delay, and notes what it was made to do.
class WireRobot {
public:
  struct Seen {
    std::int64_t cycles = 0, taken = 0, delay = 0;
    double speed = 0, acceleration = 0, distance = 0; ///< the largest that an answer asked for; m, s
    double furthest_along = 0;                        ///< of x
    bool stopped = false;                             ///< by the stop channel
    std::int64_t taken_anew = -1;                     ///< answers, since RSI restarted; -1: it did not
  };

  /// `relative`: corrections are increments. `ethernet`: of the file that both ends read. `port`: of the PC; another
  /// one is taken where the robot's own end happened upon it.
  WireRobot(int& port, const std::string& ethernet, bool relative, double period = 4e-3);
  /// Until `done`. `fault`: of a cycle, counted from the first one on.
  void run(const std::function<bool()>& done, const std::function<CycleFault(std::int64_t)>& fault);
  const Seen& seen() const { return seen_; }
  /// Where it keeps time: this cycle began within an eighth of a period of its time.
  bool punctual() const {
    return ends_ < 0 || net::monotonic_now() - ends_ < static_cast<std::int64_t>(period_ * 1e9 / 8);
  }

  std::int64_t ipoc = 1000; ///< of the next telegram
  bool in_a_row = false;    ///< an answer that is taken sets Delay to 0
  bool counts = true;       ///< else Delay stays 0
  double clamp = HUGE_VAL;  ///< m: POSCORR goes no farther along an axis, and says nothing
  int stop_channel = -1;    ///< index in RECEIVE
  double patience = 12e-3;  ///< s, for an answer
  bool keeps_time = false;  ///< a cycle takes a period by the clock, as on a robot

private:
  std::string telegram(const CycleFault& fault) const;
  bool take_answer(bool dropped);
  bool take_answer(bool dropped, std::int64_t until);
  void keep_time(bool dropped);
  void move(const SensorTelegram& answer);
  void stand();
  void begin_anew();

  net::DatagramSocket socket_;
  EthernetFile file_;
  std::array<int, 3> channel_{};
  bool relative_, met_ = false;
  double period_;
  int dropped_ = 0;                                  ///< telegrams in a row
  Eigen::Vector3d origin_ = Eigen::Vector3d::Zero(); ///< where absolute corrections count from
  Eigen::Vector3d position_ = Eigen::Vector3d::Zero(), velocity_ = Eigen::Vector3d::Zero(); ///< m, from RSI_ON
  std::int64_t ends_ = -1; ///< the cycle that keeps time
  Seen seen_;
};

} // namespace hilda::kuka::test
