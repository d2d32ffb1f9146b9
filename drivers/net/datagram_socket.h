// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// A UDP socket over IPv4 that never waits, and the datagrams that it has queued. Opening reports in words; the calls of
// the loop are bounded and allocate nothing.

#include <arpa/inet.h>
#include <array>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <ctime>
#include <hilda/watched_descriptor.h>
#include <netinet/in.h>
#include <optional>
#include <poll.h>
#include <span>
#include <string>
#include <sys/socket.h>
#include <unistd.h>
#include <utility>

namespace hilda::net {

/// A file descriptor that is closed once.
class Descriptor {
public:
  Descriptor() = default;
  explicit Descriptor(int fd) : fd_(fd) {}
  Descriptor(Descriptor&& other) noexcept : fd_(std::exchange(other.fd_, -1)), watched_(std::move(other.watched_)) {}
  Descriptor& operator=(Descriptor&& other) noexcept {
    if (this != &other) close(), fd_ = std::exchange(other.fd_, -1), watched_ = std::move(other.watched_);
    return *this;
  }
  ~Descriptor() { close(); }
  int get() const { return fd_; }
  bool open() const { return fd_ >= 0; }
  /// From here on hilda restores it where another plugin closes it. `name`: "the socket at 192.168.1.1:49152".
  void watch(const std::string& name) { watched_ = WatchedDescriptor(fd_, name.c_str()); }
  void close() {
    watched_.forget();
    if (fd_ >= 0) ::close(fd_);
    fd_ = -1;
  }

private:
  int fd_ = -1;
  WatchedDescriptor watched_;
};

/// "192.168.1.1" and a port of 0 to 65535; nothing for anything else. Names are not looked up.
inline std::optional<sockaddr_in> ipv4(const char* address, std::int64_t port) {
  sockaddr_in result{};
  result.sin_family = AF_INET;
  if (port < 0 || port > 65535 || inet_pton(AF_INET, address, &result.sin_addr) != 1) return std::nullopt;
  result.sin_port = htons(static_cast<std::uint16_t>(port));
  return result;
}

/// "192.168.1.1:49152"
inline std::string text(const sockaddr_in& address) {
  char host[INET_ADDRSTRLEN] = "?";
  inet_ntop(AF_INET, &address.sin_addr, host, sizeof host);
  return std::string(host) + ":" + std::to_string(ntohs(address.sin_port));
}

inline bool same(const sockaddr_in& a, const sockaddr_in& b) {
  return a.sin_addr.s_addr == b.sin_addr.s_addr && a.sin_port == b.sin_port;
}

/// For a report: what the system says, and what that means to people.
inline std::string system_text(int error) {
  switch (error) {
  case EADDRINUSE:
    return "the address is in use by another program, perhaps a run that has not ended; `ss -lntup` names it";
  case EADDRNOTAVAIL: return "no network interface of this machine has the address; `ip addr` lists what they have";
  case EACCES:
    return "not allowed: ports below 1024 need the right CAP_NET_BIND_SERVICE, and a broadcast is not a peer";
  case ENETUNREACH:
  case EHOSTUNREACH: return "there is no route to it: look at cable, interface and network mask";
  case ECONNREFUSED: return "nothing listens there";
  default: return std::strerror(error);
  }
}

inline const sockaddr* raw(const sockaddr_in& address) { return reinterpret_cast<const sockaddr*>(&address); }

/// Text as the bytes that it is sent in.
inline std::span<const std::uint8_t> bytes(std::span<const char> text) {
  return {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()};
}
inline std::span<std::uint8_t> mutable_bytes(std::span<char> text) {
  return {reinterpret_cast<std::uint8_t*>(text.data()), text.size()};
}

inline std::int64_t nanoseconds(const timespec& time) {
  return std::int64_t{time.tv_sec} * 1'000'000'000 + time.tv_nsec;
}
/// [loop] ns of a clock of this machine.
inline std::int64_t now(clockid_t clock) noexcept {
  timespec time{};
  clock_gettime(clock, &time);
  return nanoseconds(time);
}
inline std::int64_t monotonic_now() noexcept { return now(CLOCK_MONOTONIC); }

/// [loop] ns of CLOCK_REALTIME when the kernel had the datagram; 0: not known.
inline std::int64_t stamp_of(msghdr& head) noexcept {
  for (cmsghdr* at = CMSG_FIRSTHDR(&head); at != nullptr; at = CMSG_NXTHDR(&head, at)) {
    if (at->cmsg_level != SOL_SOCKET || at->cmsg_type != SCM_TIMESTAMPNS) continue;
    timespec time{};
    std::memcpy(&time, CMSG_DATA(at), sizeof time);
    return nanoseconds(time);
  }
  return 0;
}

/// Facts about a datagram in addition to its bytes.
struct Datagram {
  std::size_t size = 0; ///< 0 too where it did not fit
  sockaddr_in from{};
  std::int64_t arrival = 0; ///< ns, CLOCK_MONOTONIC: when the kernel had it
};
enum class Received { datagram, nothing, broken };

class DatagramSocket {
public:
  /// Listens at `local`. Returns what is wrong, or nothing.
  std::string bind(const sockaddr_in& local) {
    if (std::string problem = create(); !problem.empty()) return problem;
    if (::bind(socket_.get(), raw(local), sizeof local) != 0) return failed("cannot listen at " + text(local));
    socket_.watch("the UDP socket at " + text(this->local()));
    return "";
  }
  /// Talks with `peer` alone: the kernel drops what others send. Returns what is wrong, or nothing.
  std::string connect(const sockaddr_in& peer) {
    if (!socket_.open())
      if (std::string problem = create(); !problem.empty()) return problem;
    if (peer.sin_addr.s_addr == INADDR_BROADCAST) { // what the system says of it depends on its routes
      errno = EACCES;
      return failed("cannot send to " + text(peer));
    }
    if (::connect(socket_.get(), raw(peer), sizeof peer) != 0) return failed("cannot send to " + text(peer));
    socket_.watch("the UDP socket to " + text(peer));
    return "";
  }
  bool open() const { return socket_.open(); }
  void close() { socket_.close(); }
  int fd() const { return socket_.get(); }
  /// Where it is bound, with the port that the system chose.
  sockaddr_in local() const {
    sockaddr_in result{};
    socklen_t size = sizeof result;
    getsockname(socket_.get(), reinterpret_cast<sockaddr*>(&result), &size);
    return result;
  }
  /// [loop] To the connected peer. False: the system did not take it.
  bool send(std::span<const std::uint8_t> packet) noexcept {
    return ::send(socket_.get(), packet.data(), packet.size(), MSG_DONTWAIT | MSG_NOSIGNAL) ==
           static_cast<ssize_t>(packet.size());
  }
  /// [loop]
  bool send_to(const sockaddr_in& peer, std::span<const std::uint8_t> packet) noexcept {
    return ::sendto(socket_.get(), packet.data(), packet.size(), MSG_DONTWAIT | MSG_NOSIGNAL, raw(peer), sizeof peer) ==
           static_cast<ssize_t>(packet.size());
  }

