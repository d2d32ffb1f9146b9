// SPDX-License-Identifier: BSD-3-Clause
#include "drive_end.h"

#include <algorithm>
#include <hilda/block.h>
#include <poll.h>
#include <sys/socket.h>
#include <time.h>

namespace hilda::test {
namespace {

/// A linear axis: the robot of these tests. Its device's end runs on a thread of the block's own, behind a socket.
struct Drive : Block {
  Input<double> command{*this, "command", "m", "Where it must go", actuation};
  Parameter<double> cycle{*this, "cycle", "s", "Of the device", above(0.0), by_default("4 ms")};
  Parameter<bool> paces{*this, "paces", "Its cycle is the loop's tick", by_default("true")};
  Parameter<double> start_position{*this, "start_position", "m", "Where it is at first", by_default("0.25")};
  Parameter<std::int64_t> quiet_at{*this, "quiet_at", "Cycle from which on it sends nothing", by_default("-1")};
  Parameter<std::int64_t> quiet{*this, "quiet", "For so many cycles", by_default("0")};
  Parameter<std::int64_t> gone_at{*this, "gone_at", "Cycle at which its clock says that it is gone", by_default("-1")};
  Parameter<bool> in_step{*this, "in_step", "Each cycle of the device waits for the reply to the one before",
                          by_default("false")};
  Parameter<bool> knows{*this, "knows", "It reports where it is", by_default("true")};

  Output<double> position{*this, "position", "m", "Where it is", measurement};
  Output<std::int64_t> number{*this, "number", "Of the cycle", measurement};
  Output<bool> stale{*this, "stale", "Nothing came in this cycle", measurement};
  Output<double> sent{*this, "sent", "m", "What went out"};

  void start(const Instance& self) override {
    wire_ = end_.start({static_cast<std::int64_t>(*cycle * 1e9), *start_position, *quiet_at, *quiet, *in_step});
    if (wire_ < 0) self.report(nullptr, "no socket");
  }
  void stop() override { end_.stop(); }

  double cycle_period() const override { return *paces ? *cycle : 0.0; }
  Cycle await_cycle(std::int64_t deadline) override {
    if (*gone_at >= 0 && newest_.cycle >= *gone_at) return {HILDA_CYCLE_GONE, 0};
    const std::int64_t left = std::max<std::int64_t>(deadline - now(), 0);
    const timespec timeout{left / 1'000'000'000, left % 1'000'000'000};
    pollfd wire{wire_, POLLIN, 0};
    ppoll(&wire, 1, &timeout, nullptr);
    fresh_ = drain();
    return fresh_ ? Cycle{HILDA_CYCLE_CAME, now()} : Cycle{HILDA_CYCLE_LATE, 0};
  }

  bool rest(std::string_view, double* value) const override {
    if (!*knows || newest_.cycle == 0) return false;
    *value = newest_.position;
    return true;
  }

  void acquire(const Tick&) override {
    if (!*paces) fresh_ = drain();
    stale = !fresh_;
    position = newest_.position;
    number = newest_.cycle;
  }
  void output(const Tick&) override { sent = *command; }
  void emit(const Tick&) override {
    const DriveWord reply{newest_.cycle, *command};
    send(wire_, &reply, sizeof reply, MSG_DONTWAIT | MSG_NOSIGNAL);
  }

  void summarize(const Summary& summary) const override {
    const DriveEnd::Account& account = end_.account();
    summary.number("drive.sent", static_cast<double>(account.sent));
    summary.number("drive.replies", static_cast<double>(account.replies));
    summary.number("drive.stray", static_cast<double>(account.stray));
    summary.number("drive.furthest", account.furthest, "m");
    summary.number("drive.largest_step", account.largest_step, "m");
    summary.number("drive.last_step", account.last_step, "m");
  }

private:
  static std::int64_t now() {
    timespec time{};
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec * 1'000'000'000 + time.tv_nsec;
  }
  bool drain() {
    constexpr int most = 64;
    bool any = false;
    DriveWord word;
    for (int i = 0; i < most && recv(wire_, &word, sizeof word, MSG_DONTWAIT) == sizeof word; ++i) {
      newest_ = word;
      any = true;
    }
    return any;
  }

  DriveEnd end_;
  DriveWord newest_;
  int wire_ = -1;
  bool fresh_ = false;
};
HILDA_BLOCK(Drive, "A linear axis behind a socket, for tests.")

} // namespace
} // namespace hilda::test
