#pragma once

#include <arpa/inet.h>
#include <cerrno>
#include <cstring>
#include <netinet/in.h>
#include <poll.h>
#include <string>
#include <sys/socket.h>
#include <unistd.h>

/// The wire between a servo and its controller: one double in radians a datagram, within this machine.
class Wire {
public:
  ~Wire() { close(); }

  /// Empty, or what is wrong.
  std::string open(std::int64_t own_port, std::int64_t peer_port) {
    socket_ = ::socket(AF_INET, SOCK_DGRAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    const sockaddr_in own = loopback(own_port);
    peer_ = loopback(peer_port);
    if (socket_ >= 0 && ::bind(socket_, reinterpret_cast<const sockaddr*>(&own), sizeof own) == 0) return {};
    return std::string("UDP port ") + std::to_string(own_port) + ": " + std::strerror(errno);
  }
  void close() {
    if (socket_ >= 0) ::close(socket_);
    socket_ = -1;
  }

  /// The newest number, if one came; never waits, and reads no more than so many, even if a program floods the port.
  bool newest(double& angle) {
    bool came = false;
    double number = 0;
    for (int i = 0; i < 64; ++i) {
      const ssize_t bytes = ::recv(socket_, &number, sizeof number, MSG_TRUNC);
      if (bytes < 0) break;
      if (bytes != sizeof number) continue;
      angle = number;
      came = true;
    }
    return came;
  }
  void send(double angle) {
    (void)::sendto(socket_, &angle, sizeof angle, 0, reinterpret_cast<const sockaddr*>(&peer_), sizeof peer_);
  }
  /// Waits for a datagram; not in the loop.
  bool wait(int milliseconds) {
    pollfd look{socket_, POLLIN, 0};
    return ::poll(&look, 1, milliseconds) > 0;
  }

private:
  static sockaddr_in loopback(std::int64_t port) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(static_cast<std::uint16_t>(port));
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    return address;
  }

  int socket_ = -1;
  sockaddr_in peer_{};
};
