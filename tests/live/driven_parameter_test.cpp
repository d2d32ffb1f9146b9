// SPDX-License-Identifier: BSD-3-Clause
// Parameters that wires drive.
#include "engine/analysis/linearize.h"
#include "engine/catalogue/driven_type.h"
#include "tests/live/live_diagram.h"
#include "tests/modules.h"
#include "tests/project_folders.h"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <gmock/gmock.h>
#include <iterator>

namespace hilda::test {
namespace {

using testing::HasSubstr;

std::string diagram(const std::string& body, const std::string& root = "period=\"1 ms\"") {
  return "<diagram format=\"1\" name=\"driven\" " + root + ">\n" + body + "\n</diagram>";
}
DiagramText text(const std::string& body, const std::string& root = "period=\"1 ms\"") {
  return {"driven.xml", diagram(body, root)};
}
std::string errors(const std::string& body) {
  Live live(text(body));
  return live.diagram.diagnostics().text();
}

/// A first-order lag the corner of which follows w = 4 + 3 sin(5 t) rad/s, fed with a step at the start.
std::string scheduled_lag(const std::string& period) {
  const std::string at = " sample_time=\"" + period + "\"";
  return "<block name=\"w\" type=\"sources/Sine\" amplitude=\"3 rad/s\" frequency=\"5 rad/s\" bias=\"4 rad/s\"" + at +
         "/><block name=\"step\" type=\"sources/Step\" time=\"0.1 s\" after=\"1\"" + at +
         "/><block name=\"lag\" type=\"discrete/LowPass\"/>"
         "<connect from=\"step.y\" to=\"lag.u\"/><connect from=\"w.y\" to=\"lag.cutoff\"/>";
}
/// Of w from 0.1 s on.
double passed(double t) { return 4 * (t - 0.1) - 0.6 * (std::cos(5 * t) - std::cos(0.5)); }

TEST(DrivenParameter, SchedulesALagAsItsEquationSays) {
  double coarser = 0;
  for (const double T : {0.01, 0.005, 0.0025, 0.00125}) {
    const std::string period = std::to_string(T * 1e3) + " ms";
    Live live(text(scheduled_lag(period), "period=\"" + period + "\""));
    ASSERT_TRUE(live.ok()) << live.diagram.diagnostics().text();
    double exponent = 0, worst = 0;
    for (int k = 0; k * T < 1; ++k) {
      ASSERT_TRUE(live.runtime->step());
      const double t = k * T;
      if (t < 0.1 - T / 2) continue;
      exponent += T * (4 + 3 * std::sin(5 * t)); // held over a tick: exact
      ASSERT_NEAR(live.number("lag.y"), 1 - std::exp(-exponent), 1e-12) << period << " " << k;
      worst = std::max(worst, std::abs(live.number("lag.y") - (1 - std::exp(-passed(t + T)))));
    }
    if (coarser > 0) { EXPECT_NEAR(coarser / worst, 2, 0.1) << "first order, as what is held over a tick is"; }
    coarser = worst;
  }
}

/// y' = g(t) (1 - y), g = 2 + sin(3 t) at minor steps, too.
std::string continuous_lag() {
  return R"(<block name="g" type="sources/Sine" amplitude="1" frequency="3 rad/s" bias="2" sample_time="continuous"/>
    <block name="one" type="sources/Constant" value="1"/>
    <block name="error" type="math/Sum" signs="+-"/>
    <block name="gain" type="math/Gain"/>
    <block name="per_second" type="math/Gain" gain="1 1/s"/>
    <block name="y" type="continuous/Integrator"/>
    <connect from="one.y" to="error.u[0]"/><connect from="y.y" to="error.u[1]"/>
    <connect from="error.y" to="gain.u"/><connect from="g.y" to="gain.gain"/>
    <connect from="gain.y" to="per_second.u"/><connect from="per_second.y" to="y.u"/>)";
}
double continuous_lag_at(double t) { return 1 - std::exp(-2 * t - (1 - std::cos(3 * t)) / 3); }

double worst_of_lag(const std::string& root, double T) {
  Live live(text(continuous_lag(), root));
  EXPECT_TRUE(live.ok()) << live.diagram.diagnostics().text();
  if (!live.ok()) return NAN;
  double worst = 0;
  for (std::int64_t k = 0; static_cast<double>(k) * T < 2; ++k) {
    EXPECT_TRUE(live.runtime->compute());
    worst = std::max(worst, std::abs(live.number("y.y") - continuous_lag_at(static_cast<double>(k) * T)));
    EXPECT_TRUE(live.runtime->advance());
  }
  return worst;
}

TEST(DrivenParameter, FollowsAContinuousWireWithinAStep) {
  const double coarse = worst_of_lag("period=\"40 ms\"", 0.04), fine = worst_of_lag("period=\"20 ms\"", 0.02);
  EXPECT_NEAR(coarse / fine, 16, 2) << "RK4 keeps its order";
  EXPECT_LT(fine, 1e-7);
  EXPECT_LT(worst_of_lag("period=\"20 ms\" solver=\"dopri5\" rtol=\"1e-10\" atol=\"1e-12\"", 0.02), 1e-8);
}

/// y' = y (1 - y) / s: the wire comes from the state that the parameter works on.
const std::string logistic = R"(
    <block name="one" type="sources/Constant" value="1"/>
    <block name="rest" type="math/Sum" signs="+-"/>
    <block name="gain" type="math/Gain"/>
    <block name="per_second" type="math/Gain" gain="1 1/s"/>
    <block name="y" type="continuous/Integrator" initial="0.1"/>
    <connect from="one.y" to="rest.u[0]"/><connect from="y.y" to="rest.u[1]"/>
    <connect from="rest.y" to="gain.u"/><connect from="y.y" to="gain.gain"/>
    <connect from="gain.y" to="per_second.u"/><connect from="per_second.y" to="y.u"/>)";

