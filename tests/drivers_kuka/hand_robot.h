// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "drivers/net/datagram_socket.h"

#include <array>
#include <string>

namespace hilda::kuka::test {

/// One end of the wire by hand: sends what the test says, gives back what comes.
class HandRobot {
public:
  explicit HandRobot(int port) {
    if (const std::string problem = socket_.connect(*net::ipv4("127.0.0.1", port)); !problem.empty())
      throw std::runtime_error(problem);
  }
  void send(const std::string& bytes) { socket_.send(net::bytes(bytes)); }
  /// The next datagram within a moment; empty: none.
  std::string receive(double milliseconds = 200) {
    std::array<char, 8192> bytes{};
    net::Datagram datagram;
    const std::int64_t until = net::monotonic_now() + static_cast<std::int64_t>(milliseconds * 1e6);
    do {
      if (socket_.receive(bytes, datagram) == net::Received::datagram) return {bytes.data(), datagram.size};
    } while (socket_.wait(until));
    return {};
  }

private:
  net::DatagramSocket socket_;
};

} // namespace hilda::kuka::test
