#pragma once

#include <cstdint>
#include <netinet/in.h>
#include <span>
#include <string>

namespace hilda::kuka {

std::int64_t monotonic_now();

/// A UDP socket that never blocks but in `wait`.
class UdpSocket {
public:
  UdpSocket() = default;
  ~UdpSocket() { close(); }
  UdpSocket(const UdpSocket&) = delete;
  UdpSocket& operator=(const UdpSocket&) = delete;

  /// False after writing what is wrong and what to do about it.
  bool bind_to(const std::string& address, int port, std::string& problem);
  bool connect_to(const std::string& address, int port, std::string& problem);
  void close();
  bool is_open() const { return descriptor_ >= 0; }

  enum class Received { datagram, nothing, broken };
  struct Datagram {
    std::size_t size = 0; ///< 0 too where it did not fit
    sockaddr_in from{};
    std::int64_t arrival = 0; ///< ns, CLOCK_MONOTONIC: when the kernel took it in
  };
  /// [loop]
  Received receive(std::span<char> to, Datagram& datagram);
  /// [loop] To the peer of connect_to.
  bool send(std::span<const char> bytes);
  bool send_to(std::span<const char> bytes, const sockaddr_in& peer);
  /// [loop] Waits for a datagram until `deadline` (ns, CLOCK_MONOTONIC). False: none came.
  bool wait(std::int64_t deadline);

private:
  bool open(std::string& problem);

  int descriptor_ = -1;
};

bool same_peer(const sockaddr_in& a, const sockaddr_in& b);
/// "127.0.0.1:49152"
std::string peer_text(const sockaddr_in& peer);

} // namespace hilda::kuka
