// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "drivers/net/datagram_socket.h"

#include <atomic>
#include <functional>
#include <thread>

namespace hilda::test {

/// A TCP server on loopback that does what a test needs with its one visitor.
class OddServer {
public:
  /// `visit` gets the visitor's socket after the request was read, and gives up where `over` says so.
  using Visit = std::function<void(int visitor, const std::atomic<bool>& over)>;
  explicit OddServer(Visit visit);
  ~OddServer();
  OddServer(const OddServer&) = delete;
  OddServer& operator=(const OddServer&) = delete;
  const sockaddr_in& address() const { return address_; }

private:
  net::Descriptor listener_;
  sockaddr_in address_{};
  std::atomic<bool> over_{false};
  std::thread thread_;
};

/// One that answers with these bytes and closes.
OddServer::Visit answering(std::string bytes);

} // namespace hilda::test
