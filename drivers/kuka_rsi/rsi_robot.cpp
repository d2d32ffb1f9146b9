#include "drivers/kuka_rsi/conversation.h"
#include "drivers/kuka_rsi/correction.h"
#include "drivers/kuka_rsi/following_watch.h"
#include "drivers/kuka_rsi/start_refusal.h"

#include <cmath>
#include <hilda/block.h>
#include <limits>

namespace {
using namespace hilda;
using namespace hilda::kuka;

/// Cycles in a row that the loop waits for at most, whatever may be lost.
constexpr std::int64_t longest_wait = 5;
/// s after a lost cycle in which what is measured still shows it.
constexpr double disturbance = 0.1;
/// Cycles, and s at most, in which the last answers ask the robot to stop.
constexpr int stop_answers = 50;
constexpr double stop_time = 0.5;

double angle_between(const Quaternion& a, const Quaternion& b) {
  return 2 * std::acos(std::min(1.0, std::fabs(a.dot(b))));
}

using Vector7 = Fixed<7>; // see FollowingWatch

struct RsiRobot : Block {
  Input<Pose> command_pose{*this, "command_pose", "Wanted pose of the active TOOL in the active BASE", actuation,
                           optional};
  Input<Vector6> command_joints{*this,     "command_joints", "rad", "Wanted A1 to A6, with space=axis",
                                actuation, optional};

  Output<Pose> pose{*this, "pose", "Actual (RIst): of the active TOOL in the active BASE", measurement};
  Output<Pose> setpoint{*this, "setpoint", "RSol, the controller's own setpoint; RIst where it is not sent",
                        measurement};
  Output<Vector6> joints{*this, "joints", "rad", "Actual A1 to A6 (AIPos); zeroes where not sent", measurement};
  Output<double> resolution{*this, "resolution", "m", "Of the pose: one step of the last decimal that the robot sends",
                            measurement};
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
  Output<Pose> taken{*this, "taken", "What the robot has by its own count, the last answer that it took", measurement};
  Output<Vector6> taken_joints{*this, "taken_joints", "rad", "The same with space=axis", measurement};
  Output<std::int64_t> fate{*this, "fate",
                            "Of the last answer: 0 unsaid, 1 taken, 2 taken, and the robot stood, 3 lost, 4 unknown",
                            measurement};
  Output<std::int64_t> missed{*this, "missed", "Cycles in a row, up to this one, in which the robot took no answer",
                              measurement};
  Output<std::int64_t> unanswered{*this, "unanswered", "Cycles so far in which the robot took no answer", measurement};
  Output<std::int64_t> end{*this, "end",
                           "Why the run must end: 0 nothing, 1 lost_in_a_row, 2 lost_share, 3 clock_drift, 4 RSI was "
                           "started anew",
                           measurement};
  Output<std::int64_t> delay_counts{
      *this, "delay_counts", "What probe_delay saw: 0 not looked, 1 all late answers, 2 those in a row, 3 neither",
      measurement};
  Output<bool> disturbed{*this, "disturbed", "Cycles are being lost, or were within the last 0.1 s", measurement};
  Output<Pose> sent{*this, "sent", "The pose that goes to the robot, behind the limits"};
  Output<Vector6> sent_joints{*this, "sent_joints", "rad", "The joints that go to the robot, behind the limits"};

