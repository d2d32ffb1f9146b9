// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

namespace hilda::test {

/// Closes sockets of this process, as a plugin does that closes what is not its own: those of IPv4 for whose ports,
/// here and at the other end (0: none), `which` is true. Copies at high numbers are left alone. How many there were.
template <class Which> int close_sockets(Which which) {
  constexpr int below_the_copies = 100;
  int closed = 0;
  for (int descriptor = 3; descriptor < below_the_copies; ++descriptor) {
    sockaddr_in here{}, there{};
    socklen_t size = sizeof here, peer_size = sizeof there;
    if (getsockname(descriptor, reinterpret_cast<sockaddr*>(&here), &size) != 0 || here.sin_family != AF_INET) continue;
    if (getpeername(descriptor, reinterpret_cast<sockaddr*>(&there), &peer_size) != 0) there.sin_port = 0;
    if (which(int{ntohs(here.sin_port)}, int{ntohs(there.sin_port)})) close(descriptor), ++closed;
  }
  return closed;
}

} // namespace hilda::test
