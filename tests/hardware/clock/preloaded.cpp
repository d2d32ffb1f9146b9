// SPDX-License-Identifier: BSD-3-Clause
// A library to preload: CLOCK_MONOTONIC, sleeps until a time of it, and waits for datagrams are of a SharedTime. A
// process that is held up by the machine then loses nothing: the others' time is stopped meanwhile.

#include "tests/hardware/clock/shared_time.h"

#include <algorithm>
#include <climits>
#include <cstdlib>
#include <ctime>
#include <dlfcn.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <netinet/in.h>
#include <optional>
#include <poll.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace {

using namespace hilda::test;

constexpr std::int64_t second = 1'000'000'000;
constexpr std::int64_t look = 2'000'000; ///< ns after which a wait looks again by itself
constexpr int longest_delivery = 300;    ///< ms: a datagram that takes longer was dropped

template <typename Function> Function next(const char* name) {
  return reinterpret_cast<Function>(dlsym(RTLD_NEXT, name));
}

std::int64_t nanoseconds(const timespec& t) { return t.tv_sec * second + t.tv_nsec; }

int real_gettime(clockid_t clock, timespec* t) {
  static const auto real = next<int (*)(clockid_t, timespec*)>("clock_gettime");
  return real(clock, t);
}

std::int64_t machine_time() {
  timespec t{};
  real_gettime(CLOCK_MONOTONIC, &t);
  return nanoseconds(t);
}

SharedTime* shared = nullptr;
int self = -1; ///< index of this process among the members

/// False: a signal came.
bool futex(int operation, std::uint32_t value, const timespec* most) {
  const long done =
      syscall(SYS_futex, reinterpret_cast<std::uint32_t*>(&shared->turn), operation, value, most, nullptr, 0);
  return done >= 0 || errno != EINTR;
}
void tell_others() {
  shared->turn.fetch_add(1);
  futex(FUTEX_WAKE, INT_MAX, nullptr);
}

bool ended(SharedTime::Member& member) {
  const int taken = pthread_mutex_trylock(&member.alive);
  if (taken == EBUSY) return false;
  if (taken == EOWNERDEAD) pthread_mutex_consistent(&member.alive);
  pthread_mutex_unlock(&member.alive);
  return true;
}

void strike_off(int member) {
  shared->members[static_cast<std::size_t>(member)].pid = 0;
  for (SharedTime::Wait& wait : shared->waits)
    if (wait.member == member) wait.member = -1;
}

/// Those that live.
int count_paced() {
  int count = 0;
  for (int i = 0; i < static_cast<int>(shared->members.size()); ++i) {
    SharedTime::Member& member = shared->members[static_cast<std::size_t>(i)];
    if (member.pid == 0) continue;
    if (i != self && ended(member)) strike_off(i);
    count += member.pid != 0 && member.paced ? 1 : 0;
  }
  return count;
}

std::int64_t now() {
  return shared->kept.load() ? shared->now.load() : shared->now.load() + machine_time() - shared->moved.load();
}

