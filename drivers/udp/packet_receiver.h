// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "drivers/net/datagram_socket.h"
#include "drivers/udp/packet.h"

#include <optional>

namespace hilda::udp {

/// Listens for packets and keeps the newest.
class PacketReceiver {
public:
  explicit PacketReceiver(std::size_t values) : stream_(values) {}
  /// Returns what is wrong, or nothing. Without `peer` anyone may send.
  std::string open(const sockaddr_in& local, const std::optional<in_addr>& peer) {
    peer_ = peer;
    return socket_.bind(local);
  }
  void close() { socket_.close(); }
  bool is_open() const { return socket_.open(); }
  int fd() const { return socket_.fd(); }
  int port() const { return ntohs(socket_.local().sin_port); }

  /// [loop] Reads all that has come, 128 packets at the most, and writes the newest one's values. True: there was one.
  bool drain(double* values) noexcept {
    bool came = false;
    std::int64_t arrival = 0;
    const std::int64_t now = net::now(CLOCK_MONOTONIC);
    for (int batch = 0; batch < most_batches; ++batch) {
      const std::size_t count = packets_.take(socket_);
      for (std::size_t i = 0; i < count; ++i) {
        const sockaddr_in& from = packets_.sender(i);
        if (peer_ && from.sin_addr.s_addr != peer_->s_addr) {
          ++strangers_;
          continue;
        }
        const PacketView packet(packets_.cut(i) ? std::span<const std::uint8_t>{} : packets_[i]);
        if (!stream_.take(packet, std::uint64_t{from.sin_addr.s_addr} << 16 | from.sin_port, now)) continue;
        came = true, arrival = packets_.arrival(i), time_ = packet.time();
        for (std::size_t v = 0; v < packet.count(); ++v) values[v] = packet[v];
      }
      if (count < packets_.capacity) break;
    }
    age_.looked(came, arrival);
    return came;
  }

  const PacketStream& stream() const { return stream_; }
  /// packets of other addresses than `peer`
  std::int64_t strangers() const { return strangers_; }
  double age() const { return age_.value(); } ///< s, of the newest packet at the last drain
  double time() const { return time_; }       ///< s, on the sender's clock

private:
  static constexpr int most_batches = 8;
  net::DatagramSocket socket_;
  net::Datagrams<16, most_bytes> packets_;
  net::PacketAge age_;
  PacketStream stream_;
  std::optional<in_addr> peer_;
  std::int64_t strangers_ = 0;
  double time_ = 0;
};

} // namespace hilda::udp
