// SPDX-License-Identifier: BSD-3-Clause
#include "drivers/udp/packet_sender.h"

namespace hilda {
namespace {

struct UdpSink : Block {
  static constexpr std::uint32_t type_flags = HILDA_SINK;
  Input<Vector> values{*this, "values", "n", "@u", "What to send, in SI", in_update};
  udp::Sending sending{*this};

  void configure(const Instance& self) override { sending.check(self, values.size()); }
  void start(const Instance& self) override { sending.start(self); }
  void stop() override { sending.stop(); }
  void emit(const Tick& t) override { sending.send(t.time(), (*values).data(), values.size()); }
  void summarize(const Summary& summary) const override { sending.summarize(summary); }
};
HILDA_BLOCK(UdpSink, "Sends its input as a UDP packet at each sample time, to be looked at: it must move nothing. "
                     "Layout: docs/udp.md. What moves something goes through UdpActuator or UdpTwistActuator.")

} // namespace
} // namespace hilda
