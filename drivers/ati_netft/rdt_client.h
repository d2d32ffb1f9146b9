// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "drivers/ati_netft/rdt.h"
#include "drivers/net/datagram_socket.h"

#include <chrono>

namespace hilda::netft {

/// The reading end of an RDT stream.
class RdtClient {
public:
  /// Opens the socket. Returns what is wrong, or nothing.
  std::string open(const sockaddr_in& box) { return socket_.connect(box); }
  bool is_open() const { return socket_.open(); }
  void close() { socket_.close(); }

  /// Sends a request; UDP promises nothing about its arrival.
  bool request(Command command, std::uint32_t count = 0) { return socket_.send(encode(command, count)); }
  /// Asks for the endless stream until a record has come. False: none came before `until`. Not in the loop.
  bool start(std::chrono::steady_clock::time_point until);
  /// Reads records until `until`, whatever they are. Not in the loop.
  void read_until(std::chrono::steady_clock::time_point until);

  /// [loop] Reads all that has come, 512 packets at the most: the newest counts.
  void drain() noexcept;

  RecordStream& stream() { return stream_; }
  const RecordStream& stream() const { return stream_; }
  /// s, of the newest record at the last drain
  double age() const { return age_.value(); }

private:
  static constexpr int most_batches = 8;
  net::DatagramSocket socket_;
  net::Datagrams<64, record_bytes> packets_;
  net::PacketAge age_;
  RecordStream stream_;
};

} // namespace hilda::netft
