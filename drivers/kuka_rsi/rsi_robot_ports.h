// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "drivers/kuka_rsi/correction.h"
#include "drivers/kuka_rsi/following_watch.h"

#include <hilda/block.h>

namespace hilda::kuka {

using Vector7 = Fixed<7>; ///< see FollowingWatch

/// What the block RsiRobot shows: its inputs, outputs and parameters, and the state that a checkpoint keeps.
struct RsiRobotPorts : Block {
  Input<Pose> command_pose{*this, "command_pose", "Commanded pose of the active TOOL in the active BASE", actuation,
                           optional};
  Input<Vector6> command_joints{*this,     "command_joints", "rad", "Commanded A1 to A6, with space=axis",
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
  Output<std::int64_t> malformed{*this, "malformed", "Packets that are not telegrams, or hold a value that cannot be",
                                 measurement};
  Output<std::int64_t> state{*this, "state", "What the status element says; 0: the robot follows", measurement};
  Output<Pose> taken{*this, "taken", "What the robot has by its own count, the last answer that it took", measurement};
  Output<Vector6> taken_joints{*this, "taken_joints", "rad", "The same with space=axis", measurement};
  Output<std::int64_t> fate{*this, "fate",
                            "Of the last answer: 0 unsaid, 1 taken, 2 taken, and the robot stopped, 3 lost, 4 unknown",
                            measurement};
  Output<std::int64_t> missed{*this, "missed", "Cycles in a row, up to this one, in which the robot took no answer",
                              measurement};
  Output<std::int64_t> unanswered{*this, "unanswered", "Cycles so far in which the robot took no answer", measurement};
  Output<std::int64_t> end{*this, "end",
                           "Why the run must end: 0 nothing, 1 lost_in_a_row, 2 lost_share, 3 clock_drift, 4 RSI was "
                           "restarted",
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
  Parameter<Space> space{*this, "space", "POSCORR by RKorr, or AXISCORR by AKorr or AK", by_default("cartesian")};
  Parameter<CorrectionKind> correction{*this, "correction", "As in RSI_ON on the robot", by_default("absolute")};
  Parameter<CorrectionFrame> frame{*this, "frame", "RefCorrSys of POSCORR: axes in which RKorr counts",
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
                              "Leaves the robot at rest without one answer before the loop begins, to see what its "
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
};

} // namespace hilda::kuka
