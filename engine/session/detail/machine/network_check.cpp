// SPDX-License-Identifier: BSD-3-Clause
#include "engine/session/machine.h"

#include <cstring>
#include <fmt/format.h>
#include <linux/ethtool.h>
#include <linux/sockios.h>
#include <net/if.h>
#include <optional>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

namespace hilda::session {
namespace {

/// A socket to ask drivers through.
class Asker {
public:
  Asker() : socket_(socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0)) {}
  ~Asker() {
    if (socket_ >= 0) close(socket_);
  }
  Asker(const Asker&) = delete;
  Asker& operator=(const Asker&) = delete;

  bool up(const char* interface) const {
    ifreq request = named(interface);
    return ioctl(socket_, SIOCGIFFLAGS, &request) == 0 && (request.ifr_flags & IFF_UP) != 0 &&
           (request.ifr_flags & IFF_LOOPBACK) == 0;
  }
  /// Fills `answer`, an ethtool structure with its command set; false where the driver does not tell.
  template <typename Answer> bool ask(const char* interface, Answer& answer) const {
    ifreq request = named(interface);
    request.ifr_data = reinterpret_cast<char*>(&answer);
    return ioctl(socket_, SIOCETHTOOL, &request) == 0;
  }

private:
  static ifreq named(const char* interface) {
    ifreq request{};
    std::strncpy(request.ifr_name, interface, IFNAMSIZ - 1);
    return request;
  }
  int socket_;
};

std::optional<MachineFinding> look_at_coalescing(const Asker& asker, const std::string& name) {
  ethtool_coalesce coalescing{};
  coalescing.cmd = ETHTOOL_GCOALESCE;
  if (!asker.ask(name.c_str(), coalescing)) return std::nullopt;
  const bool adaptive = coalescing.use_adaptive_rx_coalesce != 0;
  const bool good = !adaptive && coalescing.rx_coalesce_usecs == 0 && coalescing.rx_max_coalesced_frames <= 1;
  std::string found = fmt::format("interrupts wait up to {} us or {} frames{}", coalescing.rx_coalesce_usecs,
                                  coalescing.rx_max_coalesced_frames, adaptive ? ", adaptive" : "");
  return MachineFinding{good, "network " + name, std::move(found),
                        good ? "" : fmt::format("ethtool -C {} adaptive-rx off rx-usecs 0 rx-frames 1", name)};
}

std::optional<MachineFinding> look_at_offload(const Asker& asker, const std::string& name) {
  ethtool_value gathering{};
  gathering.cmd = ETHTOOL_GGRO;
  if (!asker.ask(name.c_str(), gathering)) return std::nullopt;
  const bool good = gathering.data == 0;
  return MachineFinding{good, "network " + name, good ? "packets are not gathered" : "generic receive offload is on",
                        good ? "" : fmt::format("ethtool -K {} gro off lro off", name)};
}

} // namespace

std::vector<MachineFinding> look_at_network() {
  std::vector<MachineFinding> findings;
  const Asker asker;
  struct if_nameindex* const list = if_nameindex();
  for (const struct if_nameindex* at = list; at != nullptr && at->if_index != 0; ++at) {
    const std::string name = at->if_name;
    if (!asker.up(name.c_str())) continue;
    const auto coalescing = look_at_coalescing(asker, name), offload = look_at_offload(asker, name);
    if (coalescing) findings.push_back(*coalescing);
    if (offload) findings.push_back(*offload);
    if (!coalescing && !offload) findings.push_back({true, "network " + name, "its driver does not tell", ""});
  }
  if (list != nullptr) if_freenameindex(list);
  if (findings.empty()) findings.push_back({true, "network", "no interface is up but for loopback", ""});
  return findings;
}

} // namespace hilda::session
