#include "drivers/udp/packet_sender.h"

#include <hilda/per_element.h>

namespace hilda {
namespace {

struct UdpActuator : Block {
  Input<Vector> values{*this, "values", "n", "@u", "What the peer shall do, in SI", actuation};
  Output<Vector> sent{*this, "sent", "n", "@u", "What passed the safety stage"};
  PerElement<Dynamic> resting{*this, "rest", "@u", "What keeps the peer still: one number, or one for each element"};
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
HILDA_PLUGIN(UdpActuator,
             "Sends what moves something as a UDP packet at each sample time, behind the safety stage: the loop starts "
             "and ends at `rest`, and every value keeps the limits. Layout: docs/udp.md.")

} // namespace
} // namespace hilda