TEST(DrivenParameter, MayComeFromAStateThatItMoves) {
  Live live(text(logistic, "period=\"10 ms\""));
  ASSERT_TRUE(live.ok()) << live.diagram.diagnostics().text();
  live.run_to(300);
  ASSERT_TRUE(live.runtime->compute());
  EXPECT_NEAR(live.number("y.y"), 1 / (1 + 9 * std::exp(-3.0)), 1e-9);
}

TEST(DrivenParameter, IsLinearizedAsAnInput) {
  Live live(text(logistic, "period=\"10 ms\""));
  ASSERT_TRUE(live.ok());
  Diagnostics diagnostics;
  const auto model = linearize(live.runtime->system(), {{"one.y"}, {"y.y"}, 0, 1e-6}, diagnostics);
  ASSERT_TRUE(model) << diagnostics.text();
  // dy/dt = y (u - y) over a tick T: from y0 = 0.1 to y1, dy1/dy0 = y1 (1 - y1) / (y0 (1 - y0))
  const double y1 = 1 / (1 + 9 * std::exp(-0.01));
  EXPECT_NEAR(model->discrete.A(0, 0), y1 * (1 - y1) / 0.09, 1e-8);
  EXPECT_NEAR(model->discrete.B(0, 0), 0.1 * 0.01, 1e-5);
}

