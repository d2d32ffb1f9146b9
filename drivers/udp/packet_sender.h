// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "drivers/net/datagram_socket.h"
#include "drivers/udp/packet.h"

#include <hilda/block.h>
#include <memory>

namespace hilda::udp {

/// Sends numbered packets to one place.
class PacketSender {
public:
  /// Returns what is wrong, or nothing.
  std::string open(const sockaddr_in& peer) { return socket_.connect(peer); }
  void close() { socket_.close(); }
  /// [loop]
  void send(double time, std::span<const double> values) noexcept {
    if (!socket_.open()) return;
    const std::size_t bytes = encode(++sequence_, time, values, buffer_);
    if (!socket_.send(std::span<const std::uint8_t>(buffer_).first(bytes))) ++unsent_;
  }
  std::int64_t sent() const { return static_cast<std::int64_t>(sequence_) - unsent_; }
  std::int64_t unsent() const { return unsent_; }

private:
  net::DatagramSocket socket_;
  std::array<std::uint8_t, most_bytes> buffer_{};
  std::uint64_t sequence_ = 0;
  std::int64_t unsent_ = 0;
};

/// What the sending blocks share: where to, and the figures afterwards.
struct Sending {
  explicit Sending(Block& block) : block_(block) {}
  Block& block_;
  Parameter<Text> address{block_, "address", "IPv4 address to send to", by_default("127.0.0.1")};
  Parameter<std::int64_t> port{block_, "port", "UDP port to send to", between(1, 65535)};

  void check(const Instance& self, Eigen::Index values) const {
    if (values > static_cast<Eigen::Index>(most_values))
      self.report("values", "a packet holds 180 numbers, not " + std::to_string(values) + "; send them in parts");
  }
  void start(const Instance& self) {
    path_ = self.path();
    sender_ = std::make_unique<PacketSender>();
    const std::optional<sockaddr_in> peer = net::ipv4(*address, *port);
    std::string problem =
        peer ? sender_->open(*peer)
             : "\"" + std::string(*address) + "\" is not an IPv4 address; write one such as 192.168.1.20";
    if (problem.empty()) return;
    self.report("address", problem);
    sender_.reset();
  }
  void stop() {
    if (sender_ != nullptr) sender_->close();
  }
  void send(double time, const double* values, Eigen::Index count) noexcept {
    if (sender_ != nullptr) sender_->send(time, {values, static_cast<std::size_t>(count)});
  }
  void summarize(const Summary& summary) const {
    if (sender_ == nullptr) return;
    summary.number((path_ + ".packets").c_str(), static_cast<double>(sender_->sent()));
    summary.number((path_ + ".unsent").c_str(), static_cast<double>(sender_->unsent()));
  }

private:
  std::unique_ptr<PacketSender> sender_;
  std::string path_;
};

} // namespace hilda::udp
