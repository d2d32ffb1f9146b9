// SPDX-License-Identifier: BSD-3-Clause
#include "drivers/ati_netft/http.h"
#include "drivers/ati_netft/netft_config.h"
#include "drivers/ati_netft/rdt_server.h"

#include <cmath>
#include <hilda/block.h>
#include <limits>
#include <memory>

namespace hilda {
namespace {

/// The box's end of the wire. Requests are read at each tick; records leave at each tick, `rate` of them a second. As
/// with the real box, one client has the stream: the last that asked.
struct NetFtDevice : Block {
  Input<Vector3> force{*this, "force", "N", "On the sensor's tool side, sensor axes", in_update};
  Input<Vector3> torque{*this, "torque", "N m", "About the sensor's origin, sensor axes", in_update, rotational};

  Parameter<Text> address{*this, "address", "IPv4 address to listen at", by_default("127.0.0.1")};
  Parameter<std::int64_t> port{*this, "port", "UDP port of RDT; 0: the system chooses", between(0, 65535),
                               by_default("49152")};
  Parameter<std::int64_t> http_port{*this, "http_port", "TCP port of the page; 0: the system chooses",
                                    between(0, 65535), by_default("8080")};
  Parameter<Text> peer{*this, "peer", "IPv4 address whose requests count; empty: any", by_default("")};
  Parameter<double> rate{*this, "rate", "1/s", "Records a second; 0: one a tick", at_least(0.0), by_default("0")};
  Parameter<double> counts_per_force{*this,         "counts_per_force",   "1", "In `force_unit`; 0 as in an empty box",
                                     at_least(0.0), by_default("1000000")};
  Parameter<double> counts_per_torque{*this,         "counts_per_torque",  "1", "In `torque_unit`",
                                      at_least(0.0), by_default("1000000")};
  Parameter<Text> force_unit{*this, "force_unit", "N, kN, lbf, klbf, kgf or gf", by_default("N")};
  Parameter<Text> torque_unit{*this, "torque_unit", "Nm, Nmm, kNm, lbf-in, lbf-ft or kgf-cm", by_default("Nm")};
  Parameter<bool> streams{*this, "rdt_enabled", "False: the page says that RDT is disabled, and requests get nothing",
                          by_default("true")};

  Parameter<std::uint64_t> fault_seed{*this, "fault_seed", "Chooses which packets suffer", by_default("0")};
  Parameter<double> drop{*this, "drop", "1", "Probability that a record is lost", between(0, 1), by_default("0")};
  Parameter<double> duplicate{*this,         "duplicate",    "1", "Probability that a record is sent twice",
                              between(0, 1), by_default("0")};
  Parameter<double> reorder{*this,         "reorder",      "1", "Probability that a record comes behind the next",
                            between(0, 1), by_default("0")};
  Parameter<double> corrupt{*this,         "corrupt",      "1", "Probability that a bit of a record is turned",
                            between(0, 1), by_default("0")};
  Parameter<double> truncate{*this,         "truncate",     "1", "Probability that a record is cut short",
                             between(0, 1), by_default("0")};
  Parameter<double> delay{*this, "delay", "s", "How long a delayed record is held", at_least(0.0), by_default("0 s")};
  Parameter<double> delay_probability{*this,         "delay_probability", "1", "Probability that a record is delayed",
                                      between(0, 1), by_default("0")};
  Parameter<std::int64_t> error_bit{*this, "error_bit", "Status bit that is set from `error_at` on; -1: none",
                                    between(-1, 31), by_default("-1")};
  Parameter<double> error_at{*this, "error_at", "s", "When", at_least(0.0), by_default("0 s")};
  Parameter<double> disconnect_at{*this, "disconnect_at", "s", "From then on it is silent; below 0: never",
                                  by_default("-1 s")};
  Parameter<double> steal_at{*this, "steal_at", "s", "Then another client takes the stream; below 0: never",
                             by_default("-1 s")};

  Output<bool> streaming{*this, "streaming", "A client has the stream", measurement};
  Output<std::int64_t> requests{*this, "requests", "Requests so far", measurement};
  Output<std::int64_t> tares{*this, "tares", "Requests for a software bias so far", measurement};
  Output<std::int64_t> rdt_port{*this, "rdt_port", "UDP port of RDT", measurement};
  Output<std::int64_t> page_port{*this, "page_port", "TCP port of the page", measurement};

  State<Vector3> force_bias{*this, "force_bias", "N", "Taken as zero"};
  State<Vector3> torque_bias{*this, "torque_bias", "N m", "Taken as zero", rotational};
  State<std::int64_t> tares_done{*this, "tares_done", "Biases taken so far"};

  void configure(const Instance& self) override {
    const std::optional<double> newtons = netft::force_unit(*force_unit), metres = netft::torque_unit(*torque_unit);
    if (!newtons) self.report("force_unit", "no unit of force that the box has; write N, kN, lbf, klbf, kgf or gf");
    if (!metres)
      self.report("torque_unit", "no unit of torque that it has; write Nm, Nmm, kNm, lbf-in, lbf-ft or kgf-cm");
    if (*rate * self.period() > most_per_tick)
      self.report("rate", "more than 64 records in each sample time; lower it, or shorten the sample time");
    config_.counts_per_force = *counts_per_force, config_.counts_per_torque = *counts_per_torque;
    config_.force_unit = *force_unit, config_.torque_unit = *torque_unit;
    config_.newtons = newtons.value_or(1), config_.newton_metres = metres.value_or(1);
    config_.rate = *rate > 0 ? *rate : 1 / self.period();
    config_.streams = *streams;
    config_.status = 0;
  }

