// SPDX-License-Identifier: BSD-3-Clause
#include "drivers/kuka_rsi/conversation.h"
#include "drivers/kuka_rsi/farewell.h"
#include "drivers/kuka_rsi/rsi_robot_ports.h"
#include "drivers/kuka_rsi/space_correction.h"
#include "drivers/kuka_rsi/start_refusal.h"

#include <cmath>
#include <limits>

namespace {
using namespace hilda;
using namespace hilda::kuka;

/// Cycles in a row that the loop waits for at most, whatever may be lost.
constexpr std::int64_t longest_wait = 5;
/// s after a lost cycle in which what is measured still shows it.
constexpr double disturbance = 0.1;

struct RsiRobot : RsiRobotPorts {
  void configure(const Instance& self) override {
    std::vector<std::string> problems;
    file_ = read_ethernet_file(*ethernet, problems);
    if (problems.empty()) problems = refusals(file_, *space, *correction);
    const std::string name = std::string(*ethernet).substr(std::string(*ethernet).rfind('/') + 1);
    for (const std::string& problem : problems) self.report("ethernet", name + ": " + problem);
    if (!problems.empty()) return;
    correction_.choose(*space, find_corrections(file_, *space));
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
    const bool cartesian = *space == Space::cartesian;
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
    const Conversation::Rules rules{.cycle = *cycle,
                                    .ipoc_step = *ipoc_step,
                                    .lost_in_a_row = *lost_in_a_row,
                                    .patience = patience(),
                                    .lost_share = *lost_share,
                                    .clock_drift = *clock_drift};
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
    if (known_) farewell_ = say_farewell(talk_, correction_, emitted_ ? &answer_ : nullptr, at_rest_, stop_, *cycle);
    known_ = false;
    talk_.link().close();
  }

  double cycle_period() const override { return *cycle; }
  std::int64_t patience() const override { return std::min<std::int64_t>(*lost_in_a_row, longest_wait); }
  Cycle await_cycle(std::int64_t deadline) override {
    Cycle now;
    talk_.link().take_over();
    // A dry run emits nothing: the robot is kept alive where it is.
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
    correction_.next(command_pose.connected() ? *command_pose : correction_.rest_pose(),
                     command_joints.connected() ? *command_joints : correction_.rest_joints(), answer_);
    talk_.answer(answer_);
  }

  void update(const Tick& t) override {
    quiet = *stale ? *quiet + 1 : 0;
    const double silence = static_cast<double>(*quiet) * t.period();
    if (*end != 0) t.fail(talk_.words(static_cast<Conversation::End>(*end)));
    if (*space == Space::cartesian) watch_following(t);
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
    const FollowingWatch::Finding finding =
        watch.look(FollowingWatch::between(*began, *taken, *frame), FollowingWatch::between(*began, *pose, *frame),
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
    const bool cartesian = *space == Space::cartesian;
    if (cartesian && input == "command_pose") {
      store_value(value, correction_.rest_pose());
      return true;
    }
    if (!cartesian && input == "command_joints") {
      store_value(value, correction_.rest_joints());
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
  /// What the robot has, from what became of the last answer.
  void settle(bool fresh) {
    // A dry run sent nothing that could have a fate.
    fate = !emitted_ ? HILDA_FATE_UNSAID : fresh ? talk_.fate() : HILDA_FATE_UNKNOWN;
    if (*fate == HILDA_FATE_LOST) correction_.undo();
    Pose has = correction_.taken_pose();
    if (known_ && have_values_ && has.orientation.dot((*pose).orientation) < 0) has.orientation.coeffs() *= -1;
    taken = has;
    taken_joints = correction_.taken_joints();
  }

  /// The pose at RSI_ON, from which absolute corrections count. Returns why the loop must not take over; empty: it may.
  std::string take_start() {
    const RobotTelegram& first = talk_.link().telegram();
    const bool holds = *correction == CorrectionKind::absolute;
    std::string refusal = start_refusal(first, holds ? talk_.link().first_delay() : 0, *coarsest);
    if (!refusal.empty()) return refusal;
    correction_.begin(first, *correction, *frame);
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
  const Channel* status_ = nullptr;
  // The other end of the wire, as far as it is known: it ends with the connection.
  Conversation talk_;
  SpaceCorrection correction_;
  SensorTelegram answer_, at_rest_;
  int stop_ = -1;
  RobotLink::DelayCounts counts_ = RobotLink::DelayCounts::not_looked;
  const char* farewell_ = "";
  Sentence following_;
  bool have_values_ = false, known_ = false, emitted_ = false;
};

HILDA_BLOCK(
    RsiRobot,
    "A KUKA robot over RSI: the clock of the loop. Takes the newest telegram of each cycle, answers it with the "
    "correction that leads to the commanded pose or joints. Reads the vendor's ethernet file and refuses one "
    "that would make a lost packet dangerous. See docs/kuka_rsi.md.")
} // namespace
