// SPDX-License-Identifier: BSD-3-Clause
#include "drivers/ati_netft/http.h"
#include "drivers/ati_netft/netft_config.h"
#include "drivers/ati_netft/rdt_client.h"
#include "drivers/ati_netft/sole_reader.h"

#include <cmath>
#include <hilda/block.h>
#include <limits>
#include <memory>

namespace hilda {
namespace {

using netft::Command;
using netft::RdtClient;
using SteadyClock = std::chrono::steady_clock;

/// Records that say the same before it counts as stuck: few of them may agree by chance.
constexpr std::int64_t fewest_equal = 20;

/// The reading end. start() asks the box over HTTP what its counts mean and starts the stream; each tick takes the
/// newest record. Protocol: rdt.h; page: netft_config.h; both as in docs/ati_netft.md.

struct NetFt : Block {
  enum class Tare { off, on };

  Parameter<Text> address{*this, "address", "IPv4 address of the box", by_default("192.168.1.1")};
  Parameter<std::int64_t> port{*this, "port", "UDP port of the box's RDT", between(1, 65535), by_default("49152")};
  Parameter<std::int64_t> http_port{*this, "http_port",
                                    "TCP port of the box's pages; 0: none is asked, and counts and units are given",
                                    between(0, 65535), by_default("80")};
  Parameter<double> counts_per_force{*this,         "counts_per_force",
                                     "1",           "Where the box's page does not say: counts per unit of force",
                                     at_least(0.0), by_default("0")};
  Parameter<double> counts_per_torque{*this,         "counts_per_torque",
                                      "1",           "Where the box's page does not say: counts per unit of torque",
                                      at_least(0.0), by_default("0")};
  Parameter<Text> force_unit{*this, "force_unit", "Where the box's page does not say: N, lbf, kgf, ...",
                             by_default("")};
  Parameter<Text> torque_unit{*this, "torque_unit", "Where the box's page does not say: Nm, lbf-in, kgf-cm, ...",
                              by_default("")};
  Parameter<double> rate{*this,         "rate",         "1/s", "Records a second that the box must be set to; 0: any",
                         at_least(0.0), by_default("0")};
  Parameter<double> timeout{*this,      "timeout",          "s", "The run ends where no record comes for longer",
                            above(0.0), by_default("50 ms")};
  Parameter<double> stuck_after{*this,
                                "stuck_after",
                                "s",
                                "The run ends where all six numbers stay the same for longer while records come; 0: "
                                "not watched",
                                at_least(0.0),
                                by_default("0 s")};
  Parameter<double> connect_timeout{*this,
                                    "connect_timeout",
                                    "s",
                                    "For the configuration, and again for the first record",
                                    between(0.01, 60),
                                    by_default("3 s")};
  Parameter<double> force_range{
      *this, "force_range", "N", "Larger forces are not measurements; 0: not checked", at_least(0.0), by_default("0")};
  Parameter<double> torque_range{*this,         "torque_range",  "N m",     "Larger torques are none; 0: not checked",
                                 at_least(0.0), by_default("0"), rotational};
  Parameter<Tare> tare{*this, "tare", "on: the box takes the wrench at the start as zero from then on",
                       by_default("off")};

  Output<Vector3> force{*this, "force", "N", "On the sensor's tool side, sensor axes", measurement};
  Output<Vector3> torque{*this, "torque", "N m", "About the sensor's origin, sensor axes", measurement, rotational};
  Output<std::uint64_t> status{*this, "status", "The box's status bits", measurement};
  Output<std::int64_t> rdt_sequence{*this, "rdt_sequence", "Number of the record in the stream", measurement};
  Output<std::int64_t> ft_sequence{*this, "ft_sequence", "Number of the sample in the box", measurement};
  Output<bool> stale{*this, "stale", "No record came since the tick before: all else is held", measurement};
  Output<double> age{*this, "age", "s", "Of the record, by this machine's clocks", measurement};
  Output<std::int64_t> dropped{*this, "dropped", "Records passed over, since a newer one had come", measurement};
  Output<std::int64_t> gaps{*this, "gaps", "Records that never came", measurement};
  Output<std::int64_t> disordered{*this, "disordered", "Records that came twice or behind a newer one", measurement};
  Output<std::int64_t> malformed{*this, "malformed", "Packets that are not records, and records out of range",
                                 measurement};
  Output<double> resolution{*this, "resolution", "N", "Of the force: one count", measurement};
  Output<bool> tared{*this, "tared", "The box was commanded to take the wrench at the start as zero", measurement};
  Output<double> silence{*this, "silence", "s", "Since a record came last, by the ticks"};

  State<double> heard{*this, "heard", "s", "When a record came last"};
  State<double> changed{*this, "changed", "s", "When one of the six numbers was another one last"};
  State<std::int64_t> equal{*this, "equal", "Records since then, one a tick"};
  State<Vector3> force_before{*this, "force_before", "N", "Of the last record"};
  State<Vector3> torque_before{*this, "torque_before", "N m", "Of the last record", rotational};

