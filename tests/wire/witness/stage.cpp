// SPDX-License-Identifier: BSD-3-Clause
#include "tests/wire/witness/stage.h"

#include <algorithm>
#include <arpa/inet.h>
#include <csignal>
#include <cstdlib>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

namespace witness {
namespace {

int datagram_socket() { return ::socket(AF_INET, SOCK_DGRAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0); }

std::string joined(const Event& event) {
  std::string text = event.action;
  for (const std::string& word : event.words) text += " " + word;
  return text;
}

} // namespace

Stage::Stage(const Script& script, Capture& capture)
    : script_(script), capture_(capture), arm_(script),
      robot_(script, arm_, capture, [this](const std::string& telegram) { to_program_.put(telegram); }),
      sensor_(script, arm_, capture),
      to_program_(static_cast<std::uint64_t>(script.number("seed", 1)),
                  [this](const std::string& telegram) {
                    capture_.add(Seen::telegram_passed, telegram);
                    ::sendto(wire_, telegram.data(), telegram.size(), 0,
                             reinterpret_cast<const sockaddr*>(&program_at_), sizeof program_at_);
                  }),
      to_robot_(static_cast<std::uint64_t>(script.number("seed", 1)) + 1000,
                [this](const std::string& answer) { robot_.deliver(answer); }) {
  for (const Event& event : script.events()) events_.push_back({event});
}

Stage::~Stage() {
  for (const int fd : {wire_, foreign_})
    if (fd >= 0) ::close(fd);
}

std::string Stage::open() {
  wire_ = datagram_socket(), foreign_ = datagram_socket();
  program_at_.sin_family = AF_INET;
  program_at_.sin_port = htons(static_cast<std::uint16_t>(script_.number("port", 49152)));
  inet_pton(AF_INET, script_.text("address", "127.0.0.1").c_str(), &program_at_.sin_addr);
  return sensor_.open(script_.text("sensor_address", "127.0.0.2"),
                      static_cast<int>(script_.number("sensor_port", 49152)),
                      static_cast<int>(script_.number("sensor_http_port", 8080)));
}

Instant Stage::time_of(const Event& event, Instant at) const {
  if (at == never) return never;
  if (event.boot) return started_ + at;
  return robot_.moved_at() == never ? never : robot_.moved_at() + at;
}

Instant Stage::next_event() const {
  Instant next = never;
  for (const Pending& each : events_)
    if (!each.begun)
      next = std::min(next, time_of(each.event, each.event.at));
    else if (!each.ended)
      next = std::min(next, time_of(each.event, each.event.until));
  return next;
}

void Stage::play_script(Program& program) {
  for (Pending& each : events_) {
    if (!each.begun && time_of(each.event, each.event.at) <= now()) each.begun = true, begin(each.event, program);
    if (each.begun && !each.ended && time_of(each.event, each.event.until) <= now())
      each.ended = true, end(each.event, program);
  }
}

void Stage::begin(Event& event, Program& program) {
  capture_.note("fault " + joined(event));
  const std::string first = event.words.empty() ? "" : event.words[0];
  Faults faults;
  if (event.action == "to_program" && read_faults(event.words, faults))
    to_program_.set(faults);
  else if (event.action == "to_robot" && read_faults(event.words, faults))
    to_robot_.set(faults);
  else if (event.action == "both" && read_faults(event.words, faults))
    to_program_.set(faults), to_robot_.set(faults);
  else if (event.action == "signal")
    program.signal(signal_number(first));
  else if (event.action == "stop_program")
    program.signal(SIGSTOP);
  else if (event.action == "freeze")
    robot_.freeze(time_of(event, event.until));
  else if (event.action == "restart_rsi")
    robot_.restart_rsi(std::atoi(first.c_str()) * millisecond);
  else if (event.action == "restart_rsi_on_time")
    robot_.restart_rsi_on_time(std::atoi(first.c_str()) * millisecond);
  else if (event.action == "ipoc")
    robot_.set_ipoc(std::atoll(first.c_str()));
  else if (event.action == "ipoc_by")
    robot_.leap_by(std::atoll(first.c_str()));
  else if (event.action == "brake")
    robot_.brake();
  else if (event.action == "unplug")
    robot_.unplug("unplugged");
  else if (event.action == "sensor")
    sensor_.misbehave(event.words);
  else if (event.action == "foreigner")
    foreigner_ = true;
  else if (event.action == "second_program")
    second_ = program.again(".second");
  else {
    std::fprintf(stderr, "witness: no such action: %s\n", joined(event).c_str());
    std::exit(64);
  }
}

void Stage::end(const Event& event, Program& program) {
  capture_.note("over " + joined(event));
  if (event.action == "to_program" || event.action == "both") to_program_.set({});
  if (event.action == "to_robot" || event.action == "both") to_robot_.set({});
  if (event.action == "stop_program") program.signal(SIGCONT);
  if (event.action == "foreigner") foreigner_ = false;
  if (event.action == "sensor") sensor_.misbehave({"on"});
}

void Stage::read_answers() {
  char packet[65536];
  sockaddr_in from{};
  socklen_t size = sizeof from;
  ssize_t length = 0;
  while ((length = ::recvfrom(wire_, packet, sizeof packet, 0, reinterpret_cast<sockaddr*>(&from), &size)) >= 0) {
    std::string answer(packet, static_cast<std::size_t>(length));
    capture_.add(Seen::answer_arrived, answer);
    to_robot_.put(std::move(answer));
    size = sizeof from;
  }
}

/// A second robot that believes the port is its own: 50 mm away, with another IPOC.
void Stage::send_as_foreigner() {
  std::string telegram = robot_.telegram();
  const std::size_t at = telegram.find("Z=\"");
  telegram.insert(at + 3, "1");
  capture_.add(Seen::foreign_sent, telegram);
  ::sendto(foreign_, telegram.data(), telegram.size(), 0, reinterpret_cast<const sockaddr*>(&program_at_),
           sizeof program_at_);
}

void Stage::wait_until(Instant time) {
  pollfd look[] = {{wire_, POLLIN, 0}, {sensor_.udp(), POLLIN, 0}, {sensor_.http(), POLLIN, 0}};
  const Instant left = std::max<Instant>(0, time - now());
  const timespec patience{left / 1'000'000'000, left % 1'000'000'000};
  if (::ppoll(look, 3, &patience, nullptr) <= 0) return;
  if (look[0].revents != 0) read_answers();
  if (look[1].revents != 0) sensor_.read_requests();
  if (look[2].revents != 0) sensor_.answer_page();
}

int Stage::run(Program& program) {
  started_ = now();
  const Instant limit = started_ + from_seconds(script_.number("limit", 30));
  const Instant after = from_seconds(script_.number("after", 0.4));
  robot_.start(started_ + 5 * millisecond), sensor_.start(started_ + 5 * millisecond);
  Instant ended = never;
  while (now() < limit && (ended == never || now() < ended + after)) {
    if (ended == never && !program.running()) {
      ended = now();
      capture_.note("program ends with " + std::to_string(program.exit_code()));
    }
    play_script(program);
    if (second_ && !second_->running()) {
      capture_.note("second program ends with " + std::to_string(second_->exit_code()));
      second_.reset();
    }
    // What has come by now counts before the robot's cycle ends.
    read_answers();
    Instant next = std::min(to_robot_.release(), to_program_.release());
    if (sensor_.due() <= now()) sensor_.tick();
    if (robot_.due() <= now()) {
      robot_.tick();
      if (foreigner_) send_as_foreigner();
    }
    next = std::min(
        {next, to_program_.release(), sensor_.due(), robot_.due(), next_event(), limit, now() + 20 * millisecond});
    wait_until(next);
  }
  return ended == never ? -1 : program.exit_code();
}

} // namespace witness