  void initialize(const Instance&) override {
    force_bias = Vector3::Zero().eval(), torque_bias = Vector3::Zero().eval(), tares_done = std::int64_t{0};
  }

  void start(const Instance& self) override {
    server_ = std::make_unique<netft::RdtServer>();
    page_ = std::make_unique<netft::PageServer>();
    path_ = self.path(), stolen_ = false;
    if (!listen(self)) stop();
  }
  void stop() override {
    if (server_ != nullptr) server_->close();
    page_.reset();
  }

  void acquire(const Tick& t) override {
    if (!present(t)) return;
    server_->read_requests();
    if (*steal_at >= 0 && t.time() >= *steal_at && !stolen_ && server_->streaming()) server_->steal(), stolen_ = true;
    streaming = server_->streaming();
    requests = server_->counts().requests, tares = server_->counts().tares;
    rdt_port = std::int64_t{server_->port()}, page_port = std::int64_t{page_->port()};
  }

  void update(const Tick&) override {
    if (*tares == *tares_done) return;
    force_bias = *force, torque_bias = *torque;
    tares_done = *tares;
  }

  void emit(const Tick& t) override {
    if (present(t)) server_->send(sample(t), records_in(t), t.time());
  }

  void summarize(const Summary& summary) const override {
    if (server_ == nullptr) return;
    const auto add = [&](const char* key, std::int64_t count) {
      summary.number((path_ + "." + key).c_str(), static_cast<double>(count));
    };
    add("requests", server_->counts().requests);
    add("records", server_->counts().sent);
    add("unsent", server_->counts().unsent);
    add("faults.dropped", server_->faults().dropped);
    add("faults.duplicated", server_->faults().duplicated);
    add("faults.reordered", server_->faults().reordered);
    add("faults.corrupted", server_->faults().corrupted);
    add("faults.truncated", server_->faults().truncated);
    add("faults.delayed", server_->faults().delayed);
  }

private:
  static constexpr double most_per_tick = 64;

  bool listen(const Instance& self) {
    const std::optional<sockaddr_in> records = net::ipv4(*address, *port), pages = net::ipv4(*address, *http_port);
    if (!records || !pages) {
      self.report("address", "\"" + std::string(*address) + "\" is not an IPv4 address; write one such as 127.0.0.1");
      return false;
    }
    const std::optional<sockaddr_in> only = **peer != '\0' ? net::ipv4(*peer, 0) : std::nullopt;
    if (**peer != '\0' && !only) {
      self.report("peer", "\"" + std::string(*peer) + "\" is not an IPv4 address; write one such as 192.168.1.20");
      return false;
    }
    const net::Faults faults{.drop = *drop,
                             .duplicate = *duplicate,
                             .reorder = *reorder,
                             .corrupt = *corrupt,
                             .truncate = *truncate,
                             .delay = *delay,
                             .delay_probability = *delay_probability};
    if (const std::string problem = server_->open(*records, faults, self.seed(*fault_seed),
                                                  only ? std::optional(only->sin_addr) : std::nullopt);
        !problem.empty()) {
      self.report("port", problem + "; end the other program, or choose another `port`");
      return false;
    }
    if (const std::string problem = page_->start(*pages, "/netftapi2.xml", netft::config_page(config_));
        !problem.empty()) {
      self.report("http_port", problem + "; end the other program, or choose another `http_port`");
      return false;
    }
    return true;
  }

  bool present(const Tick& t) const {
    return server_ != nullptr && server_->is_open() && (*disconnect_at < 0 || t.time() < *disconnect_at);
  }

  /// So that after n ticks n * period * rate records have left, rounded down.
  std::int64_t records_in(const Tick& t) const {
    if (*rate == 0) return 1;
    const auto until = [&](std::int64_t tick) {
      return static_cast<std::int64_t>(std::floor(static_cast<double>(tick) * t.period() * *rate + 1e-6));
    };
    return until(t.index() + 1) - until(t.index());
  }

  netft::Record sample(const Tick& t) const {
    netft::Record record;
    const Vector3 f = (*force - *force_bias) * (config_.counts_per_force / config_.newtons);
    const Vector3 m = (*torque - *torque_bias) * (config_.counts_per_torque / config_.newton_metres);
    bool whole = true;
    for (std::size_t i = 0; i < 3; ++i) {
      record.force[i] = counts(f[static_cast<int>(i)], whole);
      record.torque[i] = counts(m[static_cast<int>(i)], whole);
    }
    constexpr std::uint32_t out_of_range = 1u << 30, any_error = 1u << 31;
    if (!whole) record.status |= out_of_range | any_error;
    if (*error_bit >= 0 && t.time() >= *error_at) {
      record.status |= 1u << *error_bit;
      if (netft::worst_error(record.status) != nullptr) record.status |= any_error;
    }
    return record;
  }

  static std::int32_t counts(double value, bool& whole) {
    constexpr double most = std::numeric_limits<std::int32_t>::max();
    if (std::abs(value) <= most) return static_cast<std::int32_t>(std::lround(value));
    whole = false;
    return value > 0 ? static_cast<std::int32_t>(most) : -static_cast<std::int32_t>(most);
  }

  netft::Config config_;
  std::unique_ptr<netft::RdtServer> server_;
  std::unique_ptr<netft::PageServer> page_;
  std::string path_;
  bool stolen_ = false;
};
HILDA_BLOCK(NetFtDevice,
            "The end of the wire where an ATI Net F/T box would be: serves RDT and the page /netftapi2.xml, and sends "
            "its input as records at its sample time. For simulated cells; faults are parameters, and reproducible.")

} // namespace
} // namespace hilda
