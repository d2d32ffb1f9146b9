// SPDX-License-Identifier: BSD-3-Clause
#include "drivers/kuka_rsi/corrected_robot.h"
#include "drivers/kuka_rsi/telegram_writer.h"
#include "drivers/net/datagram_socket.h"
#include "drivers/net/faulty_line.h"

#include <hilda/random.h>

#include <hilda/block.h>

namespace {
using namespace hilda;
using namespace hilda::kuka;

constexpr std::int64_t first_ipoc = 1'000'000;

Six six(const Vector6& v) { return {v[0], v[1], v[2], v[3], v[4], v[5]}; }
Vector6 vector(const Six& v) { return Eigen::Map<const Vector6>(v.data()); }

/// NaN instead of the first coordinate's number.
void spoil_number(std::span<std::uint8_t> packet) {
  constexpr std::string_view before = " X=\"", number = "NaN";
  const auto at = std::search(packet.begin(), packet.end(), before.begin(), before.end());
  if (packet.end() - at < static_cast<std::ptrdiff_t>(before.size() + number.size())) return;
  std::copy(number.begin(), number.end(), at + static_cast<std::ptrdiff_t>(before.size()));
}

struct RsiController : Block {
  enum class LateAnswers { in_total, in_a_row };

  enum Reason : std::int64_t { runs, timed_out, monitor, braked, ended };

  Input<Pose> pose{*this, "pose", "Actual, from the plant; without it the robot is where it is commanded to be",
                   in_update, optional};
  Input<Vector6> joints{*this, "joints", "rad", "Actual A1 to A6, from the plant; the same", in_update, optional};

  Output<bool> answered{*this, "answered", "The last telegram was answered in time", measurement};
  Output<std::int64_t> present{*this, "present",
                               "Which corrections the answer held: bits 0 to 5 X to C, 6 to 11 A1 to A6", measurement};
  Output<Vector6> answer{*this, "answer", "", "Corrections X Y Z (mm) A B C (deg) of the answer", measurement};
  Output<Vector6> axis_answer{*this, "axis_answer", "", "Corrections A1 to A6 (deg) of the answer", measurement};
  Output<bool> asked_to_end{*this, "asked_to_end", "The answer set the stop channel", measurement};
  Output<std::int64_t> rejected{*this, "rejected", "Answers that were not telegrams, or of another IPOC", measurement};
  Output<Pose> command_pose{*this, "command_pose", "What the plant must follow: the start pose and the corrections"};
  Output<Vector6> command_joints{*this, "command_joints", "rad",
                                 "The same for A1 to A6, on top of the pose's correction"};
  Output<std::int64_t> delay{*this, "delay", "Answers that did not come in time"};
  Output<bool> stopped{*this, "stopped", "The robot does not follow any more"};
  Output<std::int64_t> reason{*this, "reason",
                              "0: it follows; 1: time-out (KSS29002); 2: correction monitor; 3: brakes; 4: the PC "
                              "ended it"};