__attribute__((constructor)) void join() {
  const char* path = std::getenv(shared_time_variable);
  if (path == nullptr) return;
  const int fd = open(path, O_RDWR | O_CLOEXEC);
  if (fd < 0) return;
  void* const at = mmap(nullptr, sizeof(SharedTime), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  close(fd);
  if (at == MAP_FAILED) return;
  shared = static_cast<SharedTime*>(at);
  const SharedTimeLock lock(*shared);
  count_paced();
  for (std::size_t i = 0; i < shared->members.size() && self < 0; ++i) {
    SharedTime::Member& member = shared->members[i];
    if (member.pid != 0) continue;
    take(member.alive);
    member.pid = getpid();
    member.paced = member.left_out = false;
    self = static_cast<int>(i);
  }
  if (self < 0) shared = nullptr;
}

/// From here on this process takes part.
void take_part() {
  SharedTime::Member& member = shared->members[static_cast<std::size_t>(self)];
  if (member.paced || member.left_out) return;
  if (!shared->kept.load()) {
    const std::int64_t machine = machine_time();
    shared->now += machine - shared->moved.load();
    shared->moved = machine;
    shared->kept = true;
  }
  member.paced = true;
  shared->most_paced = std::max(shared->most_paced, count_paced());
}

std::int64_t on_its_way(int line) {
  if (line < 0) return 0;
  const SharedTime::Line& at = shared->lines[static_cast<std::size_t>(line)];
  return at.sent - at.received;
}

/// No one works.
bool all_wait() {
  for (int i = 0; i < static_cast<int>(shared->members.size()); ++i) {
    const SharedTime::Member& member = shared->members[static_cast<std::size_t>(i)];
    if (member.pid == 0 || !member.paced) continue;
    const auto idle = [&](const SharedTime::Wait& w) { return w.member == i && !w.called && on_its_way(w.line) <= 0; };
    if (std::none_of(shared->waits.begin(), shared->waits.end(), idle)) return false;
  }
  return true;
}

/// As the machine's time, while a program starts by itself, or has no time yet to read what it is sent.
std::int64_t speed() {
  constexpr std::int64_t many = 100;
  const bool behind = std::any_of(shared->lines.begin(), shared->lines.end(),
                                  [](const SharedTime::Line& line) { return line.sent - line.received > many; });
  return behind || shared->most_paced < 2 ? 1 : shared->speed;
}

/// ns of the machine until time may move on, where all wait; then it has moved, where that is 0.
std::int64_t move_on() {
  std::int64_t next = INT64_MAX;
  for (const SharedTime::Wait& wait : shared->waits)
    if (wait.member >= 0 && !wait.called) next = std::min(next, wait.deadline);
  if (next == INT64_MAX) return look;
  const std::int64_t machine = machine_time();
  const std::int64_t due = shared->moved + (next - shared->now) / speed();
  if (machine < due) return due - machine;
  shared->now = std::max(shared->now.load(), next);
  shared->moved = machine;
  for (SharedTime::Wait& wait : shared->waits)
    if (wait.member >= 0 && wait.deadline <= shared->now.load()) wait.called = true;
  tell_others();
  return 0;
}

enum class Woken { by_time, by_datagram, by_signal };

/// Waits for its time, for a signal, or for a datagram that is there, or on its way, on its line. `there` looks for one
/// that no one has counted.
template <typename There> Woken wait_until(std::int64_t deadline, int line, const There& there) {
  SharedTime::Wait* own = nullptr;
  for (bool signalled = false;;) {
    timespec most{0, look};
    std::uint32_t turn = 0;
    {
      const SharedTimeLock lock(*shared);
      take_part();
      if (own == nullptr) {
        own = std::find_if(shared->waits.begin(), shared->waits.end(), [](const auto& w) { return w.member < 0; });
        if (own == shared->waits.end()) std::abort(); // more threads wait than the table has places
        *own = {self, line, deadline, deadline <= shared->now};
      }
      const bool mail = on_its_way(line) > 0 || there();
      if (mail || own->called || signalled) {
        own->member = -1;
        return mail ? Woken::by_datagram : own->called ? Woken::by_time : Woken::by_signal;
      }
      turn = shared->turn.load();
      if (all_wait())
        most.tv_nsec = std::min(look, move_on());
      else
        count_paced(); // one that does not wait may have ended
    }
    if (most.tv_nsec > 0) signalled = !futex(FUTEX_WAIT, turn, &most);
  }
}

int line_of(const sockaddr_in& place, bool make) {
  int found = -1;
  for (std::size_t i = 0; i < shared->lines.size(); ++i) {
    const SharedTime::Line& line = shared->lines[i];
    if (line.port == place.sin_port && line.address == place.sin_addr.s_addr) return static_cast<int>(i);
    if (line.port == 0 && found < 0) found = static_cast<int>(i);
  }
  if (!make || found < 0) return -1;
  shared->lines[static_cast<std::size_t>(found)] = {place.sin_addr.s_addr, place.sin_port, 0, 0};
  return found;
}

bool is_datagram(int fd) {
  int type = 0;
  socklen_t size = sizeof type;
  return getsockopt(fd, SOL_SOCKET, SO_TYPE, &type, &size) == 0 && type == SOCK_DGRAM;
}

using Named = int (*)(int, sockaddr*, socklen_t*);
std::optional<sockaddr_in> name_of(int fd, Named which) {
  sockaddr_in place{};
  socklen_t size = sizeof place;
  if (which(fd, reinterpret_cast<sockaddr*>(&place), &size) != 0 || place.sin_family != AF_INET) return std::nullopt;
  return place;
}

int own_line(int fd) {
  const std::optional<sockaddr_in> place = name_of(fd, &getsockname);
  if (!place || place->sin_port == 0) return -1;
  const SharedTimeLock lock(*shared);
  return line_of(*place, true);
}

bool readable(int fd, int milliseconds) {
  pollfd watched{fd, POLLIN, 0};
  return poll(&watched, 1, milliseconds) > 0;
}

/// Sends, and counts it where someone reads there.
template <typename Send> ssize_t counted_send(const std::optional<sockaddr_in>& to, const Send& send) {
  int line = -1;
  if (to) {
    const SharedTimeLock lock(*shared);
    line = line_of(*to, false);
    if (line >= 0) ++shared->lines[static_cast<std::size_t>(line)].sent;
  }
  const ssize_t sent = send();
  if (line < 0) return sent;
  const int error = errno;
  if (sent < 0) {
    const SharedTimeLock lock(*shared);
    --shared->lines[static_cast<std::size_t>(line)].sent;
  }
  tell_others();
  errno = error;
  return sent;
}

/// What was sent is received, however long the machine takes to deliver it. `receive(n)` takes more, after `n`, and
/// returns how many it took; a negative number is an error.
template <typename Receive> int counted_receive(int fd, int most, const Receive& receive) {
  const int line = own_line(fd);
  for (int got = 0;;) {
    std::int64_t expected = 0;
    if (line >= 0) {
      const SharedTimeLock lock(*shared);
      expected = on_its_way(line);
    }
    const int more = receive(got);
    const int error = errno;
    const bool empty = more < 0 && (error == EAGAIN || error == EWOULDBLOCK);
    if (line >= 0) {
      const SharedTimeLock lock(*shared);
      std::int64_t& received = shared->lines[static_cast<std::size_t>(line)].received;
      if (more > 0) received += more;
      // Datagrams that no one counted, or that were dropped.
      if (empty && expected < 0) received += expected;
    }
    if (more > 0) got += more;
    const bool missing = (empty || more > 0) && got < most && expected > std::max(more, 0);
    if (!missing) {
      errno = error;
      return got > 0 ? got : more;
    }
    if (readable(fd, longest_delivery)) continue;
    const SharedTimeLock lock(*shared);
    SharedTime::Line& at = shared->lines[static_cast<std::size_t>(line)];
    at.received = at.sent;
  }
}

} // namespace

