// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "drivers/net/datagram_socket.h"
#include "tests/drivers_ati/golden_packet.h"
#include "tests/drivers_ati/wired_diagram.h"

#include <cstdint>
#include <gtest/gtest.h>
#include <string>
#include <vector>
#include <zlib.h>

namespace hilda::test {

inline std::string source(const std::string& attributes, const std::string& size = "3") {
  return "<block name=\"in\" type=\"udp/UdpSource\" port=\"0\" size=\"" + size + "\" " + attributes + "/>\n";
}

/// A packet by the layout's table, written once more for the tests.
inline std::vector<std::uint8_t> packet(std::uint64_t sequence, const std::vector<double>& values) {
  std::vector<std::uint8_t> bytes{'h', 'U', 'D', 'P', 1, 0, static_cast<std::uint8_t>(values.size()), 0};
  const auto add = [&](auto value) {
    const auto* raw = reinterpret_cast<const std::uint8_t*>(&value);
    bytes.insert(bytes.end(), raw, raw + sizeof value);
  };
  add(sequence), add(12.5);
  for (const double value : values) add(value);
  add(static_cast<std::uint32_t>(crc32(0, bytes.data(), static_cast<uInt>(bytes.size()))));
  return bytes;
}

/// A source that runs, and a socket that talks to it.
struct Listening {
  explicit Listening(const std::string& attributes = "", const std::string& size = "3")
      : diagram(source(attributes, size)) {
    EXPECT_TRUE(diagram.start()) << diagram.errors();
    EXPECT_TRUE(diagram.step());
    at = *net::ipv4("127.0.0.1", static_cast<int>(diagram.value("in.local_port")));
    EXPECT_EQ(sender.connect(at), "");
  }
  double in(const std::string& port, std::size_t element = 0) const { return diagram.value("in." + port, element); }
  WiredDiagram diagram;
  sockaddr_in at{};
  net::DatagramSocket sender;
};

inline std::string start_errors(const std::string& body) {
  WiredDiagram diagram(body);
  EXPECT_FALSE(diagram.start());
  return diagram.errors();
}

} // namespace hilda::test