  Parameter<Path> ethernet{*this, "ethernet", "The ethernet file that the PC reads too"};
  Parameter<Text> address{*this, "address", "Of the PC; empty: IP_NUMBER of the file", by_default("")};
  Parameter<std::int64_t> port{*this, "port", "UDP port of the PC; 0: PORT of the file", between(0, 65535),
                               by_default("0")};
  Parameter<double> cycle{*this,      "cycle",           "s", "IPO_FAST: 4 ms; IPO: 12 ms; the block's sample time",
                          above(0.0), by_default("4 ms")};
  Parameter<CorrectionKind> correction{*this, "correction", "As in RSI_ON", by_default("absolute")};
  Parameter<CorrectionFrame> frame{*this, "frame", "RefCorrSys of POSCORR: axes in which RKorr counts",
                                   by_default("base")};
  Parameter<Vector3> start_position{*this, "start_position", "m", "Of the tool at RSI_ON, robot base frame"};
  Parameter<Quaternion> start_orientation{*this, "start_orientation", "Of the tool at RSI_ON, w x y z",
                                          by_default("1 0 0 0")};
  Parameter<Vector6> start_joints{*this, "start_joints", "rad", "A1 to A6 at RSI_ON", by_default("0 0 0 0 0 0")};
  Parameter<std::int64_t> timeout_cycles{*this, "timeout_cycles", "Late answers at which RSI stops", at_least(1.0),
                                         by_default("10")};
  Parameter<LateAnswers> late_answers{*this, "late_answers", "How Delay counts", by_default("in_total")};
  Parameter<bool> wait_for_pc{*this, "wait_for_pc",
                              "Late answers count from the first answer on: RSI_ON is when the PC is there",
                              by_default("true")};
  Parameter<double> translation_limit{*this,      "translation_limit", "m", "Monitor of X, Y and Z",
                                      above(0.0), by_default("5 mm")};
  Parameter<double> rotation_limit{*this,      "rotation_limit",   "rad", "Monitor of A, B and C",
                                   above(0.0), by_default("5 deg")};
  Parameter<double> axis_limit{*this, "axis_limit", "rad", "Monitor of A1 to A6", above(0.0), by_default("5 deg")};
  Parameter<Text> status{*this, "status", "TAG of an element of SEND that says `stopped`; empty: none", by_default("")};

  Parameter<Text> stop_channel{*this, "stop_channel", "TAG of an element of RECEIVE that ends RSI; empty: none",
                               by_default("")};

  Parameter<std::uint64_t> fault_seed{*this, "fault_seed", "Of all faults", by_default("0")};
  Parameter<double> drop{*this, "drop", "", "Probability a telegram", between(0, 1), by_default("0")};
  Parameter<double> duplicate{*this, "duplicate", "", "Probability a telegram", between(0, 1), by_default("0")};
  Parameter<double> reorder{*this,         "reorder",      "", "Probability that a telegram comes behind the next",
                            between(0, 1), by_default("0")};
  Parameter<double> corrupt{*this,         "corrupt",      "", "Probability that bits of a telegram are flipped",
                            between(0, 1), by_default("0")};
  Parameter<double> truncate{*this,         "truncate",     "", "Probability that a telegram is cut short",
                             between(0, 1), by_default("0")};
  Parameter<double> not_a_number{*this, "nan", "", "Probability that RIst holds a NaN", between(0, 1), by_default("0")};
  Parameter<double> packet_delay{
      *this, "packet_delay", "s", "By which a telegram comes late, in whole cycles", at_least(0.0), by_default("0 s")};
  Parameter<double> delay_probability{*this,         "delay_probability", "", "Probability that it does",
                                      between(0, 1), by_default("0")};
  Parameter<double> late_reply{*this,         "late_reply",   "", "Probability that an answer is taken for too late",
                               between(0, 1), by_default("0")};
  Parameter<double> ipoc_jump{
      *this, "ipoc_jump", "", "Probability that IPOC leaps forward by 2 to 100 cycles", between(0, 1), by_default("0")};
  Parameter<double> disconnect_at{*this, "disconnect_at", "s", "The cable is pulled; negative: never",
                                  by_default("-1 s")};
  Parameter<double> steal_at{*this, "steal_at", "s",
                             "From then on a second sender's telegrams come too; negative: never", by_default("-1 s")};
  Parameter<double> brake_at{*this, "brake_at", "s", "The robot brakes and follows no more; negative: never",
                             by_default("-1 s")};

  State<Pose> commanded{*this, "commanded", "As of the last cycle"};
  State<Vector6> commanded_joints{*this, "commanded_joints", "rad", "As of the last cycle"};
  State<Vector6> held{*this, "held", "", "Corrections in force, mm and deg"};
  State<Vector6> sum{*this, "sum", "", "Corrections so far, mm and deg"};
  State<Vector6> axis_held{*this, "axis_held", "", "The same of the axes, deg"};
  State<Vector6> axis_sum{*this, "axis_sum", "", "The same of the axes, deg"};
  State<std::int64_t> late{*this, "late", "Answers that did not come in time"};
  State<std::int64_t> why{*this, "why", "The reason, as of the last cycle"};
  State<bool> met{*this, "met", "An answer came"};
  State<std::int64_t> ipoc{*this, "ipoc", "Of the next telegram"};