  void start(const Instance& self) override {
    client_ = std::make_unique<RdtClient>();
    path_ = self.path();
    tare_done_ = false;
    if (configure_from_box(self) && start_stream(self)) return;
    client_.reset();
    sole_reader_.give_back();
  }
  void stop() override {
    if (client_ != nullptr) client_->request(Command::stop);
    if (client_ != nullptr) client_->close();
    sole_reader_.give_back();
  }

  void initialize(const Instance&) override {
    heard = changed = 0.0;
    equal = 0;
    force_before = torque_before = Vector3::Zero();
  }

  void acquire(const Tick&) override {
    if (client_ == nullptr) return;
    client_->drain();
    const netft::RecordStream& stream = client_->stream();
    const netft::Record& record = stream.newest();
    const netft::RecordStream::Counts& counts = stream.counts();
    force = newtons_ * Vector3(record.force[0], record.force[1], record.force[2]);
    torque = newton_metres_ * Vector3(record.torque[0], record.torque[1], record.torque[2]);
    status = std::uint64_t{record.status};
    rdt_sequence = std::int64_t{record.rdt_sequence};
    ft_sequence = std::int64_t{record.ft_sequence};
    stale = !stream.fresh();
    resolution = newtons_;
    age = client_->age();
    dropped = counts.dropped, gaps = counts.gaps, disordered = counts.disordered;
    malformed = counts.malformed + counts.implausible;
    tared = tare_done_;
  }

  void output(const Tick& t) override {
    silence = *stale ? t.time() - *heard : 0.0;
    if (const netft::StatusBit* error = netft::worst_error(static_cast<std::uint32_t>(*status)))
      t.fail(error->failure, static_cast<double>(*status));
    if (*silence > *timeout)
      t.fail("no record from the sensor for longer than `timeout`: it is cut off, or another client took its stream",
             *silence);
  }

  void update(const Tick& t) override {
    if (*stale) return;
    heard = t.time();
    watch_for_noise(t);
  }

  /// Gauges are never still to the last count: whatever repeats itself is not a measurement.
  void watch_for_noise(const Tick& t) {
    const bool same = *force == *force_before && *torque == *torque_before;
    force_before = *force, torque_before = *torque;
    equal = same ? *equal + 1 : 0;
    if (!same) changed = t.time();
    const double still = t.time() - *changed;
    if (*stuck_after > 0 && still > *stuck_after && *equal >= fewest_equal)
      t.fail("the sensor's numbers stay the same to the last count for longer than `stuck_after`, while its records "
             "continue: it is stuck (s)",
             still);
  }

  void summarize(const Summary& summary) const override {
    if (client_ == nullptr) return;
    const netft::RecordStream::Counts& counts = client_->stream().counts();
    const auto key = [this](const char* name) { return path_ + "." + name; };
    const auto add = [&](const char* name, std::int64_t count) {
      summary.number(key(name).c_str(), static_cast<double>(count));
    };
    add("records", counts.received);
    add("dropped", counts.dropped);
    add("gaps", counts.gaps);
    add("disordered", counts.disordered);
    add("malformed", counts.malformed);
    add("implausible", counts.implausible);
    add("resumed", counts.resumed);
    summary.text(key("configuration").c_str(), configuration_.c_str());
    summary.text(key("status").c_str(), netft::status_text(client_->stream().newest().status).c_str());
    summary.text(key("tare").c_str(), tare_done_ ? "the box took the wrench at the start as zero" : "none");
    if (!tare_done_) return;
    const char* const axes[] = {".x", ".y", ".z"};
    for (int i = 0; i < 3; ++i) {
      summary.number((key("before_tare.force") + axes[i]).c_str(), force_before_tare_[i], "N");
      summary.number((key("before_tare.torque") + axes[i]).c_str(), torque_before_tare_[i], "N m");
    }
  }

private:
  SteadyClock::time_point deadline() const {
    return SteadyClock::now() +
           std::chrono::duration_cast<SteadyClock::duration>(std::chrono::duration<double>(*connect_timeout));
  }

  bool configure_from_box(const Instance& self) {
    const netft::GivenConfig given{.counts_per_force = *counts_per_force,
                                   .counts_per_torque = *counts_per_torque,
                                   .force_unit = std::string(*force_unit),
                                   .torque_unit = std::string(*torque_unit)};
    const std::optional<sockaddr_in> pages = net::ipv4(*address, *http_port);
    if (!pages) {
      self.report("address", "\"" + std::string(*address) + "\" is not an IPv4 address; write one such as 192.168.1.1");
      return false;
    }
    std::string problem;
    if (*http_port == 0) {
      if (const auto config = netft::parse_config("", problem, given)) return accept(self, *config);
      self.report("http_port", "no page of the box is asked (`http_port` is 0), so counts_per_force, "
                               "counts_per_torque, force_unit and torque_unit are all needed: " +
                                   problem);
      return false;
    }
    const std::string place = "http://" + net::text(*pages) + "/netftapi2.xml";
    const netft::Page page = netft::get_page(*pages, "/netftapi2.xml", deadline());
    if (!page.problem.empty()) {
      self.report("http_port", "no configuration from " + place + ": " + page.problem +
                                   "; open that page in a browser on this machine, and check address and power. A "
                                   "box without such a page: http_port=\"0\", and counts and units as parameters");
      return false;
    }
    const std::optional<netft::Config> config = netft::parse_config(page.body, problem, given);
    if (!config) {
      self.report("http_port", "what counts mean is not known from " + place + ": " + problem +
                                   "; or choose a calibration on the box's page Configurations");
      return false;
    }
    return accept(self, *config);
  }

