// SPDX-License-Identifier: BSD-3-Clause
// Fixed steps that locate no crossings: what happens between two ticks and waits for the next one is counted and
// reported.

#include "engine/compile/held_signals.h"
#include "engine/session/solver_findings.h"
#include "engine/session/solver_report.h"
#include "tests/engine/loop.h"
#include "tests/modules.h"

#include <algorithm>
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

namespace hilda::test {
namespace {

using ::testing::HasSubstr;

std::string block(const std::string& name, const std::string& rest) {
  return fmt::format("<block name='{}' type='{}/>", name, rest);
}
std::string wire(const std::string& from, const std::string& to) {
  return fmt::format("<connect from='{}' to='{}'/>", from, to);
}

/// x rises by 1 a second from 0, and `watch` says what hears of it.
std::string rising(const std::string& watch) {
  return block("one", "sources/Constant' value='1 1/s'") + block("x", "continuous/Integrator'") + wire("one.y", "x.u") +
         watch;
}

std::string seen_by_integrator(const std::string& source) {
  return block("z", "continuous/Integrator'") + wire(source, "z.u");
}

std::string relay(const std::string& upper, const std::string& more = "") {
  return rising(block("r", "discrete/Relay' lower='-1' upper='" + upper + "'" + more) + wire("x.y", "r.u") +
                seen_by_integrator("r.y"));
}

std::string step(const std::string& time, const std::string& more = "") {
  return block("u", "sources/Step' after='1' time='" + time + "'" + more) + seen_by_integrator("u.y");
}

/// Is set to 0 where it reaches `top`.
std::string saw(const std::string& top, const std::string& more = "") {
  return block("one", "sources/Constant' value='1 1/s'") +
         "<block name='x' type='continuous/Integrator' reset_on='rising' reset='full.y'/>" + wire("one.y", "x.u") +
         block("full", "math/Compare' operation='greater_or_equal' with='" + top + "'" + more) + wire("x.y", "full.a");
}

/// z runs while x is above `level`.
std::string enabled(const std::string& level) {
  return rising(block("on", "math/Compare' operation='greater' with='" + level + "'") + wire("x.y", "on.a") +
                block("c", "sources/Constant' value='1 1/s'") +
                "<block name='z' type='continuous/Integrator' enable='on.y'/>" + wire("c.y", "z.u"));
}

/// In which the solver looks for what is late.
class Watched {
public:
  Watched(const std::string& body, const std::string& period, std::int64_t ticks) : loop_(body, {}, period) {
    loop_.runtime().watch_events();
    loop_.run(ticks);
  }
  const LateEvents* late() { return loop_.runtime().solver().late_events(); }
  std::string text() { return solver_findings(loop_.runtime()).text(); }
  Runtime& runtime() { return loop_.runtime(); }
  nlohmann::ordered_json document() { return solver_document(loop_.runtime()); }

private:
  Loop loop_;
};

/// What one block or condition did.
LateEvents::Found only(const std::string& body, const std::string& period, std::int64_t ticks) {
  Watched watched(body, period, ticks);
  if (watched.late() == nullptr || watched.late()->found().size() != 1) {
    ADD_FAILURE() << "not one: " << body;
    return {};
  }
  return watched.late()->found().front();
}

/// To a millionth of a tick, which is what a Step makes of a time.
TEST(LateEvents, AreCountedWithHowLongTheyWait) {
  struct Case {
    std::string body;
    double late; ///< s, with a period of 100 ms
  };
  for (const Case& each : {Case{step("0.537 s"), 0.063}, Case{step("0.401 s"), 0.099}, Case{step("0.4999 s"), 1e-4},
                           Case{relay("0.537"), 0.063}, Case{saw("0.537"), 0.063}, Case{enabled("0.537"), 0.063}}) {
    const LateEvents::Found found = only(each.body, "100 ms", 9);
    EXPECT_EQ(found.count, 1) << each.body;
    EXPECT_NEAR(found.latest, each.late, 1e-7) << each.body;
  }
}

TEST(LateEvents, SoTheyAreByEuler) {
  for (const std::string& body : {step("0.537 s"), relay("0.537"), saw("0.537"), enabled("0.537")})
    EXPECT_NEAR(only(body, "100 ms\" solver=\"euler", 9).latest, 0.063, 1e-7) << body;
}

TEST(LateEvents, AResetTriggerThatIsANumberCounts) {
  const std::string body =
      rising(block("below", "math/Bias' bias='-0.537'") + wire("x.y", "below.u") +
             block("c", "sources/Constant' value='1 1/s'") + block("z", "continuous/ResetIntegrator'") +
             wire("c.y", "z.u") + wire("below.y", "z.trigger"));
  EXPECT_NEAR(only(body, "100 ms", 9).latest, 0.063, 1e-8);
}

TEST(LateEvents, ASlowerBlockWaitsForItsOwnTick) {
  // the clock of 20 ms makes that the tick; the relay has the diagram's 100 ms
  const std::string body = relay("0.537") + block("fast", "sources/Clock' sample_time='20 ms'") +
                           block("t", "sinks/Terminator'") + wire("fast.time", "t.u");
  const LateEvents::Found found = only(body, "100 ms", 45);
  EXPECT_EQ(found.count, 1);
  EXPECT_NEAR(found.latest, 0.063, 1e-8);
}

TEST(LateEvents, ARelayInALoopIsLateAtEachSwitch) {
  const std::string body = "<block name='r' type='discrete/Relay' lower='-0.537' upper='0.537' on_value='-1' "
                           "off_value='1'/><block name='x' type='continuous/Integrator'/>"
                           "<connect from='x.y' to='r.u'/><connect from='r.y' to='x.u'/>";
  const LateEvents::Found found = only(body, "100 ms", 100);
  EXPECT_EQ(found.count, 8);
  EXPECT_NEAR(found.latest, 0.063, 1e-6);
}

/// x goes up to 0.6, down to -0.6 and up again: the second switch waits longest.
TEST(LateEvents, TheLongestWaitIsSaidAndNotTheLast) {
  const std::string body = "<block name='r' type='discrete/Relay' lower='-0.513' upper='0.537' on_value='-1' "
                           "off_value='1'/><block name='x' type='continuous/Integrator'/>"
                           "<connect from='x.y' to='r.u'/><connect from='r.y' to='x.u'/>";
  const LateEvents::Found found = only(body, "100 ms", 32);
  EXPECT_EQ(found.count, 3);
  EXPECT_NEAR(found.latest, 0.087, 1e-7);
}

/// From the thousandth on they are counted without a look at when they were.
TEST(LateEvents, AreCountedHoweverManyThereAre) {
  const std::string body = "<block name='r' type='discrete/Relay' lower='-0.537' upper='0.537' on_value='-1' "
                           "off_value='1'/><block name='x' type='continuous/Integrator'/>"
                           "<connect from='x.y' to='r.u'/><connect from='r.y' to='x.u'/>";
  Loop loop(body, {}, "600 ms");
  loop.runtime().watch_events();
  loop.run(3000);
  const std::vector<double>& y = loop.trace("r.y");
  std::int64_t switches = 0;
  for (std::size_t k = 1; k < y.size(); ++k) switches += y[k] != y[k - 1] ? 1 : 0;
  ASSERT_GT(switches, 1100);
  EXPECT_NEAR(static_cast<double>(loop.runtime().solver().late_events()->found().front().count),
              static_cast<double>(switches), 1);
}

/// A relay that does not run, and one that runs at the ticks of a trigger alone.
TEST(LateEvents, WhatDoesNotRunOrIsTriggeredIsNotLate) {
  const std::string triggered = "<subsystem name='s' trigger='on.y'><input name='u'/><output name='y'/>" +
                                block("r", "discrete/Relay' lower='-1' upper='0.537'") + wire("u", "r.u") +
                                wire("r.y", "y") + "</subsystem>";
  const std::string pulses = block("g", "sources/Pulse' high='1' width='100 ms' repeat='200 ms' first='100 ms' "
                                        "sample_time='100 ms'") +
                             block("on", "math/Compare' operation='greater' with='0.5'") + wire("g.y", "on.a");
  const std::string never = block("t", "sources/Clock'") +
                            block("off", "math/Compare' operation='greater' with='5 s'") + wire("t.time", "off.a");
  for (const std::string& body : {rising(pulses + triggered + wire("x.y", "s.u") + seen_by_integrator("s.y")),
                                  rising(never + block("r", "discrete/Relay' lower='-1' upper='0.537' enable='off.y'") +
                                         wire("x.y", "r.u") + seen_by_integrator("r.y"))}) {
    Watched watched(body, "100 ms", 9);
    EXPECT_TRUE(watched.late() == nullptr || watched.late()->found().empty()) << body << watched.text();
  }
}

/// What a block gives may move between two ticks and jump as well: a move is not an event.
TEST(LateEvents, WhatMovesDoesNotJump) {
  Watched watched(
      rising("<block name='m' type='probes/MovingSwitch'/>" + wire("x.y", "m.u") + seen_by_integrator("m.y")), "100 ms",
      9);
  ASSERT_NE(watched.late(), nullptr);
  EXPECT_THAT(watched.late()->found(), ::testing::IsEmpty()) << watched.text();
}

/// Events on time, events that are meant, and events that reach nothing continuous.
TEST(LateEvents, NothingIsSaidWhereNothingIsLate) {
  const std::string periodic = " sample_time='100 ms'";
  for (const std::string& body :
       {step("0.5 s"), step("0 s"), step("5 s"), relay("5"), saw("5"), enabled("5"), step("0.537 s", periodic),
        relay("0.537", periodic), saw("0.537", periodic), saw("0.5"),
        rising(block("u", "sources/Step' after='1' time='0.537 s'") + block("d", "discrete/UnitDelay'") +
               wire("u.y", "d.u") + seen_by_integrator("d.y"))}) {
    Watched watched(body, "100 ms", 9);
    EXPECT_TRUE(watched.late() == nullptr || watched.late()->found().empty()) << body;
    EXPECT_EQ(watched.text(), "") << body;
  }
}

/// 537 steps of 1 ms add up to a little more or less than 0.537: at a border that is a tick by its numbers a relay
/// switches a tick later, and the run swings further. The warning is true.
TEST(LateEvents, WhatRoundingCarriesPastATickIsATickLate) {
  const std::string body = "<block name='r' type='discrete/Relay' lower='-0.537' upper='0.537' on_value='-1' "
                           "off_value='1'/><block name='x' type='continuous/Integrator'/>"
                           "<connect from='x.y' to='r.u'/><connect from='r.y' to='x.u'/>";
  Loop loop(body, {}, "1 ms");
  loop.runtime().watch_events();
  loop.run(10'000);
  const std::vector<double>& x = loop.trace("x.y");
  EXPECT_NEAR(*std::max_element(x.begin(), x.end()), 0.538, 1e-9);
  ASSERT_EQ(loop.runtime().solver().late_events()->found().size(), 1u);
  EXPECT_NEAR(loop.runtime().solver().late_events()->found().front().latest, 1e-3, 1e-9);
}

TEST(LateEvents, NoOneLooksWhereCrossingsAreLocated) {
  for (const char* period : {"100 ms\" events=\"located", "100 ms\" solver=\"dopri5"})
    for (const std::string& body : {step("0.537 s"), relay("0.537"), saw("0.537"), enabled("0.537")})
      EXPECT_EQ(Watched(body, period, 9).late(), nullptr) << body;
}

TEST(LateEvents, AreSaidWithNameLagAndRemedy) {
  Watched reset(saw("0.537"), "100 ms", 9);
  EXPECT_EQ(
      reset.text(),
      "test.xml:2: warning[event-late]: rk4 with one step a tick of 100 ms acts on events at the next tick: 'x' "
      "(continuous/Integrator) was set once, 63 ms late\n"
      "  help: write events=\"located\" in the diagram, or take --solver dopri5, to act at their very time; where "
      "ticks are meant, give what switches sample_time=\"100 ms\"\n");
  const auto document = reset.document();
  EXPECT_EQ(document["late_events"]["x"]["count"], 1);
  EXPECT_NEAR(document["late_events"]["x"]["latest"].get<double>(), 0.063, 1e-8);
  Watched switched(relay("0.537"), "100 ms", 9), conditional(enabled("0.537"), "100 ms", 9);
  EXPECT_THAT(switched.text(), HasSubstr("'r' (discrete/Relay) switched once, 63 ms late"));
  EXPECT_THAT(conditional.text(), HasSubstr("the condition of 'z', which 'on' drives, changed once, 63 ms late"));
}

TEST(LateEvents, ThreeAreNamedAndTheOthersAreCounted) {
  std::string body;
  for (int i = 1; i <= 5; ++i)
    body += block("u" + std::to_string(i), "sources/Step' after='1' time='0.537'") +
            block("z" + std::to_string(i), "continuous/Integrator'") +
            wire("u" + std::to_string(i) + ".y", "z" + std::to_string(i) + ".u");
  Watched watched(body, "100 ms", 9);
  const std::string text = watched.text();
  EXPECT_THAT(text, HasSubstr("63 ms late; and 2 others\n"));
  std::size_t named = 0;
  for (std::size_t at = text.find("(sources/Step)"); at != std::string::npos; at = text.find("(sources/Step)", at + 1))
    ++named;
  EXPECT_EQ(named, 3U) << text;
}

/// A mass that a sine pushes sticks at each turn where events are located; with fixed steps it continues.
std::string pushed(const std::string& friction, bool applied = true) {
  return block("f", "sources/Sine' sample_time='continuous' amplitude='2 N' frequency='0.5 Hz'") +
         block("r", "math/Friction' coulomb='1.2 N" + friction) + block("net", "math/Sum' signs='+-'") +
         block("a", "math/Gain' gain='1 1/kg'") + block("v", "continuous/Integrator'") + wire("f.y", "net.u[0]") +
         wire("r.force", "net.u[1]") + (applied ? wire("f.y", "r.applied") : "") + wire("net.y", "a.u") +
         wire("a.y", "v.u") + wire("v.y", "r.v");
}

TEST(LateEvents, FrictionThatShouldHaveStoppedIsSaid) {
  Watched watched(pushed("'"), "10 ms", 400);
  EXPECT_THAT(watched.text(), HasSubstr("test.xml:2: warning[event-late]: rk4 with one step a tick of 10 ms acts on "
                                        "events at the next tick: 'r' (math/Friction) should have stopped "));
  EXPECT_THAT(watched.text(), HasSubstr("and continued\n  help: write events=\"located\""));
}

/// At every tick it moves one way; within each step it turns back and forth, and creeps.
TEST(LateEvents, FrictionThatCreepsAtRestIsSaid) {
  Watched watched(block("r", "math/Friction' coulomb='1 N'") + block("k", "math/Gain' gain='-40 N/m'") +
                      block("net", "math/Sum' signs='+-'") + block("a", "math/Gain' gain='1 1/kg'") +
                      block("v", "continuous/Integrator' initial='0 m/s'") +
                      block("x", "continuous/Integrator' initial='0.23 m'") + wire("v.y", "r.v") + wire("x.y", "k.u") +
                      wire("k.y", "r.applied") + wire("k.y", "net.u[0]") + wire("r.force", "net.u[1]") +
                      wire("net.y", "a.u") + wire("a.y", "v.u") + wire("v.y", "x.u"),
                  "1 ms", 4000);
  EXPECT_THAT(watched.text(), HasSubstr("'r' (math/Friction) should have stopped "));
}

TEST(LateEvents, FrictionThatOnlyTurnsOrIsSmoothIsNot) {
  // nothing says what drives it, or it may not stick; and a table's pieces last longer than an instant
  const std::string table = rising(block("t", "math/LookupTable' x='0 0.1 0.2 0.3' values='0 1 0 1'") +
                                   wire("x.y", "t.u") + seen_by_integrator("t.y"));
  for (const std::string& body : {pushed("'", false), pushed("' smoothing_velocity='1e-3 m/s'"), table})
    EXPECT_EQ(Watched(body, "10 ms", 35).text(), "") << body;
}

TEST(LateEvents, AreReportedOnceAsSoonAsThereIsOne) {
  Watched watched(relay("0.537"), "100 ms", 3);
  NewFindings news;
  Diagnostics early, late, again;
  news.report(watched.runtime(), early);
  EXPECT_EQ(early.text(), "");
  for (int i = 0; i < 9; ++i) watched.runtime().step();
  news.report(watched.runtime(), late);
  EXPECT_THAT(late.text(), HasSubstr("'r' (discrete/Relay) switched once, 63 ms late"));
  news.report(watched.runtime(), again);
  EXPECT_EQ(again.text(), "");
  news.forget();
  news.report(watched.runtime(), again);
  EXPECT_EQ(again.text(), late.text());
}

/// A run that goes back counts what it repeats once; a slower block's event may be pending there.
TEST(LateEvents, CountFromWhereTheRunGoesBackTo) {
  const std::string body = relay("0.537") + block("fast", "sources/Clock' sample_time='20 ms'") +
                           block("t", "sinks/Terminator'") + wire("fast.time", "t.u");
  for (const std::int64_t back : {0, 20, 27, 28}) { // it happens after tick 26, and acts at tick 30
    Watched watched(body, "100 ms", back);
    Runtime& runtime = watched.runtime();
    const Checkpoint there = runtime.checkpoint();
    const SolverCounts counted = runtime.solver().counts();
    for (int round = 0; round < 3; ++round) {
      ASSERT_TRUE(runtime.restore(there));
      runtime.count_from(counted);
      while (runtime.tick() < 45) runtime.step();
    }
    ASSERT_EQ(watched.late()->found().size(), 1u) << back;
    EXPECT_EQ(watched.late()->found().front().count, 1) << back;
  }
}

TEST(LateEvents, ALookChangesNoBit) {
  for (const std::string& body : {everything(), step("5.37 ms"), relay("0.0053"), saw("0.0053"), enabled("0.0053")}) {
    Loop loop(body), other(body);
    loop.runtime().watch_events();
    for (int i = 0; i < 60; ++i) {
      loop.run(1), other.run(1);
      ASSERT_EQ(loop.bits(), other.bits()) << i << ", " << body;
    }
    EXPECT_EQ(loop.runtime().checkpoint(), other.runtime().checkpoint()) << body;
  }
}

/// A look tries times that the method does not: a block that throws there changes nothing of the run.
TEST(LateEvents, ALookAtWhichABlockThrowsChangesNoBit) {
  const std::string body =
      rising("<block name='a' type='probes/Abyss'/>" + wire("x.y", "a.u") +
             block("r", "discrete/Relay' lower='-1' upper='0.537'") + wire("a.y", "r.u") + seen_by_integrator("r.y"));
  Loop loop(body, {}, "100 ms"), other(body, {}, "100 ms");
  loop.runtime().watch_events();
  loop.run(12), other.run(12);
  EXPECT_EQ(loop.bits(), other.bits());
  EXPECT_EQ(loop.trace("z.y"), other.trace("z.y"));
  EXPECT_EQ(loop.runtime().checkpoint(), other.runtime().checkpoint());
  EXPECT_GT(loop.value("z.y"), 0.1);
}

/// Which nothing drives.
TEST(LateEvents, OfABlockThatSetsItselfCount) {
  const std::string ball = "<block name='ball' type='probes/TickBall' keeps='0.5'/>";
  Watched fixed(ball, "10 ms", 60);
  ASSERT_NE(fixed.late(), nullptr);
  ASSERT_EQ(fixed.late()->found().size(), 1u);
  EXPECT_EQ(fixed.late()->found().front().count, 1) << "at 0.4515 s";
  EXPECT_NEAR(fixed.late()->found().front().latest, 0.0085, 1e-4);
  EXPECT_THAT(fixed.text(),
              HasSubstr("warning[event-late]: rk4 with one step a tick of 10 ms acts on events at the next "
                        "tick: 'ball' (probes/TickBall) was set once, 8.48 ms late"));
}

std::string remark_of(const std::string& body, const std::string& period, bool clocked = false) {
  Loop loop(body, {}, period);
  return unlocated_events_remark(loop.runtime().system(), clocked);
}

TEST(LateEvents, AreNamedBeforeTheRunToo) {
  const std::string ball = "<block name='ball' type='probes/TickBall' keeps='0.5'/>";
  const std::string begin = "'ball' (probes/TickBall): it declares events, and the fixed step of rk4 locates none: "
                            "update() acts at the next tick, up to 10 ms late; ";
  EXPECT_EQ(remark_of(ball, "10 ms"), begin + "events=\"located\" or solver=\"dopri5\" in the diagram, or --solver "
                                              "dopri5, acts at their very time");
  EXPECT_EQ(remark_of(ball, "10 ms", true), begin + "on devices and with --realtime no crossing is located");
  EXPECT_EQ(remark_of(ball, "10 ms\" solver=\"dopri5"), "");
  EXPECT_EQ(remark_of(ball, "10 ms\" events=\"located"), "");
  EXPECT_THAT(remark_of(relay("0.5"), "10 ms"), HasSubstr("'r' (discrete/Relay): it declares events"));
  EXPECT_EQ(remark_of(relay("0.5", " sample_time='10 ms'"), "10 ms"), "") << "ticks are meant";
  EXPECT_EQ(remark_of(saw("0.5"), "10 ms").find("'x' (continuous/Integrator): it declares events"), 0u);
  EXPECT_EQ(remark_of(step("0.5 s"), "10 ms"), "") << "it is at the tick of its time or before, and has no event()";
  std::string many;
  for (const char* name : {"a", "b", "c", "d"})
    many += fmt::format("<block name='{}' type='probes/TickBall' keeps='0.5'/>", name);
  EXPECT_THAT(
      remark_of(many, "10 ms"),
      HasSubstr("'a' (probes/TickBall), 'b' (probes/TickBall), 'c' (probes/TickBall) and 1 more: they declare "));
}

/// It hears what changes at ticks alone.
TEST(LateEvents, AResetByASampledTriggerIsNotNamed) {
  const std::string body = block("one", "sources/Constant' value='1 1/s'") +
                           block("pulse", "sources/Constant' value='-1' sample_time='10 ms'") +
                           block("z", "continuous/ResetIntegrator'") + wire("one.y", "z.u") +
                           wire("pulse.y", "z.trigger");
  EXPECT_EQ(remark_of(body, "10 ms"), "");
}

} // namespace
} // namespace hilda::test
