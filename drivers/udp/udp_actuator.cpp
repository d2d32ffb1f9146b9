// SPDX-License-Identifier: BSD-3-Clause
#include "drivers/udp/packet_sender.h"

#include <hilda/per_element.h>

namespace hilda {
namespace {

struct UdpActuator : Block {
  Input<Vector> values{*this, "values", "n", "@u", "Positions that the peer must take, in SI", actuation};
  Output<Vector> sent{*this, "sent", "n", "@u", "What passed the safety stage"};
  PerElement<Dynamic> resting{*this, "rest", "@u",
                              "Position of the peer at the start: one number, or one for each element"};
  udp::Sending sending{*this};

  void configure(const Instance& self) override {
    sending.check(self, values.size());
    resting.check(self, values.rows(), values.cols());
  }
  void start(const Instance& self) override { sending.start(self); }
  void stop() override { sending.stop(); }
  void output(const Tick&) override { sent = *values; }
  void emit(const Tick& t) override { sending.send(t.time(), (*values).data(), values.size()); }
  bool rest(std::string_view, double* value) const override {
    for (Eigen::Index i = 0; i < values.size(); ++i) value[i] = resting[i];
    return true;
  }
  void summarize(const Summary& summary) const override { sending.summarize(summary); }
};
HILDA_BLOCK(
    UdpActuator,
    "Sends positions (coordinates, angles) that a peer must take as a UDP packet at each sample time, behind the "
    "safety stage: the loop starts at `rest`, and a stop brings the numbers to a standstill where they are. "
    "Velocities go through UdpTwistActuator. Layout: docs/udp.md.")

struct UdpTwistActuator : Block {
  Input<Twist> twist{*this, "twist", "What the peer must do, in SI", actuation};
  Output<Twist> sent{*this, "sent", "What passed the safety stage"};
  udp::Sending sending{*this};

  void start(const Instance& self) override { sending.start(self); }
  void stop() override { sending.stop(); }
  void output(const Tick&) override { sent = *twist; }
  void emit(const Tick& t) override { sending.send(t.time(), twist.data(), 6); }
  bool rest(std::string_view, double* value) const override {
    std::fill_n(value, 6, 0.0);
    return true;
  }
  void summarize(const Summary& summary) const override { sending.summarize(summary); }
};
HILDA_BLOCK(UdpTwistActuator,
            "Sends a twist that a peer must follow as a UDP packet of 6 numbers at each sample time, behind the safety "
            "stage: the loop starts at 0, and a stop brings the twist to 0. Layout: docs/udp.md.")

} // namespace
} // namespace hilda
