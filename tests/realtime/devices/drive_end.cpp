// SPDX-License-Identifier: BSD-3-Clause
#include "drive_end.h"

#include <algorithm>
#include <cmath>
#include <ctime>
#include <pthread.h>
#include <sys/socket.h>
#include <unistd.h>

namespace hilda::test {
namespace {

constexpr std::int64_t second = 1'000'000'000;

} // namespace

int DriveEnd::start(const Plan& plan) {
  stop();
  plan_ = plan;
  account_ = {};
  now_ = {0, plan.start};
  replied_ = 0;
  if (socketpair(AF_UNIX, SOCK_DGRAM, 0, wire_) != 0) return -1;
  stop_ = false;
  thread_ = std::thread([this] { work(); });
  sched_param urgent{};
  urgent.sched_priority = 90; // where it is allowed: the device itself must not be what is late
  pthread_setschedparam(thread_.native_handle(), SCHED_FIFO, &urgent);
  return wire_[1];
}

void DriveEnd::stop() {
  stop_ = true;
  if (thread_.joinable()) thread_.join();
  for (int& end : wire_) {
    if (end >= 0) close(end);
    end = -1;
  }
}

void DriveEnd::work() {
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  std::int64_t due = now.tv_sec * second + now.tv_nsec;
  while (!stop_) {
    due += plan_.period;
    const timespec until{due / second, due % second};
    clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, nullptr);
    take_replies();
    if (plan_.in_step) await_reply();
    clock_gettime(CLOCK_MONOTONIC, &now);
    if (plan_.in_step) due = std::max(due, now.tv_sec * second + now.tv_nsec);
    ++now_.cycle;
    if (now_.cycle >= plan_.quiet_at && now_.cycle < plan_.quiet_at + plan_.quiet) continue;
    if (send(wire_[0], &now_, sizeof now_, MSG_DONTWAIT | MSG_NOSIGNAL) == sizeof now_) ++account_.sent, ++drive_words;
  }
}

/// For the cycle that was sent last; ten seconds at most.
void DriveEnd::await_reply() {
  constexpr int most = 10'000;
  for (int i = 0; i < most && !stop_ && drive_waits && replied_ < now_.cycle; ++i) {
    const timespec nap{0, 1'000'000};
    nanosleep(&nap, nullptr);
    take_replies();
  }
}

void DriveEnd::take_replies() {
  DriveWord word;
  while (recv(wire_[0], &word, sizeof word, MSG_DONTWAIT) == sizeof word) {
    ++account_.replies;
    if (word.cycle != now_.cycle) ++account_.stray;
    replied_ = std::max(replied_, word.cycle);
    account_.last_step = std::abs(word.position - now_.position);
    account_.largest_step = std::max(account_.largest_step, account_.last_step);
    account_.furthest = std::max(account_.furthest, std::abs(word.position - plan_.start));
    now_.position = word.position;
  }
}

} // namespace hilda::test