  Parameter<Path> ethernet{*this, "ethernet", "The ethernet file that the RSI context on the robot uses"};
  Parameter<Text> address{*this, "address", "Of this machine towards the robot; empty: IP_NUMBER of the file",
                          by_default("")};
  Parameter<std::int64_t> port{*this, "port", "UDP port; 0: PORT of the file", between(0, 65535), by_default("0")};
  Parameter<Text> peer{*this, "peer",
                       "Address of the robot: packets of any other are ignored; empty: the first sender's",
                       by_default("")};
  Parameter<Choice> space{*this, "space", "cartesian|axis", "POSCORR by RKorr, or AXISCORR by AKorr or AK",
                          by_default("cartesian")};
  Parameter<Choice> correction{*this, "correction", "absolute|relative", "As in RSI_ON on the robot",
                               by_default("absolute")};
  Parameter<Choice> frame{*this, "frame", "base|tool", "RefCorrSys of POSCORR: axes in which RKorr counts",
                          by_default("base")};
  Parameter<double> cycle{*this, "cycle", "s", "IPO_FAST: 4 ms; IPO: 12 ms", above(0.0), by_default("4 ms")};
  Parameter<std::int64_t> ipoc_step{*this, "ipoc_step", "By how much IPOC grows a cycle; 0: the cycle in ms, or 1",
                                    at_least(0.0), by_default("0")};
  Parameter<double> cycle_check{*this,         "cycle_check",
                                "s",           "Time in which the robot's cycle is measured before the start; 0: not",
                                at_least(0.0), by_default("0.2 s")};
  Parameter<std::int64_t> lost_in_a_row{*this, "lost_in_a_row",
                                        "More cycles in a row in which the robot took no answer end the run",
                                        between(0, 1000), by_default("5")};
  Parameter<double> lost_share{*this,         "lost_share",     "", "A larger share of them within 2 s ends the run",
                               between(0, 1), by_default("0.1")};
  Parameter<double> clock_drift{*this,
                                "clock_drift",
                                "",
                                "The run ends where IPOC runs faster or slower by a larger share; 0: not watched",
                                at_least(0.0),
                                by_default("0.01")};
  Parameter<Text> stop_channel{*this, "stop_channel",
                               "TAG of an element of RECEIVE that ends RSI on the robot: the last answers set it to 1; "
                               "empty: the robot runs into its time-out",
                               by_default("")};
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
  Parameter<double> response_time{
      *this,
      "response_time",
      "s",
      "A robot that is led on for longer and then stands for 20 ms does not follow: the run ends; 0: not watched",
      at_least(0.0),
      by_default("60 ms")};
  Parameter<double> coarsest{*this,         "coarsest",
                             "m",           "Poses in larger steps are refused at the start; 0: any",
                             at_least(0.0), by_default("0 m")};
  Parameter<bool> probe_delay{*this, "probe_delay",
                              "Leaves the standing robot without one answer before the loop begins, to see what its "
                              "Delay counts",
                              by_default("false")};
  Parameter<double> plausible_speed{
      *this,      "plausible_speed",
      "m/s",      "A pose that the robot could reach only faster is taken for a corrupted one",
      above(0.0), by_default("5 m/s")};
  Parameter<double> plausible_turn{*this,      "plausible_turn",      "rad/s", "The same for its orientation",
                                   above(0.0), by_default("20 rad/s")};

  State<Pose> began{*this, "began", "What the robot had at the first tick: where corrections count from"};
  State<Vector7> before{*this, "before", "", "What the robot had in the tick before, mm and deg from there"};
  State<Vector7> was{*this, "was", "", "Where it was then, mm and deg from there"};
  State<Vector7> led{*this, "led", "", "Ticks in which each coordinate was led on in one direction, with its sign"};
  State<Vector7> stood{*this, "stood", "", "Ticks in which it did not move along"};
  State<std::int64_t> quiet{*this, "quiet", "Cycles since the last telegram that could be used"};
  State<std::int64_t> held{*this, "held", "Telegrams since the last whose values could be used"};
  State<std::int64_t> implausible{*this, "implausible", "Telegrams whose pose no robot reaches"};
  State<std::int64_t> calm{*this, "calm", "Cycles since one was lost"};