  /// [loop] The datagram that has waited longest, without waiting for one.
  Received receive(std::span<char> to, Datagram& datagram) noexcept {
    iovec piece{to.data(), to.size()};
    alignas(cmsghdr) char control[CMSG_SPACE(sizeof(timespec))];
    msghdr head{};
    head.msg_name = &datagram.from;
    head.msg_namelen = sizeof datagram.from;
    head.msg_iov = &piece;
    head.msg_iovlen = 1;
    head.msg_control = control;
    head.msg_controllen = sizeof control;
    for (;;) {
      const ssize_t size = recvmsg(socket_.get(), &head, MSG_DONTWAIT);
      if (size >= 0) {
        datagram.size = (head.msg_flags & MSG_TRUNC) != 0 ? 0 : static_cast<std::size_t>(size);
        datagram.arrival = arrival_of(head);
        return Received::datagram;
      }
      if (errno == EAGAIN || errno == EWOULDBLOCK) return Received::nothing;
      // The other end's port was closed when something was sent there: no reason to end, it may come back.
      if (errno != EINTR && errno != ECONNREFUSED) return Received::broken;
    }
  }
  /// [loop] Waits for a datagram until `deadline` (ns, CLOCK_MONOTONIC). False: none came.
  bool wait(std::int64_t deadline) noexcept {
    const std::int64_t left = deadline - monotonic_now();
    if (left <= 0) return false;
    const timespec timeout{static_cast<time_t>(left / 1'000'000'000), static_cast<long>(left % 1'000'000'000)};
    pollfd watched{socket_.get(), POLLIN, 0};
    return ppoll(&watched, 1, &timeout, nullptr) > 0;
  }

private:
  /// The kernel's time stamp is of the wall clock; carried over with the difference of both clocks now. A wall clock
  /// that was set in between is not believed.
  static std::int64_t arrival_of(msghdr& head) noexcept {
    const std::int64_t at = monotonic_now(), stamp = stamp_of(head);
    const std::int64_t age = now(CLOCK_REALTIME) - stamp;
    return stamp != 0 && age > 0 && age < 10'000'000'000 ? at - age : at;
  }

