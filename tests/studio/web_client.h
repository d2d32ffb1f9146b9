// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace hilda::test {

/// A socket to a server on this computer, with a deadline for all that is waited for.
class Connection {
public:
  explicit Connection(unsigned port);
  ~Connection();
  Connection(Connection&& other) noexcept;
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;
  Connection& operator=(Connection&&) = delete;

  bool open() const { return socket_ >= 0; }
  /// False: the other side has closed it.
  bool send(const std::string& bytes) const;
  /// What comes until the end, or until there are so many bytes; nothing more after 10 s.
  std::string receive(std::size_t most = SIZE_MAX) const;

private:
  int socket_ = -1;
};

/// What HTTP answers.
struct Reply {
  int status = 0;
  std::string head, body;
};

/// `head`: further lines, each with its end.
Reply get(unsigned port, const std::string& target, const std::string& head = "", const std::string& host = "");

/// A WebSocket as a client has it: frames by hand, so that they can also be wrong.
class WebClient {
public:
  /// Without a subprotocol: none is asked for. `status` of the answer says whether it is open.
  WebClient(unsigned port, const std::string& token, const std::string& protocol, const std::string& head = "");

  int status() const { return status_; }
  bool send(const std::string& text) const { return send_frame(1, text); }
  /// A whole frame, masked.
  bool send_frame(int opcode, const std::string& payload) const;
  /// Bytes as they are.
  bool send_raw(const std::string& bytes) const { return connection_.send(bytes); }
  /// The next message; none where it is closed, or nothing comes.
  struct Incoming {
    int opcode = 0;
    std::string payload;
  };
  std::optional<Incoming> receive() const;
  /// The next text that holds a word; empty: none came.
  std::string text_with(const std::string& word) const;

private:
  Connection connection_;
  int status_ = 0;
};

} // namespace hilda::test