TEST(DrivenParameter, ByAConstantGivesTheBitsOfTheAttribute) {
  const std::string rest = R"(<block name="u" type="sources/Noise" deviation="1"/><connect from="u.y" to="lag.u"/>)";
  Live given(text(rest + R"(<block name="lag" type="discrete/LowPass" cutoff="7 rad/s"/>)"));
  Live driven(text(rest + R"(<block name="lag" type="discrete/LowPass"/>
    <block name="w" type="sources/Constant" value="7 rad/s"/><connect from="w.y" to="lag.cutoff"/>)"));
  ASSERT_TRUE(given.ok() && driven.ok()) << driven.diagram.diagnostics().text();
  for (int k = 0; k < 500; ++k) {
    ASSERT_TRUE(given.runtime->step() && driven.runtime->step());
    ASSERT_EQ(given.number("lag.y"), driven.number("lag.y")) << k;
  }
}

/// The file with a constant that drives a parameter of one of its blocks, instead of the attribute.
std::string with_driven(std::string file, const std::string& block, const std::string& parameter,
                        const std::string& constant) {
  const std::size_t at = file.find("<block name=\"" + block + "\""), end = file.find('>', at);
  const std::size_t attribute = file.find(" " + parameter + "=\"", at);
  if (attribute < end) file.erase(attribute, file.find('"', attribute + parameter.size() + 3) + 1 - attribute);
  file.insert(file.rfind("</diagram>"), "<block name=\"driver\" type=\"sources/" + constant + "/>" +
                                            "<connect from=\"driver.y\" to=\"" + block + "." + parameter + "\"/>");
  return file;
}

/// "Constant" and its value, as a parameter has it.
std::string constant_of(const SystemBlock& block, const ParameterValue& parameter) {
  const Slot& slot = block.type->slots[parameter.slot];
  const Value& value = parameter.value;
  if (slot.element == HILDA_U8)
    return std::string("BooleanConstant\" value=\"") + (value.numbers[0] != 0 ? "true\"" : "false\"");
  const auto rows = static_cast<std::size_t>(value.extent.rows), cols = static_cast<std::size_t>(value.extent.cols);
  std::string text;
  for (std::size_t row = 0; row < rows; ++row) {
    for (std::size_t col = 0; col < cols; ++col) text += decimal(value.numbers[row + col * rows]) + " ";
    if (cols > 1) text += "; ";
  }
  const SignalType& type = block.slot_types[parameter.slot];
  return "Constant\" value=\"" + text + (type.unit && !type.unit->dimensionless() ? type.unit->text() : "") + "\"";
}

/// To rounding: sums over many elements begin at another address, and so in another order, in another diagram.
bool alike(const Span& a, const Span& b) {
  if (a.element != HILDA_F64) return std::memcmp(a.data, b.data, a.bytes()) == 0;
  const auto *x = static_cast<const double*>(a.data), *y = static_cast<const double*>(b.data);
  for (std::size_t i = 0; i < a.count; ++i)
    if (x[i] != y[i] && !(std::abs(x[i] - y[i]) <= 1e-9 * std::max(1.0, std::abs(x[i])))) return false;
  return true;
}

TEST(DrivenParameter, OfEachBlockDrivenByAConstantGivesWhatTheAttributeGives) {
  std::ifstream stream(source_folder() + "/tests/blocks/every_block.xml");
  const std::string file{std::istreambuf_iterator<char>(stream), {}};
  const auto load = [](const std::string& of) {
    return Live(DiagramText{source_folder() + "/tests/blocks/every_block.xml", of});
  };
  const Live plain = load(file);
  ASSERT_TRUE(plain.ok()) << plain.diagram.diagnostics().text();
  plain.run_to(120);
  int compared = 0;
  for (const SystemBlock& block : plain.runtime->system().blocks)
    for (const ParameterValue& parameter : block.parameters) {
      const Slot& slot = block.type->slots[parameter.slot];
      if (!may_be_driven(*block.type, slot) || block.path.find('.') != std::string::npos ||
          block.type->ports != nullptr)
        continue;
      const Live driven = load(with_driven(file, block.path, slot.name, constant_of(block, parameter)));
      ASSERT_TRUE(driven.ok()) << block.path << "." << slot.name << "\n" << driven.diagram.diagnostics().text();
      driven.run_to(120);
      ++compared;
      for (const SystemSignal& signal : plain.runtime->signals()) {
        const SystemSignal* other = driven.runtime->find_signal(signal.path);
        ASSERT_NE(other, nullptr) << signal.path;
        ASSERT_TRUE(alike(signal.span, other->span))
            << signal.path << " where " << block.path << "." << slot.name << " is driven";
      }
    }
  EXPECT_GE(compared, 50);
}

TEST(DrivenParameter, IsTakenAtTheBlocksOwnSamplesAndWhereItRuns) {
  Live live(text(R"(<block name="t" type="sources/Step" time="2 ms" before="1" after="3"/>
    <block name="on" type="sources/BooleanConstant" value="true"/>
    <block name="one" type="sources/Constant" value="1"/>
    <block name="slow" type="math/Gain" sample_time="4 ms"/>
    <block name="held" type="math/Gain" enable="on.y"/>
    <connect from="one.y" to="slow.u"/><connect from="t.y" to="slow.gain"/>
    <connect from="one.y" to="held.u"/><connect from="t.y" to="held.gain"/>)"));
  ASSERT_TRUE(live.ok()) << live.diagram.diagnostics().text();
  live.run_to(1);
  EXPECT_EQ(live.number("slow.y"), 1);
  EXPECT_EQ(live.set({{"on.value", "false"}}), "");
  live.run_to(4);
  EXPECT_EQ(live.number("slow.y"), 1);
  EXPECT_EQ(live.number("held.y"), 1);
  EXPECT_EQ(live.set({{"on.value", "true"}}), "");
  live.run_to(5);
  EXPECT_EQ(live.number("slow.y"), 3);
  EXPECT_EQ(live.number("held.y"), 3);
}

TEST(DrivenParameter, GoesOnFromACheckpointWithTheSameBits) {
  const std::string body = scheduled_lag("1 ms") +
                           R"(<block name="clip" type="math/Saturation"/><block name="gain" type="math/Gain"/>
    <connect from="lag.y" to="gain.u"/><connect from="w.y" to="gain.gain"/>
    <connect from="gain.y" to="clip.u"/><connect from="w.y" to="clip.upper"/>)";
  Live straight(text(body)), again(text(body));
  ASSERT_TRUE(straight.ok()) << straight.diagram.diagnostics().text();
  straight.run_to(300);
  const Checkpoint kept = straight.runtime->checkpoint();
  straight.run_to(700);
  ASSERT_TRUE(again.runtime->restore(kept));
  EXPECT_EQ(again.runtime->checkpoint(), kept);
  again.run_to(700);
  EXPECT_EQ(again.outputs(), straight.outputs());
}

TEST(DrivenParameter, HasTheShapeOfItsWire) {
  Live live(text(R"(<block name="u" type="sources/Constant" value="1 2 3 N"/>
    <block name="k" type="sources/Constant" value="4 5 6 mm/N"/><block name="gain" type="math/Gain"/>
    <connect from="u.y" to="gain.u"/><connect from="k.y" to="gain.gain"/>)"));
  ASSERT_TRUE(live.ok()) << live.diagram.diagnostics().text();
  live.run_to(1);
  for (std::size_t i = 0; i < 3; ++i)
    EXPECT_DOUBLE_EQ(live.number("gain.y", i), static_cast<double>((i + 1) * (i + 4)) * 1e-3);
  EXPECT_THAT(errors(R"(<block name="u" type="sources/Constant" value="1 2 3"/>
    <block name="k" type="sources/Constant" value="4 5"/><block name="gain" type="math/Gain"/>
    <connect from="u.y" to="gain.u"/><connect from="k.y" to="gain.gain"/>)"),
              HasSubstr("has 2 values for a signal of 3"));
}

TEST(DrivenParameter, OfABooleanIsASwitch) {
  Live live(text(R"(<block name="t" type="sources/Step" time="2 ms" after="1"/>
    <block name="late" type="math/Compare" operation="greater" with="0.5"/>
    <block name="on" type="sources/BooleanConstant"/>
    <connect from="t.y" to="late.a"/><connect from="late.y" to="on.value"/>)"));
  ASSERT_TRUE(live.ok()) << live.diagram.diagnostics().text();
  const auto on = [&] { return *static_cast<const std::uint8_t*>(live.runtime->find_signal("on.y")->span.data); };
  live.run_to(2);
  EXPECT_EQ(on(), 0);
  live.run_to(3);
  EXPECT_EQ(on(), 1);
}

/// How a run ends in which a Saturation's limits, or a filter's corner, are what a Step says.
Ending ending_of(const std::string& block, const std::string& parameter, const std::string& step) {
  Live live(text("<block name=\"u\" type=\"sources/Constant\" value=\"1\"/><block name=\"b\" " + block + "/>" +
                 "<block name=\"s\" type=\"sources/Step\" time=\"5 ms\" " + step + "/>" +
                 "<connect from=\"u.y\" to=\"b.u\"/><connect from=\"s.y\" to=\"b." + parameter + "\"/>"));
  EXPECT_TRUE(live.ok()) << live.diagram.diagnostics().text();
  if (!live.ok()) return {};
  live.run_to(10);
  return live.runtime->ending();
}

TEST(DrivenParameter, BeyondItsRangeEndsTheRun) {
  const Ending low = ending_of("type=\"discrete/LowPass\"", "cutoff", "before=\"1 rad/s\" after=\"-2 rad/s\"");
  EXPECT_EQ(low.kind, Ending::Kind::failed);
  EXPECT_EQ(low.block, "b");
  EXPECT_EQ(low.tick, 5);
  EXPECT_EQ(low.text, "cutoff, which s.y drives, must be above 0 rad/s");
  EXPECT_EQ(low.value, -2);
  const Ending crossed = ending_of("type=\"math/Saturation\" upper=\"2\"", "lower", "before=\"-1\" after=\"3\"");
  EXPECT_EQ(crossed.kind, Ending::Kind::failed);
  EXPECT_EQ(crossed.block, "b");
  EXPECT_EQ(crossed.tick, 5);
  EXPECT_THAT(crossed.text, HasSubstr("lower: element 0 lies above upper (in SI: 3.000000 > 2.000000)"));
  const Ending fine = ending_of("type=\"math/DeadZone\" upper=\"-1\"", "lower", "before=\"-4\" after=\"-3\"");
  EXPECT_EQ(fine.kind, Ending::Kind::none) << "what stands there before the first tick does not count: " << fine.text;
}

TEST(DrivenParameter, IsLookedAtElementByElement) {
  Live live(text(R"(<block name="s" type="sources/Step" time="5 ms" before="1 2" after="1 -2"/>
    <block name="z" type="sources/Constant" value="0 0"/>
    <block name="b" type="estimation/ExtendedKalmanFilter" x_deviation="1 1" z_noise="1 1"><state name="x" shape="2"/>
      <output name="z" shape="2"/><equation is="x+ = x"/><equation is="z = x"/></block>
    <connect from="z.y" to="b.z_measured"/><connect from="s.y" to="b.x_noise"/>)"));
  ASSERT_TRUE(live.ok()) << live.diagram.diagnostics().text();
  live.run_to(10);
  const Ending& ending = live.runtime->ending();
  EXPECT_EQ(ending.tick, 5);
  EXPECT_EQ(ending.text, "x_noise, which s.y drives, must be at least 0");
  EXPECT_EQ(ending.value, -2);
}

TEST(DrivenParameter, OfALoopIsAnAlgebraicOne) {
  EXPECT_THAT(errors(R"(<block name="u" type="sources/Constant" value="1"/><block name="g" type="math/Gain"/>
    <connect from="u.y" to="g.u"/><connect from="g.y" to="g.gain"/>)"),
              HasSubstr("driven.xml:3: g.y goes to g.gain, which feeds through"));
  EXPECT_EQ(errors(R"(<block name="u" type="sources/Constant" value="1"/><block name="g" type="math/Gain"/>
    <block name="last" type="discrete/UnitDelay"/>
    <connect from="u.y" to="g.u"/><connect from="g.y" to="last.u"/><connect from="last.y" to="g.gain"/>)"),
            "");
}

TEST(DrivenParameter, IsSetByNobodyElse) {
  Live live(text(scheduled_lag("1 ms")));
  ASSERT_TRUE(live.ok());
  live.run_to(10);
  EXPECT_EQ(live.set({{"lag.cutoff", "3 rad/s"}}),
            "live: error[live-driven]: 'lag.cutoff' is driven by 'w.y', which gives it a value at every tick\n"
            "  help: set what drives it\n");
  EXPECT_EQ(live.set({{"w.bias", "5 rad/s"}}), "");
  EXPECT_EQ(live.tuning->text_of("lag.cutoff"), "driven by 'w.y'");
}

TEST(DrivenParameter, OfEquationsIsOneOfTheirOwnNames) {
  const auto body = [](const std::string& to) {
    const std::string made = R"(<block name="k" type="sources/Constant" value="3 N/m"/>
      <block name="e" type="math/Equations"><parameter name="k" unit="N/m"/><state name="x" unit="m" initial="2 m"/>
        <output name="f" unit="N"/><equation is="f = k*x"/><equation is="x+ = x"/></block>
      <connect from="k.y")";
    return made + " to=\"e." + to + "\"/>";
  };
  Live live(text(body("k")));
  ASSERT_TRUE(live.ok()) << live.diagram.diagnostics().text();
  live.run_to(1);
  EXPECT_EQ(live.number("e.f"), 6);
  EXPECT_THAT(errors(body("x_initial")), HasSubstr("counts when the block starts, before any wire"));
}

/// A wire that a subsystem passes on, and one of another mode.
TEST(DrivenParameter, MayBeDrivenThroughAPort) {
  Live live(
      text(R"(<block name="k" type="sources/Constant" value="2"/><block name="one" type="sources/Constant" value="1"/>
    <subsystem name="inner"><input name="k"/><input name="u"/><output name="y"/>
      <block name="gain" type="math/Gain"/>
      <connect from="k" to="gain.gain"/><connect from="u" to="gain.u"/><connect from="gain.y" to="y"/></subsystem>
    <block name="end" type="sinks/Terminator"/>
    <connect from="k.y" to="inner.k"/><connect from="one.y" to="inner.u"/><connect from="inner.y" to="end.u"/>)"));
  ASSERT_TRUE(live.ok()) << live.diagram.diagnostics().text();
  live.run_to(1);
  EXPECT_EQ(live.number("inner.gain.y"), 2);
}

TEST(DrivenParameter, InAnotherModeIsGivenAsEver) {
  const std::string body = R"(<block name="one" type="sources/Constant" value="1"/>
    <block name="g" type="math/Gain" mode="sim"/><block name="g" type="math/Gain" mode="bench" gain="5"/>
    <connect from="one.y" to="g.u"/><connect from="one.y" to="g.gain" mode="sim"/>)";
  for (const auto& [mode, gain] : {std::pair("sim", 1.0), std::pair("bench", 5.0)}) {
    LoadOptions options;
    options.mode = mode;
    LoadedDiagram loaded(all_plugins().catalogue());
    loaded.load(text(body), options);
    const auto runtime = start_runtime(loaded);
    ASSERT_NE(runtime, nullptr) << loaded.diagnostics().text();
    ASSERT_TRUE(runtime->step());
    EXPECT_EQ(*static_cast<const double*>(runtime->find_signal("g.y")->span.data), gain);
  }
}

} // namespace
} // namespace hilda::test
