#include "drivers/kuka_rsi/correction.h"
#include "drivers/kuka_rsi/robot_link.h"

#include <hilda/block.h>

namespace {
using namespace hilda;
using namespace hilda::kuka;

/// Time constant with which a lost relative correction is made up for, s.
constexpr double make_up_time = 0.1;
/// How far setpoint and actual pose may be apart when the loop takes over: beyond, the robot moves or is held.
constexpr double standstill = 0.010, standstill_turn = 2 * M_PI / 180;

double angle_between(const Quaternion& a, const Quaternion& b) {
  return 2 * std::acos(std::min(1.0, std::fabs(a.dot(b))));
}

struct RsiRobot : Block {
  Input<Pose> command_pose{*this, "command_pose", "Wanted pose of the active TOOL in the active BASE", actuation,
                           optional};
  Input<Vector6> command_joints{*this,     "command_joints", "rad", "Wanted A1 to A6, with space=axis",
                                actuation, optional};

  Output<Pose> pose{*this, "pose", "Actual (RIst): of the active TOOL in the active BASE", measurement};
  Output<Pose> setpoint{*this, "setpoint", "RSol, the controller's own setpoint; RIst where it is not sent",
                        measurement};
  Output<Vector6> joints{*this, "joints", "rad", "Actual A1 to A6 (AIPos); zeroes where not sent", measurement};
  Output<std::int64_t> delay{*this, "delay", "Answers that came too late for the robot, as it counts them",
                             measurement};
  Output<std::int64_t> ipoc{*this, "ipoc", "Time stamp of the newest telegram, ms of the controller", measurement};
  Output<bool> stale{*this, "stale", "No telegram that can be used in this cycle: all values are held", measurement};
  Output<std::int64_t> lost{*this, "lost", "Cycles of which no packet came, by IPOC", measurement};
  Output<std::int64_t> jumps{*this, "jumps", "Times that IPOC did not follow on the one before", measurement};
  Output<std::int64_t> outdated{*this, "outdated", "Packets dropped: their IPOC was not newer", measurement};
  Output<std::int64_t> foreign{*this, "foreign", "Packets ignored: of another sender than the robot", measurement};
  Output<std::int64_t> malformed{*this, "malformed", "Packets that are no telegram, or hold a value that cannot be",
                                 measurement};
  Output<std::int64_t> state{*this, "state", "What the status element says; 0: the robot follows", measurement};
  Output<Pose> sent{*this, "sent", "The pose that goes to the robot, behind the limits"};
  Output<Vector6> sent_joints{*this, "sent_joints", "rad", "The joints that go to the robot, behind the limits"};

  Parameter<Path> ethernet{*this, "ethernet", "The ethernet file that the RSI context on the robot uses"};
  Parameter<Text> address{*this, "address", "Of this machine towards the robot; empty: IP_NUMBER of the file",
                          by_default("")};
  Parameter<std::int64_t> port{*this, "port", "UDP port; 0: PORT of the file", between(0, 65535), by_default("0")};
  Parameter<Choice> space{*this, "space", "cartesian|axis", "POSCORR by RKorr, or AXISCORR by AKorr or AK",
                          by_default("cartesian")};
  Parameter<Choice> correction{*this, "correction", "absolute|relative", "As in RSI_ON on the robot",
                               by_default("absolute")};
  Parameter<Choice> frame{*this, "frame", "base|tool", "RefCorrSys of POSCORR: axes in which RKorr counts",
                          by_default("base")};
  Parameter<double> cycle{*this, "cycle", "s", "IPO_FAST: 4 ms; IPO: 12 ms", above(0.0), by_default("4 ms")};
  Parameter<std::int64_t> ipoc_step{*this, "ipoc_step", "By how much IPOC grows a cycle; 0: the cycle in ms",
                                    at_least(0.0), by_default("0")};
  Parameter<double> connect_timeout{*this,      "connect_timeout", "s", "Wait for the first telegram",
                                    above(0.0), by_default("10 s")};
  Parameter<double> timeout{*this,      "timeout",
                            "s",        "Longer without a telegram that can be used, the run ends",
                            above(0.0), by_default("100 ms")};
  Parameter<Text> status{
      *this, "status",
      "TAG of an element of SEND that is not 0 while the robot does not follow (brakes, stop); empty: none",
      by_default("")};
  Parameter<double> following_error{
      *this,         "following_error", "m", "Farther between sent and actual position, the run ends; 0: not watched",
      at_least(0.0), by_default("0 m")};
  Parameter<double> plausible_speed{
      *this,      "plausible_speed",
      "m/s",      "A pose that the robot could reach only faster is taken for a corrupted one",
      above(0.0), by_default("5 m/s")};
  Parameter<double> plausible_turn{*this,      "plausible_turn",      "rad/s", "The same for its orientation",
                                   above(0.0), by_default("20 rad/s")};

  State<std::int64_t> quiet{*this, "quiet", "Cycles since the last telegram that could be used"};

