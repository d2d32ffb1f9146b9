// SPDX-License-Identifier: BSD-3-Clause
// Equal blocks computed several at once, their records in one another. Whatever is done with a run, its bits are those
// of blocks computed one by one: here with rows of controllers drawn by chance.

#include "engine/catalogue/lanes.h"
#include "engine/compile/parameter_change.h"
#include "engine/run/start.h"
#include "engine/session/summary_parameters.h"
#include "tests/modules.h"
#include "tests/standard_plugins.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <random>

namespace hilda::test {
namespace {

const Catalogue& blocks() {
  return standard_plugins({"sources", "math", "discrete", "routing", "tests/engine/plugins/probes.so"}).catalogue();
}

/// A diagram in the loop, with groups of lanes or without.
struct Course {
  Course(const std::string& text, std::uint32_t lanes)
      : diagram(blocks(), DiagramText{"test.xml", text}, LoadOptions()) {
    RuntimeOptions options;
    options.lanes = lanes;
    if (diagram.has_system()) runtime = start_runtime(diagram, options);
    EXPECT_NE(runtime, nullptr) << diagram.diagnostics().text();
  }
  std::vector<unsigned char> outputs() const {
    std::vector<unsigned char> all;
    for (const SystemSignal& signal : runtime->signals()) {
      const auto* data = static_cast<const unsigned char*>(signal.span.data);
      all.insert(all.end(), data, data + signal.span.bytes());
    }
    return all;
  }
  std::size_t grouped() const {
    std::size_t count = 0;
    for (const BlockIndex b : runtime->system().blocks.indices()) count += runtime->memory().group(b) != nullptr;
    return count;
  }
  void set(const std::string& path, const std::string& text) {
    Diagnostics diagnostics;
    const auto found = find_parameter(runtime->system(), path);
    ASSERT_TRUE(found) << path;
    const auto change = change_parameters(runtime->system(), {{{}, {path, text, {}}, found->in_block}}, diagnostics);
    ASSERT_TRUE(change) << diagnostics.text();
    runtime->change(make_patch(runtime->system(), runtime->memory(), *change));
    runtime->adopt(*change);
  }

  LoadedDiagram diagram;
  std::unique_ptr<Runtime> runtime;
};

std::string diagram(const std::string& body) {
  return "<diagram format=\"1\" name=\"lanes\" period=\"1 ms\">\n" + body + "</diagram>\n";
}

/// Rows of loops: a PID that saturates often, and a plant; numbers of each its own.
class Rows {
public:
  explicit Rows(unsigned seed) : random_(seed) {
    body_ = "<block name='step' type='sources/Step' time='20 ms' before='-1' after='1'/>\n"
            "<block name='wave' type='sources/Sine' amplitude='2' frequency='13 Hz'/>\n";
    for (std::size_t rows = 1 + pick(3); rows > 0; --rows) row(1 + pick(17));
  }
  std::string text() const { return diagram(body_); }
  std::size_t loops() const { return loops_; }

private:
  std::size_t pick(std::size_t count) { return std::uniform_int_distribution<std::size_t>(0, count - 1)(random_); }
  double number(double from, double to) { return std::uniform_real_distribution<double>(from, to)(random_); }

  /// Alike in what a group has in common, but now and then one that is not.
  void row(std::size_t count) {
    static const std::vector<std::string> windups{"clamp", "back_calculation", "none"};
    const std::string windup = windups[pick(3)], of = pick(2) == 0 ? "error" : "measured";
    const std::string rate = pick(3) == 0 ? " sample_time='3 ms'" : "";
    const bool open = pick(4) == 0;
    const std::string direct = open && pick(2) == 0 ? "D='0.3'" : "";
    for (; count > 0; --count, ++loops_) {
      const bool odd = pick(12) == 0;
      body_ += fmt::format(
          "<block name='pid{0}' type='discrete/Pid' kp='{1}' ki='{2} 1/s' kd='{3} s' filter_time='{4} s' "
          "lower='{5}' upper='{6}' tracking_time='{7} s' initial='{8}' anti_windup='{9}' "
          "derivative_of='{10}'{11}/>\n",
          loops_, number(0, 30), number(0, 200), number(0, 0.1), pick(2) == 0 ? 0 : number(0, 0.02), number(-2, 0),
          number(0, 2), number(0.01, 1), number(-1, 1), odd ? windups[pick(3)] : windup, of, rate);
      body_ +=
          fmt::format("<block name='plant{0}' type='discrete/DiscreteStateSpace' A='{1} 0.001; {2} {3};' B='0; {4};' "
                      "C='1 {5};' initial='{6}' {8}{7}/>\n",
                      loops_, number(0.9, 1), number(-2, 0), number(0.8, 1), number(0, 0.5), number(-0.1, 0.1),
                      number(-1, 1), rate, direct);
      body_ += fmt::format("<connect from='{1}.y' to='pid{0}.setpoint'/>\n", loops_, pick(2) == 0 ? "step" : "wave");
      if (!open && !(odd && pick(2) == 0))
        body_ += fmt::format("<connect from='plant{0}.y' to='pid{0}.measured'/>\n", loops_);
      body_ += fmt::format("<connect from='pid{0}.command' to='plant{0}.u'/>\n", loops_);
    }
  }