  void configure(const Instance& self) override {
    std::vector<std::string> problems;
    file_ = read_ethernet_file(*ethernet, problems);
    if (problems.empty()) problems = refusals(file_, space_of(), kind_of());
    const std::string name = std::string(*ethernet).substr(std::string(*ethernet).rfind('/') + 1);
    for (const std::string& problem : problems) self.report("ethernet", name + ": " + problem);
    if (!problems.empty()) return;
    channels_ = find_corrections(file_, space_of());
    stop_ = -1;
    if (**stop_channel != '\0') {
      stop_ = file_.received(*stop_channel);
      const ChannelType type = stop_ < 0 ? ChannelType::text : file_.receive[static_cast<std::size_t>(stop_)].type;
      if (type != ChannelType::boolean && type != ChannelType::integer)
        self.report("stop_channel", std::string("RECEIVE of ") + name + " has no element \"" + *stop_channel +
                                        "\" of TYPE BOOL or LONG; wire one to an RSI object that ends the motion");
    }
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

  void initialize(const Instance&) override {
    quiet = 0, held = 0, implausible = 0;
    before = Vector7::Zero(), was = Vector7::Zero(), led = Vector7::Zero(), stood = Vector7::Zero();
    began = Pose{};
    calm = std::numeric_limits<std::int32_t>::max();
  }

  void start(const Instance& self) override {
    std::string problem;
    const std::string where = **address != '\0' ? *address : file_.address;
    const int number = static_cast<int>(*port != 0 ? *port : file_.port);
    have_values_ = known_ = emitted_ = false;
    counts_ = RobotLink::DelayCounts::not_looked;
    farewell_ = "none: nothing was connected";
    const Conversation::Rules rules{*cycle, *ipoc_step, *lost_in_a_row, patience(), *lost_share, *clock_drift};
    if (!talk_.open(file_, status_, where, number, rules, problem)) return self.report("address", problem);
    if (!talk_.link().expect(*peer, problem)) {
      talk_.link().close();
      return self.report("peer", problem);
    }
    if (!talk_.link().meet(*connect_timeout, *cycle_check, problem)) {
      talk_.link().close();
      return self.report("connect_timeout", problem);
    }
    problem = take_start();
    if (!problem.empty()) {
      talk_.link().close();
      return self.report(nullptr, problem);
    }
    if (*probe_delay) counts_ = talk_.link().probe_delay();
    talk_.link().keep_alive();
  }
  void stop() override {
    if (known_) say_farewell();
    known_ = false;
    talk_.link().close();
  }

  double cycle_period() const override { return *cycle; }
  std::int64_t patience() const override { return std::min<std::int64_t>(*lost_in_a_row, longest_wait); }
  Cycle await_cycle(std::int64_t deadline) override {
    Cycle now;
    talk_.link().take_over();
    // A dry run emits nothing: the robot is kept alive where it stands.
    if (!emitted_ && talk_.link().answerable()) talk_.answer(at_rest_);
    switch (talk_.await(deadline, now.arrival)) {
    case RobotLink::Awaited::came: now.kind = HILDA_CYCLE_CAME; break;
    case RobotLink::Awaited::late: now.kind = HILDA_CYCLE_LATE; break;
    case RobotLink::Awaited::broken: now.kind = HILDA_CYCLE_GONE; break;
    }
    return now;
  }

  void acquire(const Tick& t) override {
    RobotLink& link = talk_.link();
    link.take_over();
    const bool fresh = talk_.take_fresh();
    if (t.index() >= 0) talk_.count_from_now();
    settle(fresh);
    const RobotTelegram& telegram = link.telegram();
    const Pose actual = pose_from_wire(telegram.pose.value);
    bool usable = fresh && link.usable();
    if (usable && have_values_ && !plausible(actual, t.period())) usable = false, implausible = *implausible + 1;
    if (usable || !have_values_) show(telegram, actual);
    held = usable ? 0 : *held + 1;
    stale = !usable;
    ipoc = link.ipoc();
    missed = talk_.missed();
    unanswered = talk_.lost().all();
    end = static_cast<std::int64_t>(talk_.end());
    calm = *missed > 0 ? 0 : *calm + 1;
    disturbed = static_cast<double>(*calm) * t.period() < disturbance;
    const RobotLink::Counts& counts = link.counts();
    lost = counts.lost, jumps = counts.jumps, outdated = counts.outdated, foreign = counts.foreign;
    malformed = counts.malformed + counts.unusable + *implausible;
    delay_counts = static_cast<std::int64_t>(counts_);
  }

  void output(const Tick&) override {
    sent = command_pose.connected() ? *command_pose : *setpoint;
    sent_joints = command_joints.connected() ? *command_joints : *joints;
  }

  void emit(const Tick&) override {
    emitted_ = true;
    if (!talk_.link().answerable() || talk_.fate() == HILDA_FATE_UNKNOWN) return;
    write(space_of() == Space::cartesian ? cartesian_.next(command_pose.connected() ? *command_pose : cartesian_.rest())
                                         : axis_.next(command_joints.connected() ? *command_joints : axis_.rest()));
    talk_.answer(answer_);
  }

  void update(const Tick& t) override {
    quiet = *stale ? *quiet + 1 : 0;
    const double silence = static_cast<double>(*quiet) * t.period();
    if (*end != 0) t.fail(talk_.words(static_cast<Conversation::End>(*end)));
    if (space_of() == Space::cartesian) watch_following(t);
    if (silence > *timeout)
      t.fail("the robot has sent nothing that can be used for longer than `timeout` (s)", silence);
    if (*state != 0) t.fail("the robot does not follow any more, its status element says", static_cast<double>(*state));
    if (*following_error > 0 && command_pose.connected() && !*stale) {
      const double error = ((*sent).position - (*pose).position).norm();
      if (error > *following_error) t.fail("the robot does not follow: sent and actual position differ by (m)", error);
    }
  }

  /// In every coordinate of the correction, those of the start pose.
  void watch_following(const Tick& t) {
    if (*response_time <= 0 || *fate == HILDA_FATE_UNSAID) return; // nothing is watched, or nothing was sent
    if (t.index() == 0) began = *taken;
    FollowingWatch watch;
    load(watch.had, before), load(watch.was, was), load(watch.led, led), load(watch.stood, stood);
    const FollowingWatch::Rules rules{t.period(), *response_time, *resolution * 1e3};
    const CorrectionFrame axes = *frame == 0 ? CorrectionFrame::base : CorrectionFrame::tool;
    const FollowingWatch::Finding finding =
        watch.look(FollowingWatch::between(*began, *taken, axes), FollowingWatch::between(*began, *pose, axes),
                   *fate == HILDA_FATE_TAKEN && !*stale, rules);
    save(before, watch.had), save(was, watch.was), save(led, watch.led), save(stood, watch.stood);
    if (finding != FollowingWatch::Finding::follows && *missed == 0)
      t.fail(watch.words(finding, rules, following_), watch.place());
  }
  static void load(FollowingWatch::Coordinates& to, const State<Vector7>& from) {
    const Vector7 value = *from;
    std::copy_n(value.data(), to.size(), to.begin());
  }
  static void save(State<Vector7>& to, const FollowingWatch::Coordinates& from) {
    Vector7 value;
    std::copy_n(from.begin(), from.size(), value.data());
    to = value;
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

  hilda_fate fate_of(std::string_view) const override { return static_cast<hilda_fate>(*fate); }

  void summarize(const Summary& s) const override {
    s.number("lost", static_cast<double>(*lost));
    s.number("jumps", static_cast<double>(*jumps));
    s.number("outdated", static_cast<double>(*outdated));
    s.number("foreign", static_cast<double>(*foreign));
    s.number("malformed", static_cast<double>(*malformed));
    s.number("delay", static_cast<double>(*delay));
    s.number("unwritten_answers", static_cast<double>(talk_.unwritten()));
    s.number("unanswered.telegrams", static_cast<double>(talk_.lost().of(LostCycles::telegram)));
    s.number("unanswered.answers", static_cast<double>(talk_.lost().of(LostCycles::answer)));
    s.number("unanswered.process", static_cast<double>(talk_.lost().of(LostCycles::process)));
    s.text("farewell", farewell_);
    const double ms = *cycle * 1e3;
    if (std::fabs(ms - 4) > 1e-9 && std::fabs(ms - 12) > 1e-9)
      s.text("cycle_note", "the cycle is neither that of IPO_FAST (4 ms) nor that of IPO (12 ms)");
  }

private:
  Space space_of() const { return *space == 0 ? Space::cartesian : Space::axis; }
  CorrectionKind kind_of() const { return *correction == 0 ? CorrectionKind::absolute : CorrectionKind::relative; }
  void write(const Six& values) {
    for (std::size_t i = 0; i < 6; ++i) answer_.value[static_cast<std::size_t>(channels_.at[i])] = values[i];
  }

  /// What the robot has, from what became of the last answer.
  void settle(bool fresh) {
    // A dry run sent nothing that could have a fate.
    fate = !emitted_ ? HILDA_FATE_UNSAID : fresh ? talk_.fate() : HILDA_FATE_UNKNOWN;
    if (*fate == HILDA_FATE_LOST) space_of() == Space::cartesian ? cartesian_.undo() : axis_.undo();
    Pose has = cartesian_.taken();
    if (known_ && have_values_ && has.orientation.dot((*pose).orientation) < 0) has.orientation.coeffs() *= -1;
    taken = has;
    taken_joints = axis_.taken();
  }

  /// The last answers hold the robot where it is and ask it to end.
  void say_farewell() {
    if (stop_ < 0) {
      farewell_ = "none: without stop_channel the robot runs into its time-out";
      return;
    }
    const std::int64_t latest = monotonic_now() + static_cast<std::int64_t>(stop_time * 1e9);
    farewell_ = "the stop channel was set, and the robot went on sending";
    answer_.value[static_cast<std::size_t>(stop_)] = 1;
    at_rest_.value[static_cast<std::size_t>(stop_)] = 1;
    for (int i = 0; i < stop_answers && monotonic_now() < latest; ++i) {
      const auto quiet_after = static_cast<std::int64_t>(*cycle * 10e9);
      const RobotLink::Awaited awaited = talk_.await_last(std::min(latest, monotonic_now() + quiet_after));
      if (awaited != RobotLink::Awaited::came) {
        farewell_ = i > 0 ? "the stop channel was set, and the robot ended" : "none: the robot was silent";
        return;
      }
      if (talk_.fate() == HILDA_FATE_UNKNOWN) continue;
      if (talk_.fate() == HILDA_FATE_LOST) space_of() == Space::cartesian ? cartesian_.undo() : axis_.undo();
      write(space_of() == Space::cartesian ? cartesian_.hold() : axis_.hold());
      talk_.answer(emitted_ ? answer_ : at_rest_);
    }
  }

  /// The pose at RSI_ON, from which absolute corrections count. Returns why the loop must not take over; empty: it may.
  std::string take_start() {
    const RobotTelegram& first = talk_.link().telegram();
    const bool holds = kind_of() == CorrectionKind::absolute;
    std::string refusal = start_refusal(first, holds ? talk_.link().first_delay() : 0, *coarsest);
    if (!refusal.empty()) return refusal;
    const Pose reference = pose_from_wire(first.setpoint.complete() ? first.setpoint.value : first.pose.value);
    cartesian_.begin(reference, kind_of(), *frame == 0 ? CorrectionFrame::base : CorrectionFrame::tool);
    const SixValues& six = first.joint_setpoints.complete() ? first.joint_setpoints : first.joints;
    axis_.begin(radians_from_degrees(six.value), kind_of());
    known_ = true;
    return {};
  }

  bool plausible(const Pose& actual, double period) const {
    const double time = static_cast<double>(*held + 1) * period;
    const Pose shown = *pose;
    return (actual.position - shown.position).norm() <= *plausible_speed * time &&
           angle_between(actual.orientation, shown.orientation) <= *plausible_turn * time;
  }

  void show(const RobotTelegram& telegram, Pose actual) {
    const Pose shown = *pose;
    if (have_values_ && actual.orientation.dot(shown.orientation) < 0) actual.orientation.coeffs() *= -1;
    pose = actual;
    Pose wanted = telegram.setpoint.complete() ? pose_from_wire(telegram.setpoint.value) : actual;
    if (wanted.orientation.dot(actual.orientation) < 0) wanted.orientation.coeffs() *= -1;
    setpoint = wanted;
    joints = radians_from_degrees(telegram.joints.value);
    resolution = pose_step(telegram);
    delay = telegram.delay;
    state = static_cast<std::int64_t>(std::llround(telegram.status));
    have_values_ = true;
  }

  EthernetFile file_;
  CorrectionChannels channels_;
  const Channel* status_ = nullptr;
  // The other end of the wire, as far as it is known: it ends with the connection.
  Conversation talk_;
  CartesianCorrection cartesian_;
  AxisCorrection axis_;
  SensorTelegram answer_, at_rest_;
  int stop_ = -1;
  RobotLink::DelayCounts counts_ = RobotLink::DelayCounts::not_looked;
  const char* farewell_ = "";
  Sentence following_;
  bool have_values_ = false, known_ = false, emitted_ = false;
};

HILDA_PLUGIN(
    RsiRobot,
    "A KUKA robot over RSI: the clock of the loop. Takes the newest telegram of each cycle, answers it with the "
    "correction that leads to the commanded pose or joints. Reads the vendor's ethernet file and refuses one "
    "that would make a lost packet dangerous. See docs/kuka_rsi.md.")
} // namespace
