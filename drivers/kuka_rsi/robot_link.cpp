#include "drivers/kuka_rsi/robot_link.h"

#include "drivers/kuka_rsi/telegram_writer.h"

#include <cmath>
#include <ctime>

namespace hilda::kuka {
namespace {

/// Between two telegrams that agree: cycles, and mm or deg of a robot at rest.
constexpr std::int64_t most_gap = 250;
constexpr double standstill = 0.1;
/// Place of a refusal that is about the telegram as a whole.
constexpr auto nowhere = static_cast<std::size_t>(-1);

} // namespace

bool RobotLink::open(const EthernetFile& file, const Channel* status, const std::string& address, int port,
                     std::int64_t ipoc_step, std::string& problem) {
  close();
  file_ = &file, status_ = status, address_ = address, port_ = port;
  ipoc_step_ = ipoc_step;
  counts_ = {};
  usable_ = {};
  ipoc_ = -1;
  met_ = unanswered_ = last_usable_ = false;
  last_refusal_ = nullptr;
  return socket_.bind_to(address, port, problem);
}

bool RobotLink::meet(double seconds, std::string& problem) {
  const std::int64_t deadline = monotonic_now() + static_cast<std::int64_t>(seconds * 1e9);
  std::int64_t arrival = 0;
  SensorTelegram rest;
  RobotTelegram before;
  sockaddr_in sender{};
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
  counts_ = {};
  return true;
}

bool RobotLink::follows(const RobotTelegram& before, const sockaddr_in& sender) {
  if (before.ipoc < 0) return false;
  const auto refuse = [this](const char* why) {
    last_refusal_ = why, last_refusal_at_ = nowhere;
    return false;
  };
  if (!same_peer(sender, robot_)) return refuse("two senders' telegrams come, each in the place of the other's");
  const std::int64_t gap = usable_.ipoc - before.ipoc;
  if (gap <= 0 || gap > most_gap * ipoc_step_) return refuse("IPOC does not go on from one telegram to the next");
  const SixValues& now = usable_.setpoint.complete() ? usable_.setpoint : usable_.pose;
  const SixValues& then = usable_.setpoint.complete() ? before.setpoint : before.pose;
  for (std::size_t i = 0; i < 6; ++i) {
    const double moved = std::remainder(now.value[i] - then.value[i], i < 3 ? HUGE_VAL : 360);
    if (!(std::fabs(moved) <= standstill)) return refuse("the robot moves from one telegram to the next");
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
  do {
    if (!drain(deadline, any)) return Awaited::broken;
  } while (!any && socket_.wait(deadline));
  arrival = arrival_;
  return any ? Awaited::came : Awaited::late;
}

/// All that has come, until `deadline` where packets never end. False: the socket is broken.
bool RobotLink::drain(std::int64_t deadline, bool& any) {
  for (;;) {
    UdpSocket::Datagram datagram;
    switch (socket_.receive(in_, datagram)) {
    case UdpSocket::Received::nothing: return true;
    case UdpSocket::Received::broken: return false;
    case UdpSocket::Received::datagram: break;
    }
    const bool overtakes = any;
    if (take(datagram)) {
      any = true;
      counts_.skipped += overtakes ? 1 : 0;
    }
    if (monotonic_now() >= deadline) return true;
  }
}

bool RobotLink::take(const UdpSocket::Datagram& datagram) {
  if (met_ && !same_peer(datagram.from, robot_)) return ++counts_.foreign, false;
  const Reading reading = read_robot_telegram({in_.data(), datagram.size}, *file_, status_, read_);
  if (reading.verdict != Reading::Verdict::sound) last_refusal_ = reading.why, last_refusal_at_ = reading.at;
  if (reading.verdict == Reading::Verdict::malformed) return ++counts_.malformed, false;
  const bool usable = reading.verdict == Reading::Verdict::sound;
  if (!usable) ++counts_.unusable;
  if (!met_ && !usable) return false;
  if (sequence_.take(read_.ipoc) == IpocSequence::Verdict::outdated) return ++counts_.outdated, false;
  counts_.lost += sequence_.missing();
  counts_.jumps += sequence_.jumped() ? 1 : 0;
  robot_ = datagram.from;
  met_ = true;
  ipoc_ = read_.ipoc;
  arrival_ = datagram.arrival;
  last_usable_ = usable;
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
  return socket_.send_to({out_.data(), size}, robot_);
}

void RobotLink::keep_alive() {
  hand_over_ = handed_over_ = false;
  taken_over_ = false;
  keeper_ = std::thread([this] { keep(); });
}

void RobotLink::keep() {
  constexpr std::int64_t slice = 1'000'000;
  SensorTelegram rest;
  while (!hand_over_.load(std::memory_order_acquire)) {
    answer(rest);
    bool any = false;
    const std::int64_t until = monotonic_now() + slice;
    if (!drain(until, any)) break;
    if (!any) socket_.wait(until);
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