  std::mt19937 random_;
  std::string body_;
  std::size_t loops_ = 0;
};

/// So many loops, all alike.
std::string equal_loops(std::size_t count, const std::string& setpoint) {
  std::string body = setpoint;
  for (std::size_t i = 0; i < count; ++i)
    body += fmt::format(
        "<block name='pid{0}' type='discrete/Pid' kp='{0}.5' ki='20 1/s' kd='0.01 s' lower='-3' upper='3'/>\n"
        "<block name='plant{0}' type='discrete/DiscreteStateSpace' A='1 0.001; -0.01 0.99;' B='0; 0.1;' "
        "C='1 0;'/>\n"
        "<connect from='source.y' to='pid{0}.setpoint'/>\n"
        "<connect from='plant{0}.y' to='pid{0}.measured'/>\n"
        "<connect from='pid{0}.command' to='plant{0}.u'/>\n",
        i);
  return diagram(body);
}
const std::string constant = "<block name='source' type='sources/Constant' value='1'/>\n";

TEST(Lanes, GiveTheBitsOfBlocksOneByOne) {
  std::size_t grouped = 0;
  for (unsigned seed = 0; seed < 40; ++seed) {
    const Rows rows(seed);
    Course lanes(rows.text(), seed % 2 == 0 ? 8 : 2), alone(rows.text(), 1);
    ASSERT_TRUE(lanes.runtime && alone.runtime) << seed;
    grouped += lanes.grouped();
    EXPECT_EQ(alone.grouped(), 0u);
    for (int k = 0; k < 120; ++k) {
      ASSERT_EQ(lanes.runtime->step(), alone.runtime->step()) << seed;
      ASSERT_EQ(lanes.outputs(), alone.outputs()) << "seed " << seed << ", tick " << k;
    }
    EXPECT_EQ(lanes.runtime->checkpoint(), alone.runtime->checkpoint()) << seed;
  }
  EXPECT_GT(grouped, 200u);
}

TEST(Lanes, EveryBlockOfALongRowButTheLastFewIsInAGroup) {
  for (const std::size_t count : {1u, 2u, 3u, 5u, 17u}) {
    Course course(equal_loops(count, constant), 8);
    ASSERT_NE(course.runtime, nullptr);
    EXPECT_EQ(course.grouped(), 2 * (count / 2 * 2)) << count; // controllers and plants
  }
}

TEST(Lanes, CheckpointsGoAcross) {
  const std::string text = Rows(3).text();
  Course lanes(text, 8), alone(text, 1);
  const auto run = [](Course& course, std::int64_t to) {
    while (course.runtime->tick() < to) ASSERT_TRUE(course.runtime->step());
  };
  run(lanes, 37);
  run(alone, 100);
  const Checkpoint kept = lanes.runtime->checkpoint(), later = alone.runtime->checkpoint();
  ASSERT_TRUE(alone.runtime->restore(kept));
  run(alone, 100);
  EXPECT_EQ(alone.runtime->checkpoint(), later);
  ASSERT_TRUE(lanes.runtime->restore(later));
  run(lanes, 150);
  run(alone, 150);
  EXPECT_EQ(lanes.runtime->checkpoint(), alone.runtime->checkpoint());
}

TEST(Lanes, ALiveParameterIsThatOfOneLane) {
  Course lanes(equal_loops(9, constant), 8), alone(equal_loops(9, constant), 1);
  ASSERT_GT(lanes.grouped(), 0u);
  for (int k = 0; k < 80; ++k) {
    if (k == 20)
      for (Course* course : {&lanes, &alone}) course->set("pid2.kp", "0.25"), course->set("pid5.filter_time", "7 ms");
    ASSERT_TRUE(lanes.runtime->step() && alone.runtime->step());
    ASSERT_EQ(lanes.outputs(), alone.outputs()) << k;
  }
}

/// The culprit of a lane that breaks, by its name and tick.
TEST(Lanes, WhatIsNoNumberInOneOfThemIsFoundWhereItArises) {
  for (const std::size_t broken : {0u, 3u, 6u}) {
    const std::string source = "<block name='source' type='sources/Step' time='15 ms' before='1' after='1e300'/>\n";
    std::string text = equal_loops(7, source);
    // of one of them the derivative becomes infinite
    const std::string row = fmt::format("kp='{}.5' ki='20 1/s' kd='0.01 s'", broken);
    const std::size_t at = text.find(row);
    ASSERT_NE(at, text.npos);
    text.replace(at, row.size(), "kp='2' ki='20 1/s' kd='1e20 s'");
    Course lanes(text, 8), alone(text, 1);
    ASSERT_GT(lanes.grouped(), 0u);
    while (lanes.runtime->tick() < 60 && lanes.runtime->step()) {}
    while (alone.runtime->tick() < 60 && alone.runtime->step()) {}
    EXPECT_EQ(lanes.runtime->ending().kind, Ending::Kind::failed) << broken;
    EXPECT_EQ(lanes.runtime->ending().block, fmt::format("pid{}", broken));
    EXPECT_EQ(lanes.runtime->ending().tick, alone.runtime->ending().tick) << broken;
    EXPECT_EQ(lanes.runtime->ending().block, alone.runtime->ending().block) << broken;
    EXPECT_EQ(lanes.runtime->ending().signal, alone.runtime->ending().signal) << broken;
    EXPECT_EQ(lanes.runtime->ending().text, alone.runtime->ending().text) << broken;
    EXPECT_EQ(lanes.outputs(), alone.outputs()) << broken;
  }
}

/// The numbers of a record are the same in a summary, and where a run continues in an edited diagram.
TEST(Lanes, TheStateIsTakenOverAndParametersAreToldAsTheyAre) {
  Course lanes(equal_loops(9, constant), 8), alone(equal_loops(9, constant), 1);
  EXPECT_EQ(json_text(parameter_values(*lanes.runtime)), json_text(parameter_values(*alone.runtime)));
  for (Course* course : {&lanes, &alone})
    while (course->runtime->tick() < 50) ASSERT_TRUE(course->runtime->step());
  // longer by two loops: other blocks lie next to each other
  Course longer(equal_loops(11, constant), 8), longer_alone(equal_loops(11, constant), 1);
  ASSERT_TRUE(longer.runtime->take_over(*lanes.runtime));
  ASSERT_TRUE(longer_alone.runtime->take_over(*alone.runtime));
  for (int k = 0; k < 30; ++k) {
    ASSERT_TRUE(longer.runtime->step() && longer_alone.runtime->step());
    ASSERT_EQ(longer.outputs(), longer_alone.outputs()) << k;
  }
  EXPECT_EQ(longer.runtime->checkpoint(), longer_alone.runtime->checkpoint());
}

/// One that reads what another of the row writes may not be in its group.
TEST(Lanes, BlocksThatReadOneAnotherStayAlone) {
  const std::string chain = constant + "<block name='a' type='discrete/Pid' kp='2' ki='1 1/s'/>\n"
                                       "<block name='b' type='discrete/Pid' kp='3' ki='1 1/s'/>\n"
                                       "<connect from='source.y' to='a.setpoint'/>\n"
                                       "<connect from='a.command' to='b.setpoint'/>\n";
  Course lanes(diagram(chain), 8), alone(diagram(chain), 1);
  EXPECT_EQ(lanes.grouped(), 0u);
  for (int k = 0; k < 10; ++k) {
    ASSERT_TRUE(lanes.runtime->step() && alone.runtime->step());
    ASSERT_EQ(lanes.outputs(), alone.outputs()) << k;
  }
}

/// So many of a type that has no separate layout for those outside of groups; of the last `driven` wires drive k.
std::string spread(std::size_t count, std::size_t driven = 0) {
  std::string body = "<block name='u' type='sources/Sine' amplitude='2' frequency='13 Hz'/>\n"
                     "<block name='k' type='sources/Constant' value='1 10 100'/>\n";
  for (std::size_t i = 0; i < count; ++i) {
    const bool by_wire = i + driven >= count;
    body += fmt::format("<block name='it{0}' type='probes/Spread'{1}/>\n<connect from='u.y' to='it{0}.u'/>\n", i,
                        by_wire ? "" : " k='1 10 100'");
    if (by_wire) body += fmt::format("<connect from='k.y' to='it{}.k'/>\n", i);
  }
  return diagram(body);
}

double number(const Course& course, const std::string& signal) {
  return *static_cast<const double*>(course.runtime->find_signal(signal)->span.data);
}

/// One that is in no group, or is alone from the start, has the layout of a block that knows nothing of lanes.
TEST(Lanes, ABlockInNoGroupHasAllOfItsNumbers) {
  for (const std::size_t count : {1u, 2u, 3u, 5u})
    for (const std::size_t driven : {std::size_t{0}, count})
      for (const std::uint32_t lanes : {1u, 8u}) {
        Course course(spread(count, driven), lanes);
        ASSERT_NE(course.runtime, nullptr);
        const std::size_t grouped = lanes == 1 || driven > 0 ? 0 : count - count % 2;
        EXPECT_EQ(course.grouped(), grouped) << count;
        std::vector<double> past{1, 1, 1};
        for (int k = 0; k < 8; ++k) {
          ASSERT_TRUE(course.runtime->compute());
          for (std::size_t i = 0; i < count; ++i)
            EXPECT_EQ(number(course, fmt::format("it{}.y", i)), past[0] + 10 * past[1] + 100 * past[2])
                << i << " of " << count << " at " << k;
          past = {number(course, "u.y"), past[0], past[1]};
          ASSERT_TRUE(course.runtime->advance());
        }
      }
}

TEST(Lanes, ABlockInNoGroupKeepsItsWholeState) {
  for (const std::size_t count : {1u, 3u, 5u}) {
    Course course(spread(count), 8);
    ASSERT_NE(course.runtime, nullptr);
    const auto outputs_of = [&](int ticks) {
      std::vector<std::vector<unsigned char>> all;
      for (int k = 0; k < ticks; ++k) {
        EXPECT_TRUE(course.runtime->compute());
        all.push_back(course.outputs());
        EXPECT_TRUE(course.runtime->advance());
      }
      return all;
    };
    outputs_of(20);
    const Checkpoint kept = course.runtime->checkpoint();
    const auto once = outputs_of(5);
    outputs_of(3);
    ASSERT_TRUE(course.runtime->restore(kept));
    EXPECT_EQ(outputs_of(5), once) << count;
    const BlockIndex last = course.runtime->find_signal(fmt::format("it{}.y", count - 1))->block;
    const BlockType& layout = course.runtime->memory().layout(last);
    EXPECT_EQ(course.runtime->memory().group(last), nullptr);
    EXPECT_EQ(lanes_of(layout), nullptr);
    EXPECT_EQ(course.runtime->memory().span(last, layout.find("x", HILDA_STATE)).count, 3u);
  }
}

/// A block under a guard runs by itself, and so does one with a driven parameter.
TEST(Lanes, GuardsAndDrivenParametersKeepBlocksAlone) {
  const std::string body = constant + "<block name='on' type='sources/Constant' value='2'/>\n"
                                      "<block name='yes' type='math/Compare' operation='greater' with='0.5'/>\n"
                                      "<connect from='on.y' to='yes.a'/>\n";
  std::string guarded = body, driven = body;
  for (const char* name : {"a", "b"}) {
    guarded += fmt::format("<block name='{0}' type='discrete/Pid' kp='2' enable='yes.y'/>\n"
                           "<connect from='source.y' to='{0}.setpoint'/>\n",
                           name);
    driven += fmt::format("<block name='{0}' type='discrete/Pid'/>\n<connect from='on.y' to='{0}.kp'/>\n"
                          "<connect from='source.y' to='{0}.setpoint'/>\n",
                          name);
  }
  for (const std::string& each : {guarded, driven}) {
    Course lanes(diagram(each), 8), alone(diagram(each), 1);
    ASSERT_TRUE(lanes.runtime && alone.runtime);
    EXPECT_EQ(lanes.grouped(), 0u);
  }
}

} // namespace
} // namespace hilda::test