  void configure(const Instance& self) override {
    std::vector<std::string> problems;
    file_ = read_ethernet_file(*ethernet, problems);
    const std::string name = std::string(*ethernet).substr(std::string(*ethernet).rfind('/') + 1);
    cartesian_ = find_corrections(file_, Space::cartesian), axes_ = find_corrections(file_, Space::axis);
    if (problems.empty() && !cartesian_.complete() && !axes_.complete())
      problems.emplace_back(
          "RECEIVE has neither RKorr.X to RKorr.C nor AKorr.A1 to AKorr.A6 (or AK): nothing could be corrected");
    for (const std::string& problem : problems) self.report("ethernet", name + ": " + problem);
    stop_ = -1;
    if (problems.empty() && **stop_channel != '\0' && (stop_ = file_.received(*stop_channel)) < 0)
      self.report("stop_channel", std::string("RECEIVE of ") + name + " has no element \"" + *stop_channel + "\"");
    status_ = nullptr;
    if (problems.empty() && **status != '\0') {
      status_ = file_.sent(*status);
      if (status_ == nullptr || status_->internal || status_->type == ChannelType::text)
        self.report("status", std::string("SEND of ") + name + " has no element \"" + *status +
                                  "\" of TYPE BOOL, LONG or DOUBLE");
    }
    if (std::fabs(self.period() - *cycle) > 1e-9)
      self.report("cycle", "is " + std::to_string(*cycle * 1e3) + " ms, but the block runs every " +
                               std::to_string(self.period() * 1e3) + " ms; give the block sample_time=\"" +
                               std::to_string(*cycle * 1e3) + " ms\"");
    faults_.reset();
  }

  void prepare(const Instance& self) override {
    rules_ = rules(cartesian_, *translation_limit * 1e3, *rotation_limit);
    axis_rules_ = rules(axes_, *axis_limit * 180 / M_PI, *axis_limit);
    seed_ = Generator::mix(self.seed(*fault_seed));
    faults_.set({.drop = *drop,
                 .duplicate = *duplicate,
                 .reorder = *reorder,
                 .corrupt = *corrupt,
                 .truncate = *truncate,
                 .delay = std::ceil(*packet_delay / *cycle - 1e-9),
                 .delay_probability = *delay_probability,
                 .spoil = *not_a_number,
                 .most_bits = 8},
                seed_);
    step_ = std::max<std::int64_t>(1, std::llround(*cycle * 1e3));
  }

  void initialize(const Instance&) override {
    Pose start;
    start.position = *start_position;
    start.orientation = (*start_orientation).normalized();
    commanded = start;
    commanded_joints = *start_joints;
    ipoc = first_ipoc;
  }

  void start(const Instance& self) override {
    const std::string where = **address != '\0' ? *address : file_.address;
    sent_ipoc_ = -1, rejections_ = 0;
    const std::optional<sockaddr_in> pc = net::ipv4(where.c_str(), *port != 0 ? *port : file_.port);
    if (!pc) return self.report("address", "\"" + where + "\" is not an IPv4 address; write the PC's");
    std::string problem = socket_.connect(*pc);
    if (problem.empty() && *steal_at >= 0) problem = thief_.connect(*pc);
    if (!problem.empty()) self.report("address", problem);
  }
  void stop() override {
    socket_.close();
    thief_.close();
  }