  void configure(const Instance& self) override {
    std::vector<std::string> problems;
    file_ = read_ethernet_file(*ethernet, problems);
    if (problems.empty()) problems = refusals(file_, space_of(), kind_of());
    const std::string name = std::string(*ethernet).substr(std::string(*ethernet).rfind('/') + 1);
    for (const std::string& problem : problems) self.report("ethernet", name + ": " + problem);
    if (!problems.empty()) return;
    channels_ = find_corrections(file_, space_of());
    status_ = nullptr;
    if (**status != '\0') {
      status_ = file_.sent(*status);
      if (status_ == nullptr || status_->internal || status_->type == ChannelType::text)
        self.report("status", std::string("SEND of ") + name + " has no element \"" + *status +
                                  "\" of TYPE BOOL, LONG or DOUBLE");
    }
    const bool cartesian = space_of() == Space::cartesian;
    if (cartesian && command_joints.connected())
      self.report("command_joints", "is wired, but space is cartesian; wire command_pose, or set space=\"axis\"");
    if (!cartesian && command_pose.connected())
      self.report("command_pose", "is wired, but space is axis; wire command_joints, or set space=\"cartesian\"");
  }

  void initialize(const Instance&) override { quiet = 0; }

  void start(const Instance& self) override {
    std::string problem;
    const std::string where = **address != '\0' ? *address : file_.address;
    const int number = static_cast<int>(*port != 0 ? *port : file_.port);
    implausible_ = unwritten_ = held_ = 0;
    fresh_ = have_values_ = known_ = last_lost_ = emitted_ = false;
    answered_ipoc_ = -1;
    if (!link_.open(file_, status_, where, number, step(), problem)) return self.report("address", problem);
    if (!link_.meet(*connect_timeout, problem)) {
      link_.close();
      return self.report("connect_timeout", problem);
    }
    problem = take_start();
    if (!problem.empty()) {
      link_.close();
      return self.report(nullptr, problem);
    }
    link_.keep_alive();
  }
  void stop() override {
    known_ = false;
    link_.close();
  }

  double cycle_period() const override { return *cycle; }
  Cycle await_cycle(std::int64_t deadline) override {
    Cycle now;
    link_.take_over();
    // A dry run emits nothing: the robot is kept alive where it stands.
    if (!emitted_ && link_.answerable()) link_.answer(at_rest_);
    switch (link_.await(deadline, now.arrival)) {
    case RobotLink::Awaited::came: now.kind = HILDA_CYCLE_CAME, fresh_ = true; break;
    case RobotLink::Awaited::late: now.kind = HILDA_CYCLE_LATE; break;
    case RobotLink::Awaited::broken: now.kind = HILDA_CYCLE_GONE; break;
    }
    return now;
  }

  void acquire(const Tick& t) override {
    link_.take_over();
    const RobotTelegram& telegram = link_.telegram();
    const Pose actual = pose_from_wire(telegram.pose.value);
    bool usable = fresh_ && link_.usable();
    if (usable && have_values_ && !plausible(actual, t.period())) usable = false, ++implausible_;
    if (usable) judge_last_answer(telegram);
    if (usable || !have_values_) show(telegram, actual);
    held_ = usable ? 0 : held_ + 1;
    stale = !usable;
    ipoc = link_.ipoc();
    const RobotLink::Counts& counts = link_.counts();
    lost = counts.lost, jumps = counts.jumps, outdated = counts.outdated, foreign = counts.foreign;
    malformed = counts.malformed + counts.unusable + implausible_;
    fresh_ = false;
  }

  void output(const Tick&) override {
    sent = command_pose.connected() ? *command_pose : *setpoint;
    sent_joints = command_joints.connected() ? *command_joints : *joints;
  }

  void emit(const Tick&) override {
    emitted_ = true;
    if (!link_.answerable()) return;
    const Six values = space_of() == Space::cartesian
                           ? cartesian_.next(command_pose.connected() ? *command_pose : cartesian_.rest(), last_lost_)
                           : axis_.next(command_joints.connected() ? *command_joints : axis_.rest(), last_lost_);
    for (std::size_t i = 0; i < 6; ++i) answer_.value[static_cast<std::size_t>(channels_.at[i])] = values[i];
    last_lost_ = false;
    answered_ipoc_ = link_.ipoc();
    answered_delay_ = link_.telegram().delay;
    if (!link_.answer(answer_)) ++unwritten_;
  }

  void update(const Tick& t) override {
    quiet = *stale ? *quiet + 1 : 0;
    const double silence = static_cast<double>(*quiet) * t.period();
    if (silence > *timeout)
      t.fail("the robot has sent nothing that can be used for longer than `timeout` (s)", silence);
    if (*state != 0) t.fail("the robot does not follow any more, its status element says", static_cast<double>(*state));
    if (*following_error > 0 && command_pose.connected() && !*stale) {
      const double error = ((*sent).position - (*pose).position).norm();
      if (error > *following_error) t.fail("the robot does not follow: sent and actual position differ by (m)", error);
    }
  }

  bool rest(std::string_view input, double* value) const override {
    if (!known_) return false;
    const bool cartesian = space_of() == Space::cartesian;
    if (cartesian && input == "command_pose") {
      detail::Codec<Pose>::store(value, cartesian_.rest());
      return true;
    }
    if (!cartesian && input == "command_joints") {
      detail::Codec<Vector6>::store(value, axis_.rest());
      return true;
    }
    return false;
  }

