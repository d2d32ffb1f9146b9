// SPDX-License-Identifier: BSD-3-Clause
#include "tests/drivers_kuka/wire_robot.h"

#include "drivers/kuka_rsi/telegram_writer.h"
#include "tests/drivers_kuka/block_run.h"
#include "tests/drivers_kuka/golden_files.h"

#include <algorithm>
#include <chrono>
#include <gtest/gtest.h>
#include <thread>

namespace hilda::kuka::test {

WireRobot::WireRobot(int& port, const std::string& ethernet, bool relative, double period)
    : relative_(relative), period_(period) {
  std::vector<std::string> problems;
  file_ = read_ethernet_text(ethernet, problems);
  EXPECT_TRUE(problems.empty());
  const char* const tags[] = {"RKorr.X", "RKorr.Y", "RKorr.Z"};
  for (std::size_t i = 0; i < 3; ++i) channel_[i] = file_.received(tags[i]);
  for (net::DatagramSocket probe;; port = free_port()) {
    const sockaddr_in pc = *net::ipv4("127.0.0.1", port);
    socket_.close();
    EXPECT_EQ(socket_.connect(pc), "");
    if (probe.bind(pc).empty()) return;
  }
}

std::string WireRobot::telegram(const CycleFault& fault) const {
  RobotTelegram t;
  t.setpoint.value = {520, -12.5, 810.25, 0, 0, 0};
  t.pose.value = t.setpoint.value;
  for (std::size_t i = 0; i < 3; ++i)
    t.pose.value[i] += std::clamp(position_[static_cast<Eigen::Index>(i)], -clamp, clamp) * 1e3;
  t.delay = seen_.delay;
  t.ipoc = ipoc;
  std::array<char, 4096> bytes{};
  std::string text(bytes.data(), write_robot_telegram(file_, nullptr, t, bytes));
  if (fault.garble_delay) text = with(text, "Delay D=\"", "Delay D=\"x");
  if (fault.garble_pose) text = with(text, "RIst X=\"", "RIst X=\"x");
  return text;
}

void WireRobot::run(const std::function<bool()>& done, const std::function<CycleFault(std::int64_t)>& fault) {
  std::string held, before; // held: goes out behind the next telegram
  while (!done() && !seen_.stopped) {
    const CycleFault now = fault(seen_.cycles);
    if (now.anew) begin_anew();
    const std::string text = now.repeat ? before : telegram(now);
    before = text;
    if (!now.drop_telegram && !now.behind_next) {
      socket_.send(net::bytes(text));
      if (now.twice) socket_.send(net::bytes(text));
    }
    if (!held.empty()) socket_.send(net::bytes(held));
    held = now.behind_next ? text : "";
    dropped_ = now.drop_telegram ? dropped_ + 1 : 0;
    // In a long gap IPOC keeps time, as else it leaps; a short one passes at once, whatever else the machine does.
    if (dropped_ > 5) std::this_thread::sleep_for(std::chrono::duration<double>(period_));
    if (keeps_time)
      keep_time(now.drop_answer);
    else if (now.drop_telegram || now.behind_next || !take_answer(now.drop_answer))
      stand();
    ++seen_.cycles;
    ipoc += 4 * (1 + now.ipoc_leap);
  }
}

/// Until the cycle is over by the clock. An answer counts where it came before.
void WireRobot::keep_time(bool dropped) {
  const auto period = static_cast<std::int64_t>(period_ * 1e9);
  ends_ = ends_ < 0 ? net::monotonic_now() + period : ends_ + period; // where it was held up it catches up
  if (!take_answer(dropped, ends_)) stand();
  std::this_thread::sleep_until(std::chrono::steady_clock::time_point(std::chrono::nanoseconds(ends_)));
}

bool WireRobot::take_answer(bool dropped) {
  return take_answer(dropped, net::monotonic_now() + static_cast<std::int64_t>(patience * 1e9));
}

/// False: none with the current IPOC came, or it was lost.
bool WireRobot::take_answer(bool dropped, std::int64_t until) {
  std::array<char, 8192> bytes{};
  do {
    net::Datagram datagram;
    while (socket_.receive(bytes, datagram) == net::Received::datagram) {
      SensorTelegram answer;
      const Reading reading = read_sensor_telegram({bytes.data(), datagram.size}, file_, answer);
      EXPECT_EQ(reading.verdict, Reading::Verdict::sound) << reading.why;
      if (answer.ipoc != ipoc) continue;
      met_ = true;
      if (dropped) return false;
      move(answer);
      return true;
    }
  } while (socket_.wait(until));
  return false;
}

void WireRobot::move(const SensorTelegram& answer) {
  Eigen::Vector3d to;
  for (std::size_t i = 0; i < 3; ++i)
    to[static_cast<Eigen::Index>(i)] = answer.value[static_cast<std::size_t>(channel_[i])] * 1e-3;
  to += relative_ ? position_ : origin_;
  const Eigen::Vector3d velocity = (to - position_) / period_;
  seen_.speed = std::max(seen_.speed, velocity.norm());
  seen_.acceleration = std::max(seen_.acceleration, (velocity - velocity_).norm() / period_);
  seen_.distance = std::max(seen_.distance, to.cwiseAbs().maxCoeff());
  seen_.furthest_along = std::max(seen_.furthest_along, to.x());
  position_ = to, velocity_ = velocity;
  ++seen_.taken;
  if (seen_.taken_anew >= 0) ++seen_.taken_anew;
  if (in_a_row) seen_.delay = 0;
  if (stop_channel >= 0 && answer.value[static_cast<std::size_t>(stop_channel)] != 0) seen_.stopped = true;
}

void WireRobot::begin_anew() {
  origin_ = position_;
  velocity_.setZero();
  seen_.delay = 0, seen_.taken_anew = 0;
  met_ = false;
}

/// A cycle without an answer: the robot stays where the last one put it.
void WireRobot::stand() {
  velocity_.setZero();
  if (met_ && counts) ++seen_.delay;
}

} // namespace hilda::kuka::test
