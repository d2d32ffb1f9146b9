// SPDX-License-Identifier: BSD-3-Clause
#include "tests/studio/web_client.h"

#include <arpa/inet.h>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>
#include <utility>

namespace hilda::test {

Connection::Connection(unsigned port) : socket_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
  const timeval patience{10, 0};
  ::setsockopt(socket_, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
  ::setsockopt(socket_, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof patience);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(static_cast<std::uint16_t>(port));
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  if (::connect(socket_, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0) return;
  ::close(socket_);
  socket_ = -1;
}

Connection::Connection(Connection&& other) noexcept : socket_(std::exchange(other.socket_, -1)) {}

Connection::~Connection() {
  if (socket_ >= 0) ::close(socket_);
}

bool Connection::send(const std::string& bytes) const {
  std::size_t sent = 0;
  while (sent < bytes.size()) {
    const ssize_t count = ::send(socket_, bytes.data() + sent, bytes.size() - sent, MSG_NOSIGNAL);
    if (count <= 0) return false;
    sent += static_cast<std::size_t>(count);
  }
  return true;
}

std::string Connection::receive(std::size_t most) const {
  std::string bytes;
  std::array<char, 65536> buffer;
  while (bytes.size() < most) {
    const ssize_t count = ::recv(socket_, buffer.data(), std::min(buffer.size(), most - bytes.size()), 0);
    if (count < 0 && errno == EINTR) continue; // a child of the server's has ended
    if (count <= 0) break;
    bytes.append(buffer.data(), static_cast<std::size_t>(count));
  }
  return bytes;
}

Reply get(unsigned port, const std::string& target, const std::string& head, const std::string& host) {
  const Connection connection(port);
  const std::string name = host.empty() ? "127.0.0.1:" + std::to_string(port) : host;
  connection.send("GET " + target + " HTTP/1.1\r\nHost: " + name + "\r\n" + head + "\r\n");
  const std::string all = connection.receive();
  const std::size_t end = std::min(all.find("\r\n\r\n"), all.size());
  Reply reply;
  reply.head = all.substr(0, end);
  reply.body = all.substr(std::min(end + 4, all.size()));
  if (all.size() > 12) reply.status = std::atoi(all.substr(9, 3).c_str());
  return reply;
}

WebClient::WebClient(unsigned port, const std::string& token, const std::string& protocol, const std::string& head)
    : connection_(port) {
  std::string request = "GET /?token=" + token + " HTTP/1.1\r\nHost: 127.0.0.1:" + std::to_string(port) +
                        "\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
                        "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n";
  if (!protocol.empty()) request += "Sec-WebSocket-Protocol: " + protocol + "\r\n";
  connection_.send(request + head + "\r\n");
  std::string answer;
  while (!answer.ends_with("\r\n\r\n")) {
    const std::string byte = connection_.receive(1);
    if (byte.empty()) break;
    answer += byte;
  }
  if (answer.size() > 12) status_ = std::atoi(answer.substr(9, 3).c_str());
}

bool WebClient::send_frame(int opcode, const std::string& payload) const {
  constexpr std::array<char, 4> mask{0x12, 0x34, 0x56, 0x78};
  std::string frame(1, static_cast<char>(0x80 | opcode));
  const std::size_t size = payload.size();
  const int bytes = size < 126 ? 0 : size < 65536 ? 2 : 8;
  frame += static_cast<char>(0x80 | (bytes == 0 ? size : bytes == 2 ? 126U : 127U));
  for (int i = bytes - 1; i >= 0; --i) frame += static_cast<char>(size >> (8 * i) & 0xff);
  frame.append(mask.data(), mask.size());
  for (std::size_t i = 0; i < size; ++i) frame += static_cast<char>(payload[i] ^ mask[i % 4]);
  return connection_.send(frame);
}

std::optional<WebClient::Incoming> WebClient::receive() const {
  const std::string head = connection_.receive(2);
  if (head.size() < 2) return std::nullopt;
  Incoming message{head[0] & 0x0f, {}};
  std::size_t size = static_cast<unsigned char>(head[1]) & 0x7f;
  if (size > 125) {
    const std::string bytes = connection_.receive(size == 126 ? 2 : 8);
    size = 0;
    for (const char byte : bytes) size = size << 8 | static_cast<unsigned char>(byte);
  }
  message.payload = connection_.receive(size);
  if (message.payload.size() < size) return std::nullopt;
  return message;
}

std::string WebClient::text_with(const std::string& word) const {
  while (const auto message = receive()) {
    if (message->opcode == 8) return {};
    if (message->opcode == 1 && message->payload.find(word) != std::string::npos) return message->payload;
  }
  return {};
}

} // namespace hilda::test