  void acquire(const Tick& t) override {
    SensorTelegram telegram, newest;
    net::Datagram datagram;
    bool in_time = false;
    while (socket_.receive(buffer_, datagram) == net::Received::datagram) {
      const Reading reading = read_sensor_telegram({buffer_.data(), datagram.size}, file_, telegram);
      const bool fits = reading.verdict == Reading::Verdict::sound && telegram.ipoc == sent_ipoc_ && !in_time;
      if (!fits) {
        ++rejections_;
        why_rejected_ =
            reading.verdict != Reading::Verdict::sound ? reading.why : "its IPOC is not that of the last telegram";
        continue;
      }
      in_time = !cut_off(t) && !draw(t, 1, *late_reply);
      if (in_time) newest = telegram;
    }
    answered = in_time;
    present = in_time ? static_cast<std::int64_t>(mask(newest, cartesian_) | mask(newest, axes_) << 6) : 0;
    asked_to_end = in_time && stop_ >= 0 && newest.value[static_cast<std::size_t>(stop_)] != 0;
    answer = pick(newest, cartesian_);
    axis_answer = pick(newest, axes_);
    rejected = rejections_;
  }

  void output(const Tick& t) override {
    const Cycle now = cycle_of(t);
    command_pose = now.pose;
    command_joints = now.joints;
    delay = now.late;
    reason = now.why;
    stopped = now.why != runs;
  }

  void emit(const Tick& t) override {
    // After its end, a time-out or a monitor's stop RSI is off; while braking it continues.
    if (cut_off(t) || over(*reason)) return;
    RobotTelegram telegram;
    telegram.setpoint.value = wire_from_pose(*command_pose);
    telegram.pose.value = pose.connected() ? wire_from_pose(*pose) : telegram.setpoint.value;
    telegram.joint_setpoints.value = degrees_from_radians(*command_joints);
    telegram.joints.value = joints.connected() ? degrees_from_radians(*joints) : telegram.joint_setpoints.value;
    telegram.delay = *delay;
    telegram.status = *stopped ? 1 : 0;
    telegram.ipoc = sent_ipoc_ = *ipoc;
    const std::size_t size = write_robot_telegram(file_, status_, telegram, buffer_);
    const auto number = static_cast<double>(t.index()); // packets are held for so many cycles
    const auto out = [&](std::span<const std::uint8_t> bytes) { socket_.send(bytes); };
    if (size > 0)
      faults_.send(net::mutable_bytes(std::span(buffer_).first(size)), t.index(), number, out, spoil_number);
    faults_.release(number, out);
    if (*steal_at >= 0 && t.time() >= *steal_at) steal(telegram);
  }

  void update(const Tick& t) override {
    const Cycle now = cycle_of(t);
    commanded = now.pose, commanded_joints = now.joints;
    held = vector(now.held.value), sum = vector(now.held.sum);
    axis_held = vector(now.axis_held.value), axis_sum = vector(now.axis_held.sum);
    late = now.late, why = now.why, met = now.met;
    ipoc = *ipoc + step_ * (draw(t, 2, *ipoc_jump) ? 2 + static_cast<std::int64_t>(bits(t, 3) % 99) : 1);
  }

  void summarize(const Summary& s) const override {
    s.number("delay", static_cast<double>(*late));
    s.number("rejected", static_cast<double>(*rejected));
    if (why_rejected_ != nullptr) s.text("last_rejection", why_rejected_);
    static constexpr const char* reasons[] = {"none", "time-out", "correction monitor", "brakes", "ended by the PC"};
    s.text("stopped", reasons[static_cast<std::size_t>(*why)]);
  }

private:
  struct Cycle {
    Pose pose;
    Vector6 joints;
    HeldCorrection held, axis_held;
    std::int64_t late, why;
    bool met;
  };

  static bool over(std::int64_t why) { return why == timed_out || why == monitor || why == ended; }

  /// What this cycle brings, from the last one's state and this one's answer. POSCORR comes before AXISCORR.
  Cycle cycle_of(const Tick& t) const {
    Cycle now{.pose = *commanded,
              .joints = *commanded_joints,
              .held = {six(*held), six(*sum)},
              .axis_held = {six(*axis_held), six(*axis_sum)},
              .late = *late,
              .why = *why,
              .met = *met};
    const bool was_sent = t.index() > 0;
    now.met = now.met || *answered;
    if (over(now.why)) return now;
    if (*asked_to_end) return now.why = ended, now;
    if (*answered && *late_answers == LateAnswers::in_a_row) now.late = 0;
    if (!*answered && was_sent && (now.met || !*wait_for_pc)) ++now.late;
    if (now.late >= *timeout_cycles) return now.why = timed_out, now;
    if (*brake_at >= 0 && t.time() >= *brake_at) return now.why = braked, now;
    if (!now.met) return now;
    const auto came = static_cast<unsigned>(*present);
    const bool pose_within = now.held.take(six(*answer), came & 0x3Fu, rules_);
    const bool axes_within = now.axis_held.take(six(*axis_answer), came >> 6 & 0x3Fu, axis_rules_);
    if (!pose_within || !axes_within) return now.why = monitor, now;
    move(now);
    return now;
  }