  bool accept(const Instance& self, const netft::Config& config) {
    if (!config.streams) {
      self.report("address", "the box's RDT interface is disabled; enable it on its page Communications");
      return false;
    }
    if (*rate > 0 && config.rate && std::abs(*config.rate - *rate) > 1e-6 * *rate) {
      self.report("rate", "the box sends " + netft::decimal(*config.rate) + " records a second, the diagram says " +
                              netft::decimal(*rate) + "; set the RDT output rate on the box's page Communications, " +
                              "or change `rate`");
      return false;
    }
    if (config.status && !free_of_errors(self, static_cast<std::uint32_t>(*config.status))) return false;
    newtons_ = config.newtons / config.counts_per_force;
    newton_metres_ = config.newton_metres / config.counts_per_torque;
    const double free = std::numeric_limits<double>::infinity();
    client_->stream().set_limits(
        {*force_range > 0 ? *force_range / newtons_ : free, *torque_range > 0 ? *torque_range / newton_metres_ : free});
    configuration_ = netft::decimal(config.counts_per_force) + " counts per " + config.force_unit + ", " +
                     netft::decimal(config.counts_per_torque) + " counts per " + config.torque_unit;
    return true;
  }

  bool free_of_errors(const Instance& self, std::uint32_t bits) const {
    if (netft::worst_error(bits) == nullptr) return true;
    self.report("address", "the sensor reports an error before the start: " + netft::status_text(bits) +
                               "; unload it, check its cable, and look at the box's page Status");
    return false;
  }

  bool start_stream(const Instance& self) {
    const sockaddr_in box = *net::ipv4(*address, *port);
    if (!sole_reader_.take(box)) {
      self.report("address", "another run on this machine reads from " + net::text(box) +
                                 ", and the box sends to one reader alone; end that run first");
      return false;
    }
    if (const std::string problem = client_->open(box); !problem.empty()) {
      self.report("address", problem);
      return false;
    }
    if (!client_->start(deadline())) {
      const netft::RecordStream::Counts& counts = client_->stream().counts();
      const std::int64_t others = counts.malformed + counts.implausible;
      self.report("port", "no record from " + net::text(box) + " within `connect_timeout`" +
                              (others > 0 ? ", though " + std::to_string(others) +
                                                " packets came that are not records or out of range"
                                          : std::string()) +
                              "; is this the box's RDT port, and is there no firewall between?");
      return false;
    }
    if (!free_of_errors(self, client_->stream().newest().status)) return false;
    if (*tare == Tare::on && !take_tare(self)) return false;
    client_->stream().reset_counts();
    return true;
  }

  /// Software bias, with the wrench before it kept for the summary.
  bool take_tare(const Instance& self) {
    const netft::Record before = client_->stream().newest();
    for (std::size_t i = 0; i < 3; ++i) {
      force_before_tare_[static_cast<int>(i)] = newtons_ * before.force[i];
      torque_before_tare_[static_cast<int>(i)] = newton_metres_ * before.torque[i];
    }
    client_->request(Command::set_software_bias);
    // The box is busy for some samples; then they are right.
    const SteadyClock::time_point until = deadline();
    const auto settling = std::chrono::milliseconds(100);
    do client_->read_until(std::min(until, SteadyClock::now() + settling));
    while (netft::worst_error(client_->stream().newest().status) != nullptr && SteadyClock::now() < until);
    tare_done_ = free_of_errors(self, client_->stream().newest().status);
    return tare_done_;
  }

  std::unique_ptr<RdtClient> client_;
  netft::SoleReader sole_reader_;
  std::string path_;
  double newtons_ = 0, newton_metres_ = 0; ///< of a count
  std::string configuration_;
  bool tare_done_ = false;
  Vector3 force_before_tare_ = Vector3::Zero(), torque_before_tare_ = Vector3::Zero();
};
HILDA_BLOCK(NetFt,
            "An ATI Net F/T or FTN-Axia sensor: starts its RDT stream and takes the newest record at each tick. Units "
            "and counts come from the box's page /netftapi2.xml. Force and torque are in sensor axes, about the "
            "sensor's origin. The run fails where the box reports an error, or no record comes for `timeout`.")

} // namespace
} // namespace hilda
