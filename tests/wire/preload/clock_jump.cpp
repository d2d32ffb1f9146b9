// SPDX-License-Identifier: BSD-3-Clause
// A library to preload: CLOCK_REALTIME leaps by CLOCK_JUMP seconds, CLOCK_JUMP_AFTER seconds after the start, for the
// program and for the kernel's time stamps of its packets, as it does where someone sets the clock.

#include <cstdlib>
#include <cstring>
#include <ctime>
#include <dlfcn.h>
#include <sys/socket.h>
#include <sys/time.h>

namespace {

double setting(const char* name) {
  const char* text = std::getenv(name);
  return text == nullptr ? 0 : std::strtod(text, nullptr);
}

template <typename Function> Function next(const char* name) {
  return reinterpret_cast<Function>(dlsym(RTLD_NEXT, name));
}

using GetTime = int (*)(clockid_t, timespec*);

double seconds(clockid_t clock) {
  static const auto real = next<GetTime>("clock_gettime");
  timespec t{};
  real(clock, &t);
  return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

const double begun = seconds(CLOCK_MONOTONIC);

time_t leap() {
  static const double by = setting("CLOCK_JUMP"), after = setting("CLOCK_JUMP_AFTER");
  return seconds(CLOCK_MONOTONIC) - begun > after ? static_cast<time_t>(by) : 0;
}

void shift_stamps(msghdr* message) {
  for (cmsghdr* c = CMSG_FIRSTHDR(message); c != nullptr; c = CMSG_NXTHDR(message, c)) {
    if (c->cmsg_level != SOL_SOCKET) continue;
    if (c->cmsg_type == SCM_TIMESTAMPNS || c->cmsg_type == SCM_TIMESTAMP) {
      time_t whole = 0;
      std::memcpy(&whole, CMSG_DATA(c), sizeof whole);
      whole += leap();
      std::memcpy(CMSG_DATA(c), &whole, sizeof whole);
    }
  }
}

} // namespace

extern "C" {

int clock_gettime(clockid_t clock, timespec* t) noexcept {
  static const auto real = next<GetTime>("clock_gettime");
  const int result = real(clock, t);
  if (clock == CLOCK_REALTIME && result == 0) t->tv_sec += leap();
  return result;
}

int gettimeofday(timeval* t, void*) noexcept {
  timespec now{};
  clock_gettime(CLOCK_REALTIME, &now);
  t->tv_sec = now.tv_sec, t->tv_usec = now.tv_nsec / 1000;
  return 0;
}

ssize_t recvmsg(int fd, msghdr* message, int flags) {
  static const auto real = next<ssize_t (*)(int, msghdr*, int)>("recvmsg");
  const ssize_t got = real(fd, message, flags);
  if (got >= 0) shift_stamps(message);
  return got;
}

int recvmmsg(int fd, mmsghdr* messages, unsigned count, int flags, timespec* wait) {
  static const auto real = next<int (*)(int, mmsghdr*, unsigned, int, timespec*)>("recvmmsg");
  const int got = real(fd, messages, count, flags, wait);
  for (int i = 0; i < got; ++i) shift_stamps(&messages[i].msg_hdr);
  return got;
}
}