  void move(Cycle& now) const {
    const CorrectionFrame axes = *frame;
    Pose start;
    start.position = *start_position;
    start.orientation = (*start_orientation).normalized();
    const bool absolute = rules_.kind == CorrectionKind::absolute;
    now.pose = corrected(absolute ? start : *commanded, now.held.value, axes);
    now.joints = *start_joints + radians_from_degrees(now.axis_held.sum);
  }

  CorrectionRules rules(const CorrectionChannels& channels, double limit, double angle) const {
    CorrectionRules made;
    made.kind = *correction;
    for (std::size_t i = 0; i < 6; ++i) {
      made.hold[i] = channels.at[i] >= 0 && file_.receive[static_cast<std::size_t>(channels.at[i])].hold;
      made.limit[i] = i < 3 ? limit : angle * 180 / M_PI;
    }
    return made;
  }

  bool cut_off(const Tick& t) const { return *disconnect_at >= 0 && t.time() >= *disconnect_at; }
  std::uint64_t bits(const Tick& t, std::uint64_t what) const {
    return Generator::mix(seed_ ^ Generator::mix(static_cast<std::uint64_t>(t.index()) * 4 + what + 1));
  }
  bool draw(const Tick& t, std::uint64_t what, double probability) const {
    return static_cast<double>(bits(t, what) >> 11) * 0x1p-53 < probability;
  }
  static unsigned mask(const SensorTelegram& telegram, const CorrectionChannels& channels) {
    unsigned found = 0;
    for (unsigned i = 0; i < 6; ++i)
      if (channels.at[i] >= 0 && (telegram.present >> channels.at[i] & 1u) != 0) found |= 1u << i;
    return found;
  }
  static Vector6 pick(const SensorTelegram& telegram, const CorrectionChannels& channels) {
    Vector6 values = Vector6::Zero();
    for (std::size_t i = 0; i < 6; ++i)
      if (channels.at[i] >= 0)
        values[static_cast<Eigen::Index>(i)] = telegram.value[static_cast<std::size_t>(channels.at[i])];
    return values;
  }

  /// Another robot's telegrams to the same port: newer by IPOC, elsewhere.
  void steal(RobotTelegram telegram) {
    telegram.ipoc += 1000 * step_;
    for (std::size_t i = 0; i < 3; ++i) telegram.pose.value[i] += 100;
    const std::size_t size = write_robot_telegram(file_, status_, telegram, buffer_);
    if (size > 0) thief_.send(net::bytes(std::span<const char>(buffer_).first(size)));
  }

  EthernetFile file_;
  CorrectionChannels cartesian_, axes_;
  CorrectionRules rules_, axis_rules_;
  const Channel* status_ = nullptr;
  int stop_ = -1;
  net::DatagramSocket socket_, thief_;
  net::FaultyLine<8192, 64> faults_;
  std::array<char, decltype(faults_)::most_bytes> buffer_{};
  std::uint64_t seed_ = 0;
  std::int64_t step_ = 4, sent_ipoc_ = -1, rejections_ = 0;
  const char* why_rejected_ = nullptr;
};

HILDA_BLOCK(
    RsiController,
    "The robot's end of KUKA RSI, for cells: sends a telegram each cycle, takes the answer that carries its IPOC, "
    "applies the corrections as HOLDON, RSI_ON and the correction monitors say, counts late answers and stops at "
    "the time-out. All faults are drawn from `fault_seed`. See docs/kuka_rsi.md.")
} // namespace
