// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "drivers/net/datagram_socket.h"

#include <cstddef>
#include <cstdio>
#include <sys/un.h>

namespace hilda::netft {

/// The right to read from a box, which one reader on this machine has at a time: the box sends to who asked last, so a
/// second run, started by mistake, would take the stream from the first. Held by a name of the kernel's, which is free
/// again when the process ends, however it does.
class SoleReader {
public:
  /// False: another reader has the box. Where the kernel gives no such names, everybody has the right.
  bool take(const sockaddr_in& box) {
    sockaddr_un name{};
    name.sun_family = AF_UNIX;
    // Behind a leading 0: no file is made.
    const int length =
        std::snprintf(name.sun_path + 1, sizeof name.sun_path - 1, "hilda.ati_netft.%s", net::text(box).c_str());
    name_ = net::Descriptor(::socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0));
    const auto size = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + 1 + static_cast<std::size_t>(length));
    if (::bind(name_.get(), reinterpret_cast<const sockaddr*>(&name), size) == 0) {
      name_.watch("the name of the only reader of " + net::text(box));
      return true;
    }
    const bool taken = errno == EADDRINUSE;
    name_.close();
    return !taken;
  }
  void give_back() { name_.close(); }

private:
  net::Descriptor name_;
};

} // namespace hilda::netft
