// SPDX-License-Identifier: BSD-3-Clause
#include "drivers/ati_netft/rdt_client.h"

#include <algorithm>
#include <poll.h>

namespace hilda::netft {
namespace {

using Clock = std::chrono::steady_clock;
constexpr auto between_requests = std::chrono::milliseconds(100);

void wait_readable(int fd, Clock::time_point until) {
  const auto left = std::chrono::ceil<std::chrono::milliseconds>(until - Clock::now()).count();
  pollfd poll_this{fd, POLLIN, 0};
  if (left > 0) ::poll(&poll_this, 1, static_cast<int>(std::min<long>(left, 1000)));
}

} // namespace

bool RdtClient::start(Clock::time_point until) {
  while (true) {
    request(Command::start_real_time);
    const Clock::time_point again = std::min(until, Clock::now() + between_requests);
    while (Clock::now() < again) {
      wait_readable(socket_.fd(), again);
      drain();
      if (stream_.fresh()) return true;
    }
    if (Clock::now() >= until) return false;
  }
}

void RdtClient::read_until(Clock::time_point until) {
  while (Clock::now() < until) {
    wait_readable(socket_.fd(), until);
    drain();
  }
}

void RdtClient::drain() noexcept {
  stream_.begin();
  std::int64_t arrival = 0;
  for (int batch = 0; batch < most_batches; ++batch) {
    const std::size_t count = packets_.take(socket_);
    for (std::size_t i = 0; i < count; ++i) {
      // A packet that was cut is longer than a record: an empty one counts the same.
      const auto packet = packets_.cut(i) ? std::span<const std::uint8_t>{} : packets_[i];
      if (stream_.take(packet)) arrival = packets_.arrival(i);
    }
    if (count < packets_.capacity) break;
  }
  age_.looked(stream_.fresh(), arrival);
}

} // namespace hilda::netft
