// SPDX-License-Identifier: BSD-3-Clause
// In what order blocks run, and that it is the same order and the same bits every time.

#include "tests/engine/loop.h"

#include <gmock/gmock.h>
#include <map>
#include <set>
#include <string>

namespace hilda::test {
namespace {

using ::testing::HasSubstr;

TEST(LoopOrder, FollowsTheWiresAndNotTheFile) {
  Loop loop(R"(<block name="last" type="math/Gain" gain="2"/>
<block name="middle" type="math/Gain" gain="2"/>
<block name="first" type="math/Gain" gain="2"/>
<block name="source" type="sources/Clock"/>
<connect from="middle.y" to="last.u"/>
<connect from="first.y" to="middle.u"/>
<connect from="source.time" to="first.u"/>
)");
  loop.run(5);
  for (std::size_t k = 0; k < 5; ++k) EXPECT_EQ(loop.trace("last.y").at(k), 8 * loop.trace("source.time").at(k)) << k;
}

/// Equal blocks come in runs: of several that are ready, one of the type that ran last goes first, in the order of the
/// file.
TEST(LoopOrder, StaysWithATypeAsLongAsOneOfItIsReady) {
  Loop loop(R"(<block name="one" type="sources/Constant" value="1"/>
<block name="g1" type="math/Gain" gain="2"/><block name="a1" type="math/Abs"/>
<block name="g2" type="math/Gain" gain="2"/><block name="a2" type="math/Abs"/>
<block name="g3" type="math/Gain" gain="2"/><block name="a3" type="math/Abs"/>
<block name="g4" type="math/Gain" gain="2"/>
<connect from="one.y" to="g1.u"/><connect from="one.y" to="a1.u"/>
<connect from="one.y" to="a2.u"/><connect from="g1.y" to="g2.u"/>
<connect from="a1.y" to="g3.u"/><connect from="g2.y" to="a3.u"/>
<connect from="g3.y" to="g4.u"/>
)");
  const Plan& plan = loop.runtime().plan();
  std::vector<std::string> ran;
  for (const NodeIndex node : plan.order)
    ran.push_back(loop.runtime().system().blocks[plan.graph.nodes[node].block].path);
  const bool gains_first = std::find(ran.begin(), ran.end(), "g1") < std::find(ran.begin(), ran.end(), "a1");
  if (gains_first)
    EXPECT_THAT(ran, ::testing::ElementsAre("one", "g1", "g2", "a1", "a2", "a3", "g3", "g4"));
  else
    EXPECT_THAT(ran, ::testing::ElementsAre("one", "a1", "a2", "g1", "g2", "g3", "g4", "a3"));
}

/// Loops of a delay, a gain and an absolute value, far more than run in a row.
std::string many_loops() {
  std::string body;
  for (int i = 0; i < 4000; ++i) {
    const std::string n = std::to_string(i);
    body += "<block name='d" + n + "' type='discrete/UnitDelay' initial='" + n + "'/><block name='g" + n +
            "' type='math/Gain' gain='-0.9'/><block name='a" + n + "' type='math/Abs'/>\n<connect from='d" + n +
            ".y' to='g" + n + ".u'/><connect from='g" + n + ".y' to='a" + n + ".u'/><connect from='a" + n +
            ".y' to='d" + n + ".u'/>\n";
  }
  return body;
}

TEST(LoopOrder, ManyEqualBlocksLetTheirReadersInBetween) {
  constexpr std::size_t longest_run = 64, types = 3;
  Loop loop(many_loops());
  const Plan& plan = loop.runtime().plan();
  const System& system = loop.runtime().system();
  std::map<std::string, std::size_t> place;
  std::size_t run = 0;
  const BlockType* before = nullptr;
  for (const NodeIndex node : plan.order) {
    const SystemBlock& block = system.blocks[plan.graph.nodes[node].block];
    run = block.type == before ? run + 1 : 1;
    before = block.type;
    EXPECT_LE(run, longest_run);
    const std::size_t next = place.size();
    place[block.path] = next;
  }
  ASSERT_EQ(place.size(), 12000u);
  for (int i = 0; i < 4000; ++i) {
    const std::string n = std::to_string(i);
    EXPECT_LT(place["a" + n] - place["d" + n], types * longest_run) << n;
  }
}

TEST(LoopOrder, ManyEqualBlocksGiveTheBitsOfSingleCalls) {
  RuntimeOptions separate;
  separate.separate = true;
  Loop a(many_loops()), b(many_loops(), separate);
  for (int k = 0; k < 5; ++k) {
    a.run(1), b.run(1);
    ASSERT_EQ(a.bits(), b.bits()) << k;
  }
  EXPECT_EQ(a.value("d3600.y"), 3600 * 0.9 * 0.9 * 0.9 * 0.9);
}

TEST(LoopOrder, NeverInsertsADelay) {
  Loop loop(R"(<block name="clock" type="sources/Clock"/>
<block name="sum" type="math/Sum" signs="++"/>
<block name="before" type="discrete/UnitDelay"/>
<connect from="clock.time" to="sum.u[0]"/>
<connect from="before.y" to="sum.u[1]"/>
<connect from="sum.y" to="before.u"/>
)");
  loop.run(10);
  double sum = 0;
  for (std::size_t k = 0; k < 10; ++k) EXPECT_EQ(loop.trace("sum.y").at(k), sum += loop.trace("clock.time").at(k)) << k;
}

TEST(LoopOrder, TwoRunsGiveTheSameBits) {
  Loop a(everything()), b(everything());
  for (int k = 0; k < 200; ++k) {
    a.run(1), b.run(1);
    ASSERT_EQ(a.bits(), b.bits()) << k;
  }
}

/// The delay waits in the first tick for what fills it, which comes from the block that reads it: that block is updated
/// with what the delay holds, and not with what was there before.
TEST(LoopOrder, AnUpdateHasItsInputsInTheFirstTickToo) {
  const std::string body = "<block name='age' type='sources/Constant' value='1 ms'/>"
                           "<block name='v' type='discrete/VariableDelay' shortest='1 ms' longest='4 ms'/>"
                           "<block name='more' type='math/Bias' bias='3'/>"
                           "<block name='d' type='discrete/Delay' delay='2 ms'/>"
                           "<connect from='age.y' to='v.delay'/><connect from='v.y' to='more.u'/>"
                           "<connect from='more.y' to='d.u'/><connect from='more.y' to='d.fill'/>"
                           "<connect from='d.y' to='v.u' shape='1'/>";
  RuntimeOptions separate;
  separate.separate = true;
  Loop together(body), apart(body, separate);
  together.run(6), apart.run(6);
  for (Loop* loop : {&together, &apart}) {
    EXPECT_EQ(loop->trace("d.y"), (std::vector<double>{3, 3, 3, 6, 6, 6}));
    EXPECT_EQ(loop->trace("v.y"), (std::vector<double>{0, 3, 3, 3, 6, 6}));
  }
}

TEST(LoopOrder, SeparateCallsGiveTheSameBits) {
  RuntimeOptions separate;
  separate.separate = true;
  Loop a(everything()), b(everything(), separate);
  for (int k = 0; k < 200; ++k) {
    a.run(1), b.run(1);
    ASSERT_EQ(a.bits(), b.bits()) << k;
  }
}

/// Rows of gains that read the one before, one further up or another source, and of PIDs with every combination of
/// their words, with and without a measured value, some of them at a limit.
std::string rows() {
  std::string body = "<block name='one' type='sources/Sine' amplitude='2' frequency='30 Hz'/>\n"
                     "<block name='two' type='sources/Sine' amplitude='3' frequency='7 Hz'/>\n";
  const char* const read[] = {"one", "g0", "g1", "g1", "g3", "two", "g5", "g0", "g7", "g8"};
  for (int i = 0; i < 10; ++i) {
    const std::string n = std::to_string(i);
    body += "<block name='g" + n + "' type='math/Gain' gain='1." + n + "'/>\n";
    body += "<connect from='" + std::string(read[i]) + ".y' to='g" + n + ".u'/>\n";
  }
  int pid = 0;
  for (const char* anti_windup : {"clamp", "back_calculation", "none"})
    for (const char* derivative_of : {"error", "measured"})
      for (const bool measured : {true, false}) {
        const std::string n = std::to_string(pid++);
        body += "<block name='p" + n + "' type='discrete/Pid' kp='3.1' ki='90 1/s' kd='0.01 s' filter_time='3 ms' " +
                "lower='-7' upper='5' tracking_time='30 ms' anti_windup='" + anti_windup + "' derivative_of='" +
                derivative_of + "'/>\n<connect from='g4.y' to='p" + n + ".setpoint'/>\n";
        if (measured) body += "<connect from='g9.y' to='p" + n + ".measured'/>\n";
      }
  return body;
}

TEST(LoopOrder, RowsOfABlockGiveTheBitsOfSingleCalls) {
  RuntimeOptions separate;
  separate.separate = true;
  Loop a(rows()), b(rows(), separate);
  std::set<double> seen;
  for (int k = 0; k < 300; ++k) {
    a.run(1), b.run(1);
    ASSERT_EQ(a.bits(), b.bits()) << k;
    for (int pid = 0; pid < 12; ++pid) seen.insert(a.value("p" + std::to_string(pid) + ".command"));
  }
  EXPECT_GT(seen.size(), 500u);
  EXPECT_EQ(*seen.begin(), -7);
  EXPECT_EQ(*seen.rbegin(), 5);
}

TEST(LoopOrder, TheDiagramOfTheseTestsIsAlive) {
  Loop loop(everything());
  loop.run(200);
  for (const char* path : {"noise.y", "line.y", "held.y", "loop.speed.y", "loop.place.y", "loop.inner.y", "memory.y",
                           "slow_memory.y", "wall.force"}) {
    const std::vector<double>& trace = loop.trace(path);
    EXPECT_GT(std::set<double>(trace.begin(), trace.end()).size(), 5u) << path;
  }
}

/// Six lanes of the same maths: as one vector of `width` at a time.
std::string lanes(int width) {
  std::string body;
  for (int first = 0; first < 6; first += width) {
    std::string amplitude, frequency, gain;
    // with more than six elements the general layout is taken: the rest are idle
    for (int i = first; i < first + width; ++i) {
      const std::string space = i > first ? " " : "";
      amplitude += space + std::to_string(i + 1), frequency += space + std::to_string(3 * i + 1);
      gain += space + "0." + std::to_string(i % 9 + 1);
    }
    const std::string n = std::to_string(first);
    body += "<block name='s" + n + "' type='sources/Sine' amplitude='" + amplitude + "' frequency='" + frequency +
            " Hz'/>\n";
    body += "<block name='g" + n + "' type='math/Gain' gain='" + gain + "'/>\n";
    body += "<block name='d" + n + "' type='discrete/DiscreteIntegrator' method='trapezoidal'/>\n";
    body += "<block name='u" + n + "' type='discrete/UnitDelay'/>\n";
    body += "<block name='c" + n + "' type='continuous/Integrator'/>\n";
    body += "<connect from='s" + n + ".y' to='g" + n + ".u'/><connect from='g" + n + ".y' to='d" + n + ".u'/>\n";
    body += "<connect from='d" + n + ".y' to='u" + n + ".u'/><connect from='u" + n + ".y' to='c" + n + ".u'/>\n";
  }
  return body;
}

/// The outputs of all lanes at every tick, lane by lane.
std::vector<double> lane_bits(int width) {
  Loop loop(lanes(width));
  std::vector<double> all;
  for (int k = 0; k < 100; ++k) {
    loop.run(1);
    for (const char* block : {"g", "d", "u", "c"})
      for (int lane = 0; lane < 6; ++lane)
        all.push_back(
            loop.value(block + std::to_string(lane / width * width) + ".y", static_cast<std::size_t>(lane % width)));
  }
  return all;
}

TEST(LoopOrder, EveryLayoutOfABlockGivesTheSameBits) {
  const std::vector<double> scalar = lane_bits(1);
  EXPECT_GT(std::set<double>(scalar.begin(), scalar.end()).size(), 1000u);
  for (const int width : {2, 3, 6, 7}) EXPECT_EQ(lane_bits(width), scalar) << width;
}

TEST(AlgebraicLoop, IsReportedHopByHop) {
  const std::string errors = errors_of(R"(<block name="a" type="math/Gain" gain="2"/>
<block name="b" type="math/Gain" gain="3"/>
<block name="c" type="math/Sum" signs="+-"/>
<connect from="a.y" to="b.u"/>
<connect from="b.y" to="c.u[1]"/>
<connect from="c.y"
         to="a.u"/>
<block name="one" type="sources/Constant" value="1"/>
<connect from="one.y" to="c.u[0]"/>
)");
  EXPECT_THAT(errors, HasSubstr("error[algebraic-loop]: the blocks need each other's outputs within one tick: "));
  EXPECT_THAT(errors, HasSubstr("\n  test.xml:5: a.y goes to b.u, which feeds through"));
  EXPECT_THAT(errors, HasSubstr("\n  test.xml:6: b.y goes to c.u[1], which feeds through"));
  EXPECT_THAT(errors, HasSubstr("\n  test.xml:7: c.y goes to a.u, which feeds through"));
  EXPECT_THAT(errors, HasSubstr("\n  help: put a discrete/UnitDelay where the real system waits a tick"));
}

TEST(AlgebraicLoop, OfEachKnotIsReported) {
  const std::string errors = errors_of(R"(<block name="a" type="math/Sum" signs="++"/>
<block name="b" type="math/Sum" signs="++"/>
<connect from="a.y" to="a.u[0]"/>
<connect from="b.y" to="b.u[0]"/>
<block name="one" type="sources/Constant" value="1"/>
<connect from="one.y" to="a.u[1]"/>
<connect from="one.y" to="b.u[1]"/>
)");
  EXPECT_THAT(errors, HasSubstr("test.xml:4: a.y goes to a.u[0]"));
  EXPECT_THAT(errors, HasSubstr("test.xml:5: b.y goes to b.u[0]"));
}

TEST(AlgebraicLoop, IsBrokenByADelayThatDelays) {
  const auto with = [](const std::string& samples) {
    return "<block name='one' type='sources/Constant' value='1'/><block name='a' type='math/Sum' signs='++'/>"
           "<block name='d' type='discrete/Delay' samples='" +
           samples +
           "'/>\n<connect from='one.y' to='a.u[0]'/>"
           "<connect from='a.y' to='d.u'/><connect from='d.y' to='a.u[1]'/>\n";
  };
  EXPECT_THAT(errors_of(with("0")), HasSubstr("error[algebraic-loop]"));
  Loop loop(with("1"));
  loop.run(5);
  EXPECT_THAT(loop.trace("a.y"), ::testing::ElementsAre(1, 2, 3, 4, 5));
}

TEST(AlgebraicLoop, IsNotMadeByASubsystem) {
  Loop loop(R"(<block name="clock" type="sources/Clock"/>
<subsystem name="pair">
  <input name="a"/><input name="b"/><output name="x"/><output name="y"/>
  <block name="p" type="math/Gain" gain="2"/>
  <block name="q" type="math/Gain" gain="5"/>
  <connect from="a" to="p.u"/><connect from="p.y" to="x"/>
  <connect from="b" to="q.u"/><connect from="q.y" to="y"/>
</subsystem>
<connect from="clock.time" to="pair.a"/>
<connect from="pair.x" to="pair.b"/>
)");
  loop.run(3);
  EXPECT_EQ(loop.trace("pair.q.y").at(2), 10 * 0.002);
}

TEST(AlgebraicLoop, OfAFirstTickIsReportedAsWhatItIs) {
  const std::string errors = errors_of(R"(<block name="line" type="discrete/Delay" samples="3"/>
<block name="sum" type="math/Sum" signs="++"/>
<block name="one" type="sources/Constant" value="1"/>
<connect from="line.y" to="sum.u[0]"/>
<connect from="one.y" to="sum.u[1]"/>
<connect from="sum.y" to="line.u"/>
<connect from="sum.y" to="line.fill"/>
)");
  EXPECT_THAT(errors, HasSubstr("error[algebraic-loop]"));
  EXPECT_THAT(errors, HasSubstr("sum.y goes to line.fill, which is read before the block's first outputs"));
}

} // namespace
} // namespace hilda::test
