// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "tools/modules.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace hilda::cli {

/// An IPv4 address of this machine.
struct OwnAddress {
  std::string interface, address;
  std::uint32_t number = 0, mask = 0; ///< in this machine's byte order
  bool loopback = false;
};

std::vector<OwnAddress> own_addresses();
/// None where the text is not an IPv4 address.
std::optional<std::uint32_t> ipv4_number(const std::string& text);
/// The own address in whose network another one lies, or null.
const OwnAddress* neighbour(const std::vector<OwnAddress>& own, std::uint32_t other);
/// Empty where the UDP port is available, else why not.
std::string udp_port_taken(const std::string& address, int port);
/// The body of http://ADDRESS:PORT/PATH, asked for within `seconds`; none, and why in `problem`.
std::optional<std::string> http_page(const std::string& address, int port, const std::string& path, double seconds,
                                     std::string& problem);

} // namespace hilda::cli
