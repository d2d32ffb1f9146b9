// SPDX-License-Identifier: BSD-3-Clause
#include "tools/cli/detail/rig/network.h"

#include <arpa/inet.h>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <ifaddrs.h>
#include <net/if.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

namespace hilda::cli {
namespace {

constexpr std::size_t most_page = std::size_t{1} << 20;

/// Closed at the end of its scope.
struct Socket {
  explicit Socket(int type) : fd(::socket(AF_INET, type | SOCK_CLOEXEC, 0)) {}
  ~Socket() {
    if (fd >= 0) ::close(fd);
  }
  Socket(const Socket&) = delete;
  Socket& operator=(const Socket&) = delete;
  int fd;
};

sockaddr_in place(std::uint32_t address, int port) {
  sockaddr_in at{};
  at.sin_family = AF_INET;
  at.sin_addr.s_addr = htonl(address);
  at.sin_port = htons(static_cast<std::uint16_t>(port));
  return at;
}

const sockaddr* raw(const sockaddr_in& at) { return reinterpret_cast<const sockaddr*>(&at); }

/// Connects within the time; empty, or why not.
std::string connect_within(const Socket& socket, const sockaddr_in& at, double seconds) {
  ::fcntl(socket.fd, F_SETFL, ::fcntl(socket.fd, F_GETFL) | O_NONBLOCK);
  if (::connect(socket.fd, raw(at), sizeof at) != 0 && errno != EINPROGRESS) return std::strerror(errno);
  pollfd look{socket.fd, POLLOUT, 0};
  if (::poll(&look, 1, static_cast<int>(seconds * 1e3)) <= 0) return "it does not answer in time";
  int error = 0;
  socklen_t size = sizeof error;
  ::getsockopt(socket.fd, SOL_SOCKET, SO_ERROR, &error, &size);
  ::fcntl(socket.fd, F_SETFL, ::fcntl(socket.fd, F_GETFL) & ~O_NONBLOCK);
  return error == 0 ? "" : std::strerror(error);
}

} // namespace

std::vector<OwnAddress> own_addresses() {
  std::vector<OwnAddress> own;
  ifaddrs* list = nullptr;
  if (::getifaddrs(&list) != 0) return own;
  for (const ifaddrs* each = list; each != nullptr; each = each->ifa_next) {
    if (each->ifa_addr == nullptr || each->ifa_addr->sa_family != AF_INET || (each->ifa_flags & IFF_UP) == 0) continue;
    const auto number_of = [](const sockaddr* at) {
      sockaddr_in v4{};
      std::memcpy(&v4, at, sizeof v4);
      return ntohl(v4.sin_addr.s_addr);
    };
    OwnAddress address{.interface = each->ifa_name,
                       .address = "",
                       .number = number_of(each->ifa_addr),
                       .mask = each->ifa_netmask != nullptr ? number_of(each->ifa_netmask) : 0xFFFFFFFFu,
                       .loopback = (each->ifa_flags & IFF_LOOPBACK) != 0};
    const in_addr text{htonl(address.number)};
    address.address = ::inet_ntoa(text);
    own.push_back(address);
  }
  ::freeifaddrs(list);
  return own;
}

std::optional<std::uint32_t> ipv4_number(const std::string& text) {
  in_addr address{};
  return ::inet_pton(AF_INET, text.c_str(), &address) == 1 ? std::optional(ntohl(address.s_addr)) : std::nullopt;
}

const OwnAddress* neighbour(const std::vector<OwnAddress>& own, std::uint32_t other) {
  for (const OwnAddress& each : own)
    if (((each.number ^ other) & each.mask) == 0) return &each;
  return nullptr;
}

std::string udp_port_taken(const std::string& address, int port) {
  const Socket socket(SOCK_DGRAM);
  const sockaddr_in at = place(ipv4_number(address).value_or(0), port);
  return ::bind(socket.fd, raw(at), sizeof at) == 0 ? "" : std::strerror(errno);
}

std::optional<std::string> http_page(const std::string& address, int port, const std::string& path, double seconds,
                                     std::string& problem) {
  const std::optional<std::uint32_t> number = ipv4_number(address);
  if (!number) {
    problem = address + " is not an IPv4 address";
    return std::nullopt;
  }
  const Socket socket(SOCK_STREAM);
  problem = connect_within(socket, place(*number, port), seconds);
  if (!problem.empty()) return std::nullopt;
  const timeval patience{static_cast<time_t>(seconds),
                         static_cast<suseconds_t>((seconds - static_cast<double>(static_cast<time_t>(seconds))) * 1e6)};
  ::setsockopt(socket.fd, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
  const std::string request = "GET " + path + " HTTP/1.0\r\nHost: " + address + "\r\n\r\n";
  if (::send(socket.fd, request.data(), request.size(), MSG_NOSIGNAL) < 0) {
    problem = std::strerror(errno);
    return std::nullopt;
  }
  std::string answer;
  char piece[4096];
  for (ssize_t got = 0; answer.size() < most_page && (got = ::recv(socket.fd, piece, sizeof piece, 0)) > 0;)
    answer.append(piece, static_cast<std::size_t>(got));
  const std::size_t body = answer.find("\r\n\r\n");
  if (answer.rfind("HTTP/", 0) == 0 && answer.find(" 200") < answer.find('\n') && body != std::string::npos)
    return answer.substr(body + 4);
  problem =
      answer.empty() ? "it says nothing" : "it answers \"" + answer.substr(0, answer.find_first_of("\r\n")) + "\"";
  return std::nullopt;
}

} // namespace hilda::cli
