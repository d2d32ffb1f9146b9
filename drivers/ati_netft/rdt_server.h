// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "drivers/ati_netft/rdt.h"
#include "drivers/net/datagram_socket.h"
#include "drivers/net/faulty_line.h"

#include <optional>

namespace hilda::netft {

/// The sending end of RDT: one stream, which belongs to the client that asked last.
class RdtServer {
public:
  struct Counts {
    std::int64_t requests = 0; ///< well-formed ones
    std::int64_t tares = 0;    ///< among them those for a software bias
    std::int64_t sent = 0;     ///< records, before faults
    std::int64_t unsent = 0;   ///< that the system did not take
    std::int64_t foreign = 0;  ///< packets of others than `only`
  };

  /// Returns what is wrong, or nothing. `only`: requests of others are ignored and counted.
  std::string open(const sockaddr_in& local, const net::Faults& faults, std::uint64_t seed,
                   std::optional<in_addr> only = std::nullopt);
  void close() { socket_.close(), thief_.close(); }
  bool is_open() const { return socket_.open(); }
  int port() const { return port_; }
  bool streaming() const { return streaming_; }
  const Counts& counts() const { return counts_; }
  const net::FaultyLine<record_bytes>::Counts& faults() const { return line_.counts(); }

  /// [loop] Reads the requests that have come, 64 packets at the most.
  void read_requests() noexcept;
  /// [loop] Another client, of this process and deaf, asks for the stream. Without a stream it does nothing.
  void steal() noexcept;
  /// [loop] Sends the sample as the next `count` records where a client has the stream, and what faults had held.
  void send(Record sample, std::int64_t count, double time) noexcept;

private:
  void obey(const Request& request, const sockaddr_in& client) noexcept;

  net::DatagramSocket socket_, thief_;
  int port_ = 0;
  net::Datagrams<64, request_bytes> packets_;
  net::FaultyLine<record_bytes> line_;
  Counts counts_;
  sockaddr_in owner_{};
  std::optional<in_addr> only_;
  bool streaming_ = false;
  std::int64_t wanted_ = 0; ///< records still to send; 0: without end
  std::uint32_t rdt_sequence_ = 0, ft_sequence_ = 0;
};

} // namespace hilda::netft
