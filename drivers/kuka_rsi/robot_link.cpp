// SPDX-License-Identifier: BSD-3-Clause
#include "drivers/kuka_rsi/robot_link.h"

#include "drivers/kuka_rsi/telegram_writer.h"

#include <algorithm>
#include <arpa/inet.h>
#include <cmath>
#include <ctime>
#include <limits>

namespace hilda::kuka {
namespace {

/// Between two telegrams that agree: cycles, and mm or deg of a robot at rest.
constexpr std::int64_t most_gap = 250;
constexpr double rest_motion = 0.1;
/// Packets that one look takes in at most: a flood must not hold the loop.
constexpr int most_packets = 4096;
/// By how much the measured spacing of telegrams may differ from the cycle: it is measured briefly, and 4 and 12 ms are
/// to be distinguished. Small differences are found while it runs.
constexpr double spacing_tolerance = 0.2;
/// Place of a refusal that is about the telegram as a whole.
constexpr auto nowhere = static_cast<std::size_t>(-1);

} // namespace

bool RobotLink::open(const EthernetFile& file, const Channel* status, const std::string& address, int port,
                     std::int64_t cycle, std::int64_t ipoc_step, std::string& problem) {
  close();
  file_ = &file, status_ = status, address_ = address, port_ = port;
  cycle_ = cycle;
  only_ = 0;
  step_given_ = ipoc_step > 0;
  ipoc_step_ = step_given_ ? ipoc_step : std::max<std::int64_t>(1, (cycle + 500'000) / 1'000'000);
  newest_delay_ = -1, waited_ = 0;
  counts_ = {};
  usable_ = {};
  ipoc_ = -1;
  met_ = known_ = unanswered_ = last_usable_ = false;
  last_refusal_ = nullptr;
  const std::optional<sockaddr_in> local = net::ipv4(address.c_str(), port);
  problem = local ? socket_.bind(*local)
                  : "\"" + address + "\" is not an IPv4 address; write one of this machine towards the robot";
  return problem.empty();
}

bool RobotLink::expect(const std::string& peer, std::string& problem) {
  in_addr address{};
  if (!peer.empty() && inet_pton(AF_INET, peer.c_str(), &address) != 1)
    return problem = "\"" + peer + "\" is not an address such as 192.168.1.10", false;
  only_ = address.s_addr;
  return true;
}

bool RobotLink::meet(double seconds, double check, std::string& problem) {
  const std::int64_t deadline = net::monotonic_now() + static_cast<std::int64_t>(seconds * 1e9);
  std::int64_t arrival = 0;
  SensorTelegram rest;
  RobotTelegram before;
  sockaddr_in sender{};
  make_keeper();
  for (;;) {
    sequence_ = IpocSequence(ipoc_step_);
    const Awaited awaited = await(deadline, arrival);
    if (awaited == Awaited::broken) return problem = "the socket broke while it waited for the robot", false;
    if (awaited == Awaited::late) return problem = silence(seconds), false;
    met_ = follows(before, sender);
    if (met_) break;
    before = usable_, sender = robot_;
    answer(rest);
  }
  first_delay_ = before.delay;
  if (check > 0 && !measure_cycle(check, problem)) return false;
  sequence_ = IpocSequence(ipoc_step_);
  counts_ = {};
  known_ = true;
  return true;
}

bool RobotLink::measure_cycle(double seconds, std::string& problem) {
  const std::int64_t first = sequence_.position(), began = arrival_;
  const auto length = static_cast<std::int64_t>(seconds * 1e9);
  std::int64_t last = first, at = began, step = std::numeric_limits<std::int64_t>::max(), arrival = 0;
  SensorTelegram rest;
  while (at - began < length) {
    answer(rest);
    if (await(net::monotonic_now() + 10 * length, arrival) != Awaited::came)
      return problem = silence(10 * seconds), false;
    if (sequence_.position() > last) step = std::min(step, sequence_.position() - last);
    last = sequence_.position(), at = arrival_;
  }
  answer(rest);
  const double cycles = static_cast<double>(last - first) / static_cast<double>(step);
  const double spacing = static_cast<double>(at - began) / cycles, wanted = static_cast<double>(cycle_);
  const bool counts_cycles = !step_given_ && step == 1;
  if ((step == ipoc_step_ || counts_cycles) && std::fabs(spacing / wanted - 1) <= spacing_tolerance) {
    ipoc_step_ = step;
    return true;
  }
  const auto ms = [](double ns) {
    const std::string text = std::to_string(std::round(ns / 1e5) / 10);
    return text.substr(0, text.find('.') + 2) + " ms";
  };
  problem = "the robot's telegrams come every " + ms(spacing) + " and their IPOC grows by " + std::to_string(step) +
            ", but `cycle` is " + ms(wanted) + " and IPOC should grow by " + std::to_string(ipoc_step_) +
            ": each step would be made in another time than the limits mean; give the cycle of the RSI context here "
            "and as the rig's period (IPO_FAST is 4 ms, IPO 12 ms), or change the context's";
  return false;
}

/// So many cycles of which none is lost. The last is not answered yet.
bool RobotLink::answer_some(int cycles) {
  SensorTelegram rest;
  for (int i = 0; i < cycles; ++i) {
    std::int64_t arrival = 0;
    const std::int64_t before = sequence_.position();
    answer(rest);
    if (await(net::monotonic_now() + 10 * cycle_, arrival) != Awaited::came) return false;
    if (sequence_.position() - before != ipoc_step_ || newest_delay_ < 0) return false;
  }
  return true;
}

RobotLink::DelayCounts RobotLink::probe_delay() {
  constexpr int attempts = 20, settled = 5;
  for (int i = 0; i < attempts; ++i) {
    if (!answer_some(settled)) continue;
    const std::int64_t before = newest_delay_;
    leave_unanswered();
    if (!answer_some(1) || newest_delay_ != before + 1) continue; // `answer` answers nothing here
    if (!answer_some(settled)) continue;
    if (newest_delay_ == before + 1) return DelayCounts::total;
    if (newest_delay_ == 0) return DelayCounts::row;
  }
  return DelayCounts::unclear;
}

bool RobotLink::follows(const RobotTelegram& before, const sockaddr_in& sender) {
  if (before.ipoc < 0) return false;
  const auto refuse = [this](const char* why) {
    last_refusal_ = why, last_refusal_at_ = nowhere;
    return false;
  };
  if (!net::same(sender, robot_)) return refuse("two senders' telegrams come, each in the place of the other's");
  const std::int64_t gap = usable_.ipoc - before.ipoc;
  if (gap <= 0 || gap > most_gap * ipoc_step_) return refuse("IPOC does not continue from one telegram to the next");
  const SixValues& now = usable_.setpoint.complete() ? usable_.setpoint : usable_.pose;
  const SixValues& then = usable_.setpoint.complete() ? before.setpoint : before.pose;
  for (std::size_t i = 0; i < 6; ++i) {
    const double moved = std::remainder(now.value[i] - then.value[i], i < 3 ? HUGE_VAL : 360);
    if (!(std::fabs(moved) <= rest_motion)) return refuse("the robot moves from one telegram to the next");
  }
  return true;
}

std::string RobotLink::silence(double seconds) const {
  const std::string where = address_ + ":" + std::to_string(port_);
  const std::string time = std::to_string(seconds).substr(0, std::to_string(seconds).find('.') + 2) + " s";
  if (last_refusal_ != nullptr) {
    const bool readable = last_refusal_at_ == nowhere;
    return "packets came to " + where + ", but within " + time +
           " no two telegrams to begin with; the last: " + last_refusal_ +
           (readable ? std::string("; wait for standstill, and let no other program send to this port")
                     : " (byte " + std::to_string(last_refusal_at_) +
                           "); check that the robot runs with this very ethernet file");
  }
  return "no packet came to " + where + " within " + time +
         "; check that the program on the robot has reached RSI_ON and RSI_MOVECORR, that IP_NUMBER and PORT in the "
         "robot's copy of the file are these, that the cable is in the RSI port, and that no firewall drops UDP; after "
         "a time-out RSI must be started "
         "again on the robot";
}

RobotLink::Awaited RobotLink::await(std::int64_t deadline, std::int64_t& arrival) {
  take_over();
  bool any = false;
  waited_ = 0;
  const std::int64_t latest = std::max(deadline, net::monotonic_now());
  for (bool more = true;;) {
    if (!drain(any)) return Awaited::broken;
    if (any && known_ && over()) any = unanswered_ = false; // the next telegram is on its way
    if (any || !more) break;
    // A process that was stopped wakes behind the deadline, and what came meanwhile lies here.
    more = socket_.wait(deadline);
    if (!more) waited_ = std::max(waited_, (net::monotonic_now() - latest) / cycle_);
  }
  arrival = arrival_;
  return any ? Awaited::came : Awaited::late;
}

/// All that has come: the newest counts. False: the socket is broken.
bool RobotLink::drain(bool& any) {
  for (int i = 0; i < most_packets; ++i) {
    net::Datagram datagram;
    switch (socket_.receive(in_, datagram)) {
    case net::Received::nothing: return true;
    case net::Received::broken: return false;
    case net::Received::datagram: break;
    }
    const bool overtakes = any;
    if (!take(datagram)) continue;
    any = true;
    // how long it lay here, which is not how long it was held up on its way
    if (!overtakes) waited_ = std::max(waited_, (net::monotonic_now() - arrival_) / cycle_);
    counts_.skipped += overtakes ? 1 : 0;
  }
  return true;
}

bool RobotLink::take(const net::Datagram& datagram) {
  if (only_ != 0 && datagram.from.sin_addr.s_addr != only_) {
    last_refusal_ = "it comes from another address than `peer`", last_refusal_at_ = nowhere;
    return ++counts_.foreign, false;
  }
  if (met_ && !net::same(datagram.from, robot_)) return ++counts_.foreign, false;
  const Reading reading = read_robot_telegram({in_.data(), datagram.size}, *file_, status_, read_);
  if (reading.verdict != Reading::Verdict::sound) last_refusal_ = reading.why, last_refusal_at_ = reading.at;
  if (reading.verdict == Reading::Verdict::malformed) return ++counts_.malformed, false;
  const bool usable = reading.verdict == Reading::Verdict::sound;
  if (!usable) ++counts_.unusable;
  if (!met_ && !usable) return false;
  const std::int64_t periods = ipoc_ < 0 ? -1 : (datagram.arrival - arrival_ + cycle_ / 2) / cycle_;
  if (sequence_.take(read_.ipoc, periods) == IpocSequence::Verdict::outdated) {
    if (read_.ipoc == ipoc_ && periods > 0) ++repeats_;
    return ++counts_.outdated, false;
  }
  counts_.lost += sequence_.missing();
  counts_.jumps += sequence_.jumped() ? 1 : 0;
  robot_ = datagram.from;
  met_ = true;
  ipoc_ = read_.ipoc;
  arrival_ = datagram.arrival;
  last_usable_ = usable;
  newest_delay_ = read_.has_delay ? read_.delay : -1;
  unanswered_ = true;
  if (usable) usable_ = read_;
  return true;
}

bool RobotLink::answer(SensorTelegram& telegram) {
  if (!unanswered_) return false;
  telegram.ipoc = ipoc_;
  const std::size_t size = write_sensor_telegram(*file_, telegram, out_);
  if (size == 0) return false;
  unanswered_ = false;
  return socket_.send_to(robot_, net::bytes(std::span<const char>(out_).first(size)));
}

/// Made before the robot is answered: a thread takes its time, above all where its stack is locked in memory.
void RobotLink::make_keeper() {
  hand_over_ = handed_over_ = keeping_ = false;
  keeper_ = std::thread([this] {
    while (!keeping_.load(std::memory_order_acquire) && !hand_over_.load(std::memory_order_acquire)) {
      const timespec nap{0, 200'000};
      nanosleep(&nap, nullptr);
    }
    if (keeping_.load(std::memory_order_acquire)) keep();
  });
}

void RobotLink::keep_alive() {
  taken_over_ = false;
  keeping_.store(true, std::memory_order_release);
}

void RobotLink::keep() {
  constexpr std::int64_t slice = 1'000'000;
  SensorTelegram rest;
  while (!hand_over_.load(std::memory_order_acquire)) {
    answer(rest);
    bool any = false;
    if (!drain(any)) break;
    if (!any) socket_.wait(net::monotonic_now() + slice);
  }
  answer(rest);
  handed_over_.store(true, std::memory_order_release);
}

void RobotLink::take_over() {
  if (taken_over_) return;
  hand_over_.store(true, std::memory_order_release);
  while (!handed_over_.load(std::memory_order_acquire)) {
    const timespec nap{0, 50'000};
    nanosleep(&nap, nullptr);
  }
  taken_over_ = true;
}

void RobotLink::close() {
  hand_over_.store(true, std::memory_order_release);
  if (keeper_.joinable()) keeper_.join();
  taken_over_ = true;
  socket_.close();
}

} // namespace hilda::kuka
