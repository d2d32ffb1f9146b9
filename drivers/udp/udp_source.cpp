// SPDX-License-Identifier: BSD-3-Clause
#include "drivers/udp/packet_receiver.h"

#include <chrono>
#include <hilda/block.h>
#include <hilda/per_element.h>
#include <memory>
#include <poll.h>

namespace hilda {
namespace {

/// Set points, an operator's stop button, another program's sensor. The newest packet at each tick counts.
struct UdpSource : Block {
  Parameter<std::int64_t> size{*this, "size", "Numbers in a packet", between(1, udp::most_values)};
  Parameter<Text> address{*this, "address", "IPv4 address of this machine to listen at; 0.0.0.0: all",
                          by_default("127.0.0.1")};
  Parameter<std::int64_t> port{*this, "port", "UDP port to listen at; 0: the system chooses", between(0, 65535)};
  Parameter<Text> peer{*this, "peer", "IPv4 address whose packets count; empty: any", by_default("")};
  Parameter<double> timeout{*this,         "timeout",          "s", "The run ends after a longer silence; 0: never",
                            at_least(0.0), by_default("0.5 s")};
  Parameter<double> connect_timeout{*this,
                                    "connect_timeout",
                                    "s",
                                    "Wait for the first packet so long; 0: do not",
                                    between(0, 3600),
                                    by_default("0 s")};
  PerElement<Dynamic> initial{*this, "initial", "@u", "Before the first packet: one number, or one for each element",
                              by_default("0")};

  Output<Vector> values{*this, "values", "size", "@u", "Of the newest packet, in SI", measurement};
  Output<bool> stale{*this, "stale", "No packet came since the tick before: all else is held", measurement};
  Output<double> age{*this, "age", "s", "Of the newest packet, by this machine's clocks", measurement};
  Output<std::int64_t> sequence{*this, "sequence", "Its number", measurement};
  Output<double> sender_time{*this, "sender_time", "s", "Its time on the sender's clock", measurement};
  Output<std::int64_t> received{*this, "received", "Packets that counted", measurement};
  Output<std::int64_t> lost{*this, "lost", "Packets that never came", measurement};
  Output<std::int64_t> refused{*this, "refused", "Packets that are none, came too late, or are another sender's",
                               measurement};
  Output<std::int64_t> local_port{*this, "local_port", "UDP port that it listens at", measurement};
  Output<double> silence{*this, "silence", "s", "Since a packet came last, by the ticks"};

  State<double> heard{*this, "heard", "s", "When a packet came last"};

  void configure(const Instance& self) override {
    initial.check(self, *size, 1);
    newest_.resize(static_cast<std::size_t>(*size));
    for (std::size_t i = 0; i < newest_.size(); ++i) newest_[i] = initial[static_cast<Eigen::Index>(i)];
  }

  void start(const Instance& self) override {
    path_ = self.path();
    receiver_ = std::make_unique<udp::PacketReceiver>(newest_.size());
    if (!listen(self) || !wait(self)) receiver_.reset();
  }
  void stop() override {
    if (receiver_ != nullptr) receiver_->close();
  }
  void initialize(const Instance&) override { heard = 0.0; }

  void acquire(const Tick&) override {
    if (receiver_ == nullptr) return;
    stale = !receiver_->drain(newest_.data());
    const udp::PacketStream::Counts& counts = receiver_->stream().counts();
    values = Eigen::Map<const Vector>(newest_.data(), static_cast<Eigen::Index>(newest_.size()));
    age = receiver_->age();
    sequence = static_cast<std::int64_t>(receiver_->stream().sequence());
    sender_time = receiver_->time();
    received = counts.received, lost = counts.lost;
    refused = counts.late + counts.foreign + counts.malformed + receiver_->strangers();
    local_port = std::int64_t{port_};
  }

  void output(const Tick& t) override {
    silence = *stale ? t.time() - *heard : 0.0;
    if (*timeout > 0 && *silence > *timeout) t.fail("no packet came for longer than `timeout`", *silence);
  }
  void update(const Tick& t) override {
    if (!*stale) heard = t.time();
  }

  void summarize(const Summary& summary) const override {
    if (receiver_ == nullptr) return;
    const udp::PacketStream::Counts& counts = receiver_->stream().counts();
    const auto add = [&](const char* key, std::int64_t count) {
      summary.number((path_ + "." + key).c_str(), static_cast<double>(count));
    };
    add("packets", counts.received);
    add("lost", counts.lost);
    add("late", counts.late);
    add("foreign", counts.foreign + receiver_->strangers());
    add("malformed", counts.malformed);
  }

private:
  bool listen(const Instance& self) {
    const std::optional<sockaddr_in> local = net::ipv4(*address, *port);
    if (!local) {
      self.report("address", "\"" + std::string(*address) + "\" is not an IPv4 address; write one such as 127.0.0.1");
      return false;
    }
    std::optional<in_addr> only;
    if (**peer != '\0') {
      const std::optional<sockaddr_in> sender = net::ipv4(*peer, 0);
      if (!sender) {
        self.report("peer", "\"" + std::string(*peer) + "\" is not an IPv4 address; write one such as 192.168.1.20");
        return false;
      }
      only = sender->sin_addr;
    }
    if (const std::string problem = receiver_->open(*local, only); !problem.empty()) {
      self.report("port", problem + "; end the other program, or choose another `port`");
      return false;
    }
    port_ = receiver_->port();
    return true;
  }

  bool wait(const Instance& self) {
    using Clock = std::chrono::steady_clock;
    if (*connect_timeout == 0) return true;
    const Clock::time_point until =
        Clock::now() + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(*connect_timeout));
    while (Clock::now() < until) {
      pollfd look{receiver_->fd(), POLLIN, 0};
      const auto left = std::chrono::ceil<std::chrono::milliseconds>(until - Clock::now()).count();
      if (::poll(&look, 1, static_cast<int>(left)) > 0 && receiver_->drain(newest_.data())) return true;
    }
    const std::int64_t others = receiver_->stream().counts().malformed + receiver_->strangers();
    self.report("port", "no packet of " + std::to_string(*size) + " numbers came to " + std::string(*address) + ":" +
                            std::to_string(port_) + " within `connect_timeout`" +
                            (others > 0 ? ", though " + std::to_string(others) + " others did" : std::string()) +
                            "; start the sender first, and compare its layout with docs/udp.md");
    return false;
  }

  std::unique_ptr<udp::PacketReceiver> receiver_;
  std::vector<double> newest_;
  int port_ = 0;
  std::string path_;
};
HILDA_BLOCK(UdpSource,
            "Numbers from another program: listens for UDP packets and gives the newest at each tick. Layout: "
            "docs/udp.md. The run fails after a silence longer than `timeout`, so that it can carry a stop button.")

} // namespace
} // namespace hilda
