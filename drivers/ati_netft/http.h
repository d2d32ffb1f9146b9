// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// As much of HTTP/1.0 (RFC 1945) as one page takes, with limits of time and size in all.

#include "drivers/net/datagram_socket.h"

#include <chrono>
#include <string>
#include <thread>

namespace hilda::netft {

/// A page, or what is wrong.
struct Page {
  std::string body;
  std::string problem; ///< empty: the body is whole
};
inline constexpr std::size_t most_page_bytes = 1 << 20;

/// GET of `path`; over by `until`, whatever the other side does.
Page get_page(const sockaddr_in& server, const std::string& path, std::chrono::steady_clock::time_point until);

/// Takes an answer apart: head and body as they came, until the other side closed or the head's length was reached.
Page parse_answer(const std::string& answer);

/// Serves one page from its own thread, one visitor after the other, each for a second at the most.
class PageServer {
public:
  PageServer() = default;
  PageServer(const PageServer&) = delete;
  PageServer& operator=(const PageServer&) = delete;
  ~PageServer() { stop(); }

  /// Returns what is wrong, or nothing.
  std::string start(const sockaddr_in& local, const std::string& path, const std::string& body);
  void stop();
  /// 0: not started
  int port() const { return port_; }

private:
  void serve();
  void answer(int visitor);
  bool wait(int fd, short events, std::chrono::steady_clock::time_point until) const;

  net::Descriptor listener_, wake_;
  int port_ = 0;
  std::string path_, body_;
  std::thread thread_;
};

} // namespace hilda::netft