  std::string create() {
    socket_ = Descriptor(::socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
    if (!socket_.open()) return std::string("cannot open a UDP socket: ") + std::strerror(errno);
    const int on = 1, bytes = 256 * 1024;
    setsockopt(socket_.get(), SOL_SOCKET, SO_TIMESTAMPNS, &on, sizeof on);
    // A full queue drops what is new: it must hold what comes while the loop is stopped for some 10 ms.
    setsockopt(socket_.get(), SOL_SOCKET, SO_RCVBUF, &bytes, sizeof bytes);
    return "";
  }
  std::string failed(const std::string& what) {
    const int error = errno;
    socket_.close();
    return what + ": " + system_text(error);
  }
  Descriptor socket_;
};

/// Up to `Count` datagrams of a socket, taken in one system call; a longer one than `Bytes` is cut and marked.
template <std::size_t Count, std::size_t Bytes> class Datagrams {
public:
  static constexpr std::size_t capacity = Count;

  /// [loop] Takes what is queued, without waiting, and returns how many.
  std::size_t take(const DatagramSocket& socket) noexcept {
    for (std::size_t i = 0; i < Count; ++i) {
      vectors_[i] = {data_[i].data(), Bytes};
      msghdr& head = heads_[i].msg_hdr;
      head = {};
      head.msg_name = &senders_[i];
      head.msg_namelen = sizeof senders_[i];
      head.msg_iov = &vectors_[i];
      head.msg_iovlen = 1;
      head.msg_control = control_[i].bytes;
      head.msg_controllen = sizeof control_[i].bytes;
    }
    // An error here is an ICMP message about something sent before; it is reported once, and then the queue is read.
    for (int attempt = 0; attempt < 3; ++attempt) {
      const int got = recvmmsg(socket.fd(), heads_.data(), static_cast<unsigned>(Count), MSG_DONTWAIT, nullptr);
      if (got >= 0) return static_cast<std::size_t>(got);
      if (errno == EAGAIN || errno == EWOULDBLOCK) return 0;
    }
    return 0;
  }

  std::span<const std::uint8_t> operator[](std::size_t i) const { return {data_[i].data(), heads_[i].msg_len}; }
  bool cut(std::size_t i) const { return (heads_[i].msg_hdr.msg_flags & MSG_TRUNC) != 0; }
  const sockaddr_in& sender(std::size_t i) const { return senders_[i]; }
  /// ns of CLOCK_REALTIME when the kernel had it; 0: not known.
  std::int64_t arrival(std::size_t i) noexcept { return stamp_of(heads_[i].msg_hdr); }

private:
  struct alignas(cmsghdr) Control {
    std::uint8_t bytes[CMSG_SPACE(sizeof(timespec))];
  };
  std::array<std::array<std::uint8_t, Bytes>, Count> data_{};
  std::array<sockaddr_in, Count> senders_{};
  std::array<iovec, Count> vectors_{};
  std::array<Control, Count> control_{};
  std::array<mmsghdr, Count> heads_{};
};

/// How old the newest packet is, from the kernel's time stamps. They are of a clock that may be set, so a packet is
/// never taken to be older than the last look at the queue, which then was empty.
class PacketAge {
public:
  /// [loop] After a look at the queue; `arrival` of the newest packet, where one came.
  void looked(bool came, std::int64_t arrival) noexcept {
    const std::int64_t at = now(CLOCK_MONOTONIC);
    if (came) {
      std::int64_t age = arrival == 0 ? 0 : now(CLOCK_REALTIME) - arrival;
      if (age < 0) age = 0;
      if (last_look_ != 0 && age > at - last_look_) age = at - last_look_;
      arrived_ = at - age;
    }
    last_look_ = at;
  }
  /// s, at the last look
  double value() const { return arrived_ == 0 ? 0 : 1e-9 * static_cast<double>(last_look_ - arrived_); }

private:
  std::int64_t last_look_ = 0, arrived_ = 0;
};

} // namespace hilda::net
