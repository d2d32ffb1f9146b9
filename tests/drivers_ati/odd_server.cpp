// SPDX-License-Identifier: BSD-3-Clause
#include "tests/drivers_ati/odd_server.h"

#include <poll.h>

namespace hilda::test {

OddServer::OddServer(Visit visit) : listener_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
  address_ = *net::ipv4("127.0.0.1", 0);
  ::bind(listener_.get(), net::raw(address_), sizeof address_);
  ::listen(listener_.get(), 1);
  socklen_t size = sizeof address_;
  getsockname(listener_.get(), reinterpret_cast<sockaddr*>(&address_), &size);
  thread_ = std::thread([this, visit = std::move(visit)] {
    pollfd look{listener_.get(), POLLIN, 0};
    while (!over_ && ::poll(&look, 1, 20) <= 0) {}
    if (over_) return;
    const net::Descriptor visitor(::accept(listener_.get(), nullptr, nullptr));
    char request[1024];
    if (::recv(visitor.get(), request, sizeof request, 0) > 0) visit(visitor.get(), over_);
  });
}

OddServer::~OddServer() {
  over_ = true;
  thread_.join();
}

OddServer::Visit answering(std::string bytes) {
  return [bytes = std::move(bytes)](int visitor, const std::atomic<bool>& over) {
    for (std::size_t at = 0; at < bytes.size() && !over;) {
      const ssize_t sent = ::send(visitor, bytes.data() + at, bytes.size() - at, MSG_NOSIGNAL);
      if (sent <= 0) return;
      at += static_cast<std::size_t>(sent);
    }
  };
}

} // namespace hilda::test
