// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "tools/modules.h"
#include "tools/studio/hub.h"

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

namespace hilda::studio {

struct ServerOptions {
  std::string address = "127.0.0.1";
  unsigned port = 0;                ///< 0: one that is free
  std::string token;                ///< see fault_of_token
  std::vector<std::string> origins; ///< of foreign pages that may come in
  bool logs = false;                ///< pages may hand over logs, to be shown as runs
};

/// Limits of what strangers may ask for.
struct ServerLimits {
  static constexpr std::size_t connections = 64, clients = 16;  ///< at a time; clients are WebSockets
  static constexpr std::size_t message = std::size_t{1} << 20;  ///< bytes of one to us
  static constexpr std::size_t samples = std::size_t{64} << 20; ///< bytes of the text of samples that become a log
  static constexpr std::size_t header = std::size_t{16} << 10;  ///< bytes of a request of HTTP
  static constexpr double messages = 500, burst = 1500;         ///< a second, and at once
};

/// HTTP for the page and WebSockets for those who look at a run, on its own thread.
class Server {
public:
  /// Null, and `error`, where it cannot listen.
  static std::unique_ptr<Server> open(const ServerOptions& options, Hub& hub, std::string& error);
  ~Server();
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;

  unsigned port() const;
  /// "http://127.0.0.1:8765/?token=...": for a browser.
  std::string link() const;
  /// "ws://127.0.0.1:8765/?token=...": for Foxglove and scripts.
  std::string socket_link() const;

  struct Inside; ///< for server.cpp alone

private:
  explicit Server(std::unique_ptr<Inside> inside);
  std::unique_ptr<Inside> inside_;
};

} // namespace hilda::studio