  void summarize(const Summary& s) const override {
    s.number("lost", static_cast<double>(*lost));
    s.number("jumps", static_cast<double>(*jumps));
    s.number("outdated", static_cast<double>(*outdated));
    s.number("foreign", static_cast<double>(*foreign));
    s.number("malformed", static_cast<double>(*malformed));
    s.number("delay", static_cast<double>(*delay));
    s.number("unwritten_answers", static_cast<double>(unwritten_));
    const double ms = *cycle * 1e3;
    if (std::fabs(ms - 4) > 1e-9 && std::fabs(ms - 12) > 1e-9)
      s.text("cycle_note", "the cycle is neither that of IPO_FAST (4 ms) nor that of IPO (12 ms)");
  }

private:
  Space space_of() const { return *space == 0 ? Space::cartesian : Space::axis; }
  CorrectionKind kind_of() const { return *correction == 0 ? CorrectionKind::absolute : CorrectionKind::relative; }
  std::int64_t step() const {
    return *ipoc_step > 0 ? *ipoc_step : std::max<std::int64_t>(1, std::llround(*cycle * 1e3));
  }

  /// The pose at RSI_ON, from which absolute corrections count. Returns why the loop must not take over; empty: it may.
  std::string take_start() {
    const RobotTelegram& first = link_.telegram();
    if (kind_of() == CorrectionKind::absolute && link_.first_delay() > 0)
      return "the robot has been without an answer for " + std::to_string(link_.first_delay()) +
             " cycles: an absolute correction of an earlier run may still be held, and starting from 0 would be a "
             "step; "
             "stop the program on the robot, start this run first, then the robot";
    const Pose actual = pose_from_wire(first.pose.value);
    const bool has_setpoint = first.setpoint.complete();
    const Pose reference = has_setpoint ? pose_from_wire(first.setpoint.value) : actual;
    const double apart = (reference.position - actual.position).norm();
    if (apart > standstill || angle_between(reference.orientation, actual.orientation) > standstill_turn)
      return "the robot is not at rest where it should be: RSol and RIst are " + std::to_string(apart * 1e3) +
             " mm apart; let it come to a standstill before RSI_ON";
    const double decay = std::exp(-*cycle / make_up_time);
    cartesian_.begin(reference, kind_of(), *frame == 0 ? CorrectionFrame::base : CorrectionFrame::tool, decay);
    const SixValues& six = first.joint_setpoints.complete() ? first.joint_setpoints : first.joints;
    axis_.begin(radians_from_degrees(six.value), kind_of(), decay);
    known_ = true;
    return {};
  }

  bool plausible(const Pose& actual, double period) const {
    const double time = static_cast<double>(held_ + 1) * period;
    const Pose before = *pose;
    return (actual.position - before.position).norm() <= *plausible_speed * time &&
           angle_between(actual.orientation, before.orientation) <= *plausible_turn * time;
  }

  /// Delay grew by as many cycles as have passed since the answer: the robot did not take it.
  void judge_last_answer(const RobotTelegram& telegram) {
    last_lost_ = false;
    if (answered_ipoc_ < 0 || !telegram.has_delay) return;
    const std::int64_t cycles = (telegram.ipoc - answered_ipoc_) / step();
    const std::int64_t grown = telegram.delay >= answered_delay_ ? telegram.delay - answered_delay_ : telegram.delay;
    last_lost_ = cycles > 0 && grown >= cycles;
  }

  void show(const RobotTelegram& telegram, Pose actual) {
    const Pose before = *pose;
    if (have_values_ && actual.orientation.dot(before.orientation) < 0) actual.orientation.coeffs() *= -1;
    pose = actual;
    Pose wanted = telegram.setpoint.complete() ? pose_from_wire(telegram.setpoint.value) : actual;
    if (wanted.orientation.dot(actual.orientation) < 0) wanted.orientation.coeffs() *= -1;
    setpoint = wanted;
    joints = radians_from_degrees(telegram.joints.value);
    delay = telegram.delay;
    state = static_cast<std::int64_t>(std::llround(telegram.status));
    have_values_ = true;
  }

  EthernetFile file_;
  CorrectionChannels channels_;
  const Channel* status_ = nullptr;
  RobotLink link_;
  CartesianCorrection cartesian_;
  AxisCorrection axis_;
  SensorTelegram answer_, at_rest_;
  std::int64_t answered_ipoc_ = -1, answered_delay_ = 0, implausible_ = 0, unwritten_ = 0, held_ = 0;
  bool fresh_ = false, have_values_ = false, known_ = false, last_lost_ = false, emitted_ = false;
};

HILDA_PLUGIN(
    RsiRobot,
    "A KUKA robot over RSI: the clock of the loop. Takes the newest telegram of each cycle, answers it with the "
    "correction that leads to the commanded pose or joints. Reads the vendor's ethernet file and refuses one "
    "that would make a lost packet dangerous. See docs/kuka_rsi.md.")
} // namespace