extern "C" {

int clock_gettime(clockid_t clock, timespec* t) noexcept {
  if (shared == nullptr || clock != CLOCK_MONOTONIC) return real_gettime(clock, t);
  const std::int64_t at = now();
  *t = {at / second, at % second};
  return 0;
}

int clock_nanosleep(clockid_t clock, int flags, const timespec* time, timespec* left) {
  static const auto real = next<int (*)(clockid_t, int, const timespec*, timespec*)>("clock_nanosleep");
  if (shared == nullptr || clock != CLOCK_MONOTONIC || flags != TIMER_ABSTIME) return real(clock, flags, time, left);
  return wait_until(nanoseconds(*time), -1, [] { return false; }) == Woken::by_signal ? EINTR : 0;
}

int ppoll(pollfd* fds, nfds_t count, const timespec* timeout, const sigset_t* mask) {
  static const auto real = next<int (*)(pollfd*, nfds_t, const timespec*, const sigset_t*)>("ppoll");
  if (shared == nullptr || count != 1 || timeout == nullptr || !is_datagram(fds->fd))
    return real(fds, count, timeout, mask);
  const std::int64_t deadline = now() + nanoseconds(*timeout);
  const int fd = fds->fd, line = own_line(fd);
  fds->revents = 0;
  for (;;) {
    const Woken woken = wait_until(deadline, line, [fd] { return readable(fd, 0); });
    if (woken == Woken::by_time) return 0;
    if (woken == Woken::by_signal) return errno = EINTR, -1;
    const timespec delivery{0, longest_delivery * 1'000'000L};
    if (const int came = real(fds, 1, &delivery, mask); came != 0) return came;
    const SharedTimeLock lock(*shared);
    if (line >= 0)
      shared->lines[static_cast<std::size_t>(line)].received = shared->lines[static_cast<std::size_t>(line)].sent;
  }
}

int setsockopt(int fd, int level, int name, const void* value, socklen_t size) noexcept {
  static const auto real = next<int (*)(int, int, int, const void*, socklen_t)>("setsockopt");
  // The kernel's time stamps are of the machine's time: without them a datagram comes when it is taken.
  if (shared != nullptr && level == SOL_SOCKET && name == SO_TIMESTAMPNS) return 0;
  return real(fd, level, name, value, size);
}

ssize_t send(int fd, const void* data, size_t size, int flags) {
  static const auto real = next<ssize_t (*)(int, const void*, size_t, int)>("send");
  if (shared == nullptr || !is_datagram(fd)) return real(fd, data, size, flags);
  return counted_send(name_of(fd, &getpeername), [&] { return real(fd, data, size, flags); });
}

ssize_t sendto(int fd, const void* data, size_t size, int flags, const sockaddr* to, socklen_t length) {
  static const auto real = next<ssize_t (*)(int, const void*, size_t, int, const sockaddr*, socklen_t)>("sendto");
  if (shared == nullptr || to == nullptr || to->sa_family != AF_INET || !is_datagram(fd))
    return real(fd, data, size, flags, to, length);
  return counted_send(*reinterpret_cast<const sockaddr_in*>(to),
                      [&] { return real(fd, data, size, flags, to, length); });
}

ssize_t recvmsg(int fd, msghdr* message, int flags) {
  static const auto real = next<ssize_t (*)(int, msghdr*, int)>("recvmsg");
  if (shared == nullptr || !is_datagram(fd)) return real(fd, message, flags);
  ssize_t size = -1;
  counted_receive(fd, 1, [&](int) {
    size = real(fd, message, flags);
    return size >= 0 ? 1 : -1;
  });
  return size;
}

int recvmmsg(int fd, mmsghdr* messages, unsigned count, int flags, timespec* wait) {
  static const auto real = next<int (*)(int, mmsghdr*, unsigned, int, timespec*)>("recvmmsg");
  if (shared == nullptr || !is_datagram(fd)) return real(fd, messages, count, flags, wait);
  return counted_receive(fd, static_cast<int>(count), [&](int taken) {
    return real(fd, messages + taken, count - static_cast<unsigned>(taken), flags, wait);
  });
}
}
