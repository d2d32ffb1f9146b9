// SPDX-License-Identifier: BSD-3-Clause
#include "drivers/ati_netft/rdt_server.h"

namespace hilda::netft {

std::string RdtServer::open(const sockaddr_in& local, const net::Faults& faults, std::uint64_t seed,
                            std::optional<in_addr> only) {
  only_ = only;
  counts_ = {}, streaming_ = false, wanted_ = 0, rdt_sequence_ = 0, ft_sequence_ = 0;
  line_.reset();
  line_.set(faults, Generator::mix(seed));
  if (std::string problem = socket_.bind(local); !problem.empty()) return problem;
  port_ = ntohs(socket_.local().sin_port);
  sockaddr_in any_port = local;
  any_port.sin_port = 0;
  return thief_.bind(any_port);
}

void RdtServer::read_requests() noexcept {
  const std::size_t count = packets_.take(socket_);
  for (std::size_t i = 0; i < count; ++i) {
    if (only_ && packets_.sender(i).sin_addr.s_addr != only_->s_addr) {
      ++counts_.foreign;
      continue;
    }
    const std::optional<Request> request = packets_.cut(i) ? std::nullopt : parse_request(packets_[i]);
    if (request) obey(*request, packets_.sender(i));
  }
}

void RdtServer::obey(const Request& request, const sockaddr_in& client) noexcept {
  ++counts_.requests;
  switch (static_cast<Command>(request.command)) {
  case Command::stop: streaming_ = false; break;
  case Command::start_single_block:
  case Command::start_real_time:
  case Command::start_buffered:
  case Command::start_multi_unit: owner_ = client, streaming_ = true, wanted_ = request.count, rdt_sequence_ = 0; break;
  case Command::set_software_bias: ++counts_.tares; break;
  case Command::reset_threshold_latch: break;
  }
}

void RdtServer::steal() noexcept {
  if (streaming_) obey({static_cast<std::uint16_t>(Command::start_real_time), 0}, thief_.local());
}

void RdtServer::send(Record sample, std::int64_t count, double time) noexcept {
  const auto out = [this](std::span<const std::uint8_t> packet) {
    if (!socket_.send_to(owner_, packet)) ++counts_.unsent;
  };
  for (std::int64_t i = 0; i < count; ++i) {
    sample.ft_sequence = ++ft_sequence_;
    if (!streaming_) continue;
    sample.rdt_sequence = ++rdt_sequence_;
    auto packet = encode(sample);
    line_.send(packet, ft_sequence_, time, out);
    ++counts_.sent;
    if (wanted_ > 0 && --wanted_ == 0) streaming_ = false;
  }
  line_.release(time, out);
}

} // namespace hilda::netft
