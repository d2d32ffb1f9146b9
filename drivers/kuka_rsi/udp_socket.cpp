#include "drivers/kuka_rsi/udp_socket.h"

#include <arpa/inet.h>
#include <cerrno>
#include <cstring>
#include <ctime>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

namespace hilda::kuka {
namespace {

constexpr std::int64_t second = 1'000'000'000;

std::int64_t now_of(clockid_t clock) {
  timespec t{};
  clock_gettime(clock, &t);
  return t.tv_sec * second + t.tv_nsec;
}

bool fill(const std::string& address, int port, sockaddr_in& to, std::string& problem) {
  to = {};
  to.sin_family = AF_INET;
  to.sin_port = htons(static_cast<std::uint16_t>(port));
  if (inet_pton(AF_INET, address.c_str(), &to.sin_addr) == 1) return true;
  problem = "\"" + address + "\" is no address such as 192.168.1.25";
  return false;
}

/// The kernel's time stamp is of the wall clock; carried over with the difference of both clocks now. A wall clock that
/// was set in between is not believed.
std::int64_t arrival_of(msghdr& message) {
  const std::int64_t now = monotonic_now();
  for (cmsghdr* c = CMSG_FIRSTHDR(&message); c != nullptr; c = CMSG_NXTHDR(&message, c)) {
    if (c->cmsg_level != SOL_SOCKET || c->cmsg_type != SCM_TIMESTAMPNS) continue;
    timespec stamp{};
    std::memcpy(&stamp, CMSG_DATA(c), sizeof stamp);
    const std::int64_t age = now_of(CLOCK_REALTIME) - (stamp.tv_sec * second + stamp.tv_nsec);
    return age > 0 && age < 10 * second ? now - age : now;
  }
  return now;
}

} // namespace

std::int64_t monotonic_now() { return now_of(CLOCK_MONOTONIC); }

bool UdpSocket::open(std::string& problem) {
  close();
  descriptor_ = socket(AF_INET, SOCK_DGRAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
  if (descriptor_ >= 0) return true;
  problem = std::string("no socket can be made: ") + std::strerror(errno);
  return false;
}

bool UdpSocket::bind_to(const std::string& address, int port, std::string& problem) {
  sockaddr_in local{};
  if (!fill(address, port, local, problem) || !open(problem)) return false;
  const int on = 1;
  setsockopt(descriptor_, SOL_SOCKET, SO_TIMESTAMPNS, &on, sizeof on);
  if (::bind(descriptor_, reinterpret_cast<const sockaddr*>(&local), sizeof local) == 0) return true;
  const std::string where = address + ":" + std::to_string(port);
  switch (errno) {
  case EADDRINUSE:
    problem = where + " is in use by another program, perhaps a run that has not ended; `ss -lunp` names it";
    break;
  case EADDRNOTAVAIL:
    problem = address + " is no address of this machine; give it to the network interface that leads to the robot "
                        "(`ip addr` lists them), or name another one";
    break;
  case EACCES: problem = where + " may not be opened by this user; ports below 1024 are reserved"; break;
  default: problem = where + " cannot be opened: " + std::strerror(errno);
  }
  close();
  return false;
}

bool UdpSocket::connect_to(const std::string& address, int port, std::string& problem) {
  sockaddr_in peer{};
  if (!fill(address, port, peer, problem) || !open(problem)) return false;
  if (::connect(descriptor_, reinterpret_cast<const sockaddr*>(&peer), sizeof peer) == 0) return true;
  const std::string where = address + ":" + std::to_string(port);
  problem = errno == ENETUNREACH || errno == EHOSTUNREACH
                ? "there is no route to " + where + "; check the address and the network interface (`ip route`)"
                : where + " cannot be reached: " + std::strerror(errno);
  close();
  return false;
}

void UdpSocket::close() {
  if (descriptor_ >= 0) ::close(descriptor_);
  descriptor_ = -1;
}

UdpSocket::Received UdpSocket::receive(std::span<char> to, Datagram& datagram) {
  iovec piece{to.data(), to.size()};
  alignas(cmsghdr) char control[CMSG_SPACE(sizeof(timespec))];
  msghdr message{};
  message.msg_name = &datagram.from;
  message.msg_namelen = sizeof datagram.from;
  message.msg_iov = &piece;
  message.msg_iovlen = 1;
  message.msg_control = control;
  message.msg_controllen = sizeof control;
  for (;;) {
    const ssize_t size = recvmsg(descriptor_, &message, MSG_DONTWAIT);
    if (size >= 0) {
      datagram.size = (message.msg_flags & MSG_TRUNC) != 0 ? 0 : static_cast<std::size_t>(size);
      datagram.arrival = arrival_of(message);
      return Received::datagram;
    }
    if (errno == EAGAIN || errno == EWOULDBLOCK) return Received::nothing;
    // The other end's port was closed when something was sent there: no reason to end, it may come back.
    if (errno != EINTR && errno != ECONNREFUSED) return Received::broken;
  }
}

bool UdpSocket::send(std::span<const char> bytes) {
  return ::send(descriptor_, bytes.data(), bytes.size(), MSG_DONTWAIT | MSG_NOSIGNAL) ==
         static_cast<ssize_t>(bytes.size());
}

bool UdpSocket::send_to(std::span<const char> bytes, const sockaddr_in& peer) {
  return sendto(descriptor_, bytes.data(), bytes.size(), MSG_DONTWAIT | MSG_NOSIGNAL,
                reinterpret_cast<const sockaddr*>(&peer), sizeof peer) == static_cast<ssize_t>(bytes.size());
}

bool UdpSocket::wait(std::int64_t deadline) {
  const std::int64_t left = deadline - monotonic_now();
  if (left <= 0) return false;
  const timespec timeout{static_cast<time_t>(left / second), static_cast<long>(left % second)};
  pollfd watched{descriptor_, POLLIN, 0};
  return ppoll(&watched, 1, &timeout, nullptr) > 0;
}

bool same_peer(const sockaddr_in& a, const sockaddr_in& b) {
  return a.sin_addr.s_addr == b.sin_addr.s_addr && a.sin_port == b.sin_port;
}

std::string peer_text(const sockaddr_in& peer) {
  char text[INET_ADDRSTRLEN] = "";
  inet_ntop(AF_INET, &peer.sin_addr, text, sizeof text);
  return std::string(text) + ":" + std::to_string(ntohs(peer.sin_port));
}

} // namespace hilda::kuka
