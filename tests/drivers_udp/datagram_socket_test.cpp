// SPDX-License-Identifier: BSD-3-Clause
// One datagram at a time, as the robot's driver takes them.

#include "drivers/net/datagram_socket.h"

#include <algorithm>
#include <gtest/gtest.h>

namespace hilda::net {
namespace {

TEST(DatagramSocket, GivesADatagramThatDoesNotFitAsOneWithoutBytes) {
  DatagramSocket here, there;
  ASSERT_EQ(here.bind(*ipv4("127.0.0.1", 0)), "");
  ASSERT_EQ(there.connect(here.local()), "");
  std::array<char, 8> to{};
  const std::array<std::uint8_t, 9> sent{1, 2, 3, 4, 5, 6, 7, 8, 9};
  for (const std::size_t size : {0u, 7u, 8u, 9u}) {
    ASSERT_TRUE(there.send(std::span(sent).first(size)));
    ASSERT_TRUE(here.wait(monotonic_now() + 5'000'000'000));
    Datagram datagram;
    ASSERT_EQ(here.receive(to, datagram), Received::datagram) << size;
    EXPECT_EQ(datagram.size, size <= 8 ? size : 0) << size;
    EXPECT_TRUE(std::equal(sent.begin(), sent.begin() + static_cast<std::ptrdiff_t>(datagram.size), to.begin()))
        << size;
  }
  Datagram none;
  EXPECT_EQ(here.receive(to, none), Received::nothing);
}

} // namespace
} // namespace hilda::net
