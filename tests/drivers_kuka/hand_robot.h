#pragma once

#include "drivers/kuka_rsi/udp_socket.h"

#include <array>
#include <string>

namespace hilda::kuka::test {

/// One end of the wire by hand: sends what it is told, gives back what comes.
class HandRobot {
public:
  explicit HandRobot(int port) {
    std::string problem;
    if (!socket_.connect_to("127.0.0.1", port, problem)) throw std::runtime_error(problem);
  }
  void send(const std::string& bytes) { socket_.send(bytes); }
  /// The next datagram within a moment; empty: none.
  std::string receive(double milliseconds = 200) {
    std::array<char, 8192> bytes{};
    UdpSocket::Datagram datagram;
    const std::int64_t until = monotonic_now() + static_cast<std::int64_t>(milliseconds * 1e6);
    do {
      if (socket_.receive(bytes, datagram) == UdpSocket::Received::datagram) return {bytes.data(), datagram.size};
    } while (socket_.wait(until));
    return {};
  }

private:
  UdpSocket socket_;
};

} // namespace hilda::kuka::test
