// SPDX-License-Identifier: BSD-3-Clause
// A library to preload: the loop's thread has a separate clock. It passes by what the loop waits for, by a little at
// each look, and by the stalls of a script; a busy machine does not move it. What the loop sends is captured with the
// time of that clock. (tests/hardware/clock keeps several processes together; this one makes one late.)
//
// OWN_CLOCK: path of the script, one event a line: "stall AT LENGTH" or "signal AT NUMBER", in s after the first packet
// whose first number is not zero. OWN_CLOCK_CAPTURE: a line "TIME VALUE" (s, first number) for each packet.

#include <algorithm>
#include <cmath>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <deque>
#include <dlfcn.h>
#include <fstream>
#include <string>
#include <sys/socket.h>
#include <sys/types.h>
#include <unistd.h>
#include <utility>

namespace {

constexpr std::int64_t second = 1'000'000'000;
constexpr std::int64_t work = 2'000;        ///< ns that pass from one look at the clock to the next
constexpr std::int64_t faster = 4;          ///< than the machine's clock; who writes the log must keep up
constexpr std::int64_t at_once = 5'000'000; ///< ns of the machine that pass together, as each wait takes its turn
constexpr std::int64_t heard = 20'000'000;  ///< ns of the machine after which a signal has been taken
constexpr std::size_t head = 24;            ///< bytes of a packet before its numbers

template <typename Function> Function next(const char* name) {
  return reinterpret_cast<Function>(dlsym(RTLD_NEXT, name));
}

int real_gettime(clockid_t clock, timespec* t) {
  static const auto real = next<int (*)(clockid_t, timespec*)>("clock_gettime");
  return real(clock, t);
}

int real_sleep(clockid_t clock, int flags, const timespec* time, timespec* left) {
  static const auto real = next<int (*)(clockid_t, int, const timespec*, timespec*)>("clock_nanosleep");
  return real(clock, flags, time, left);
}

void let_pass(std::int64_t ns) {
  const timespec t{ns / second, ns % second};
  if (ns > 0) real_sleep(CLOCK_MONOTONIC, 0, &t, nullptr);
}

std::int64_t nanoseconds(const timespec& t) { return t.tv_sec * second + t.tv_nsec; }

struct Event {
  bool stalls = false;
  std::int64_t at = 0, what = 0; ///< ns; length in ns, or the number of a signal
};

/// Of one thread, from its first wait for a time on.
class OwnClock {
public:
  OwnClock() {
    const char *script = std::getenv("OWN_CLOCK"), *capture = std::getenv("OWN_CLOCK_CAPTURE");
    if (script == nullptr || capture == nullptr) return;
    capture_ = std::fopen(capture, "w");
    std::ifstream lines(script);
    std::string word;
    for (double at = 0, what = 0; lines >> word >> at >> what;) {
      const bool stalls = word == "stall";
      events_.push_back({stalls, std::llround(at * second), stalls ? std::llround(what * second) : std::lround(what)});
    }
  }
  bool on() const { return capture_ != nullptr; }

  void begin() {
    if (now_ != 0) return;
    timespec t{};
    real_gettime(CLOCK_MONOTONIC, &t);
    now_ = nanoseconds(t);
  }
  std::int64_t look() {
    if (sent_)
      pass_until(now_ + work);
    else
      now_ += work; // no stall between the program's last look before it sends and the packet: it could not know of it
    return now_;
  }
  void wait_until(std::int64_t time) {
    owed_ += std::max<std::int64_t>(time - now_, 0) / faster;
    if (owed_ >= at_once) let_pass(std::exchange(owed_, 0));
    if (time > now_) pass_until(time);
    sent_ = false;
  }
  void note(const void* data, std::size_t size) {
    double value = 0;
    if (size < head + sizeof value) return;
    std::memcpy(&value, static_cast<const char*>(data) + head, sizeof value);
    if (value != 0 && moved_ == 0) moved_ = now_;
    sent_ = true;
    std::fprintf(capture_, "%.9f %.17g\n", static_cast<double>(now_) / second, value);
    std::fflush(capture_);
  }

private:
  /// What the script has for the time until then happens.
  void pass_until(std::int64_t time) {
    while (moved_ != 0 && !events_.empty() && moved_ + events_.front().at <= time) {
      const Event event = events_.front();
      events_.pop_front();
      now_ = std::max(now_, moved_ + event.at);
      if (event.stalls) {
        now_ += event.what;
      } else {
        kill(getpid(), static_cast<int>(event.what));
        let_pass(heard);
      }
    }
    now_ = std::max(now_, time);
  }

  std::FILE* capture_ = nullptr;
  std::deque<Event> events_; ///< in the order of time
  std::int64_t now_ = 0, moved_ = 0, owed_ = 0;
  bool sent_ = false; ///< since the last wait
};

OwnClock& own() {
  static OwnClock clock;
  return clock;
}

thread_local bool paced = false; ///< this is the loop's thread

} // namespace

extern "C" {

int clock_gettime(clockid_t clock, timespec* t) noexcept {
  if (!paced || clock != CLOCK_MONOTONIC) return real_gettime(clock, t);
  const std::int64_t at = own().look();
  *t = {at / second, at % second};
  return 0;
}

int clock_nanosleep(clockid_t clock, int flags, const timespec* time, timespec* left) {
  if (clock != CLOCK_MONOTONIC || flags != TIMER_ABSTIME || !own().on()) return real_sleep(clock, flags, time, left);
  own().begin();
  paced = true;
  own().wait_until(nanoseconds(*time));
  return 0;
}

ssize_t send(int fd, const void* data, size_t size, int flags) {
  static const auto real = next<ssize_t (*)(int, const void*, size_t, int)>("send");
  if (paced) own().note(data, size);
  return real(fd, data, size, flags);
}
}
