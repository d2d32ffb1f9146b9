// SPDX-License-Identifier: BSD-3-Clause
// Commands that look at diagrams and logs: check, audit, plan, info, export.
#include "program.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace hilda::test {
namespace {

using testing::HasSubstr;
using testing::Not;

/// A clock feeds one block of the test plugin, which feeds nothing.
std::string fed(const std::string& type, const std::string& input) {
  return "<diagram format=\"1\" name=\"fed\" period=\"1 ms\">\n  <parameter name=\"duration\" value=\"100 ms\"/>\n"
         "  <block name=\"clock\" type=\"sources/Ramp\" slope=\"2 1/s\"/>\n"
         "  <block name=\"it\" type=\"" +
         type + "\"/>\n" + (input.empty() ? "" : "  <connect from=\"clock.y\" to=\"it." + input + "\"/>\n") +
         "</diagram>\n";
}

TEST(Check, SaysThatADiagramIsSound) {
  const Workplace here;
  here.write("fed.xml", fed("discrete/UnitDelay", "u"));
  const Result checked = here.hilda("check fed.xml");
  EXPECT_EQ(checked.exit, 0) << checked.err;
  EXPECT_THAT(checked.out, HasSubstr("2 blocks, 1 wire,"));
  EXPECT_FALSE(here.has("out"));
}

/// A rig of simulation, and one of hardware that lacks a value and has another period.
void write_two_modes(const Workplace& here, const std::string& wire) {
  here.write("sim.xml", "<diagram format=\"1\"><input name=\"u\"/><output name=\"y\"/>\n"
                        "  <block name=\"late\" type=\"discrete/UnitDelay\"/>\n"
                        "  <connect from=\"u\" to=\"late.u\"/><connect from=\"late.y\" to=\"y\"/></diagram>\n");
  here.write("real.xml", "<diagram format=\"1\" period=\"4 ms\"><input name=\"u\"/><output name=\"y\"/>\n"
                         "  <parameter name=\"address\" doc=\"Of the device\"/>\n"
                         "  <block name=\"late\" type=\"discrete/UnitDelay\"/>\n"
                         "  <connect from=\"u\" to=\"late.u\"/><connect from=\"late.y\" to=\"y\"/></diagram>\n");
  here.write("two.xml", "<diagram format=\"1\" name=\"two\" period=\"1 ms\">\n"
                        "  <subsystem name=\"rig\" mode=\"hardware\" src=\"real.xml\"/>\n"
                        "  <subsystem name=\"rig\" mode=\"sim\" src=\"sim.xml\"/>\n"
                        "  <block name=\"length\" type=\"sources/Constant\" value=\"1 m\"/>\n"
                        "  <block name=\"time\" type=\"sources/Constant\" value=\"1 s\"/>\n"
                        "  <block name=\"sum\" type=\"math/Sum\"/>\n"
                        "  <connect from=\"rig.y\" to=\"sum.u[0]\"/>\n"
                        "  <connect from=\"length.y\" to=\"rig.u\"/>\n"
                        "  <connect from=\"" +
                            wire + "\" to=\"sum.u[1]\"/>\n</diagram>\n");
}

TEST(Check, FoldsWhatAnotherModeLacksIntoANote) {
  const Workplace here;
  write_two_modes(here, "length.y");
  const Result checked = here.hilda("check two.xml");
  EXPECT_EQ(checked.exit, 0) << checked.err;
  EXPECT_THAT(checked.err, HasSubstr("note: mode hardware: period 4 ms is fixed by rig real.xml"));
  EXPECT_THAT(checked.err, HasSubstr("note: mode hardware lacks 1 value"));
}

TEST(Check, SaysASlipOnceAndAloneWhereAnotherModeLacksValues) {
  const Workplace here;
  write_two_modes(here, "time.y");
  const Result checked = here.hilda("check two.xml");
  EXPECT_EQ(checked.exit, 2);
  EXPECT_THAT(checked.err, HasSubstr("note: mode hardware lacks 1 value"));
  EXPECT_THAT(checked.err, Not(HasSubstr("parameter-without-value")));
  EXPECT_THAT(checked.err, HasSubstr("1 error\n")) << checked.err;
  const Result asked = here.hilda("check two.xml --mode hardware");
  EXPECT_EQ(asked.exit, 2);
  EXPECT_THAT(asked.err, HasSubstr("parameter-without-value"));
}

TEST(Check, RefusesADurationThatIsNoTime) {
  const Workplace here;
  std::string text = fed("discrete/UnitDelay", "u");
  text.replace(text.find("100 ms"), 6, "nan s");
  here.write("fed.xml", text);
  const Result checked = here.hilda("check fed.xml");
  EXPECT_EQ(checked.exit, 2);
  EXPECT_THAT(checked.err, HasSubstr("fed.xml:2: error[bad-duration]"));
}

TEST(Check, TellsOfAStepThatIsCutAtEveryTickAndNotOfASwitchNowAndThen) {
  const Workplace here;
  const auto loop = [](const std::string& between) {
    return R"(<diagram format="1" name="loop" period="1 ms" solver="dopri5">
  <block name="room" type="continuous/Integrator" initial="1"/>
  <block name="rate" type="math/Gain" gain="-1 1/s"/>)" +
           between + R"(
  <connect from="last.y" to="rate.u"/><connect from="rate.y" to="room.u"/>
</diagram>)";
  };
  here.write("held.xml", loop(R"(<block name="last" type="discrete/UnitDelay"/><connect from="room.y" to="last.u"/>)"));
  here.write("switched.xml", loop(R"(<block name="above" type="discrete/Hysteresis" lower="1" upper="2"/>
  <block name="last" type="math/BoolToReal"/>
  <connect from="room.y" to="above.u"/><connect from="above.on" to="last.u"/>)"));
  EXPECT_THAT(here.hilda("check held.xml").err, HasSubstr("restarts at every tick"));
  EXPECT_THAT(here.hilda("check switched.xml").err, Not(HasSubstr("restarts at every tick")));
}

TEST(Audit, PassesBlocksThatKeepTheirWord) {
  const Workplace here;
  here.write("fed.xml", fed("discrete/UnitDelay", "u"));
  const Result checked = here.hilda("check fed.xml --audit");
  EXPECT_EQ(checked.exit, 0) << checked.err;
  EXPECT_THAT(checked.out, HasSubstr("audited 100 steps, 200 calls, 0 findings"));
}

struct Breach {
  const char* type;
  const char* input;
  const char* finding;
};
void PrintTo(const Breach& each, std::ostream* out) { *out << each.type; }

TEST(Check, SaysAsJsonWhatItFindsAndWhere) {
  const Workplace here;
  here.write("fed.xml", fed("faulty/Remembers", "u"));
  const Result checked = here.hilda("check fed.xml --audit --json");
  EXPECT_EQ(checked.exit, 3) << checked.err;
  const nlohmann::json report = nlohmann::json::parse(checked.out);
  ASSERT_EQ(report["findings"].size(), 1U);
  EXPECT_EQ(report["findings"][0]["block"], "it");
  EXPECT_EQ(report["findings"][0]["line"], 4);
  EXPECT_THAT(report["findings"][0]["what"].get<std::string>(), HasSubstr("a fresh instance on the same state"));
  EXPECT_EQ(report["diagnostics"], nlohmann::json::array());
  here.write("fed.xml", fed("math/Gian", "u"));
  const nlohmann::json wrong = nlohmann::json::parse(here.hilda("check fed.xml --json").out);
  EXPECT_EQ(wrong["diagnostics"][0]["severity"], "error");
  EXPECT_EQ(wrong["diagnostics"][0]["line"], 4);
}

class BreachOfDeclaration : public testing::TestWithParam<Breach> {};

TEST_P(BreachOfDeclaration, IsFoundAndNamedByAnAudit) {
  const Workplace here;
  here.write("fed.xml", fed(std::string("faulty/") + GetParam().type, GetParam().input));
  const Result checked = here.hilda("check fed.xml --audit");
  EXPECT_EQ(checked.exit, 3) << checked.out << checked.err;
  EXPECT_THAT(checked.err, HasSubstr(GetParam().finding));
  EXPECT_THAT(checked.out, HasSubstr("1 finding\n"));
  EXPECT_EQ(here.hilda("check fed.xml").exit, 0) << "without an audit nothing is run";
}

INSTANTIATE_TEST_SUITE_P(
    Each, BreachOfDeclaration,
    testing::Values(
        Breach{"Peeks", "u", "block it (faulty/Peeks) reads its input 'u' in output, at t = 0.07 s, tick 70"},
        Breach{"Scribbles", "", "block it (faulty/Scribbles) writes its state 'count' in output"},
        Breach{"Remembers", "u", "block it (faulty/Remembers): a fresh instance on the same state gets another 'y'"}),
    [](const testing::TestParamInfo<Breach>& each) { return std::string(each.param.type); });

TEST(Audit, EndsBeforeWhatItLooksForWithAShorterTime) {
  const Workplace here;
  here.write("fed.xml", fed("faulty/Peeks", "u"));
  EXPECT_EQ(here.hilda("check fed.xml --audit --for 50ms").exit, 0);
}

TEST(Plan, ShowsEveryBlock) {
  const Workplace here;
  here.write("fed.xml", fed("discrete/UnitDelay", "u"));
  const Result plan = here.hilda("plan fed.xml");
  EXPECT_EQ(plan.exit, 0) << plan.err;
  EXPECT_THAT(plan.out, HasSubstr("clock"));
  EXPECT_THAT(plan.out, HasSubstr("it"));
}

TEST(Plan, SaysWhyAGuardedBlockWaits) {
  const Workplace here;
  here.write("guarded.xml", R"(<diagram format="1" name="guarded" period="1 ms">
<block name="clock" type="sources/Clock"/>
<block name="late" type="math/Compare" operation="greater" with="5 ms"/>
<subsystem name="part" enable="late.y">
<input name="u"/>
<block name="gain" type="math/Gain" gain="2"/>
<connect from="u" to="gain.u"/>
</subsystem>
<connect from="clock.time" to="late.a"/>
<connect from="clock.time" to="part.u"/>
</diagram>)");
  const Result plan = here.hilda("plan guarded.xml");
  EXPECT_EQ(plan.exit, 0) << plan.err;
  EXPECT_THAT(plan.out, HasSubstr("under guard part"));
  EXPECT_THAT(plan.out, HasSubstr("needs late"));
}

TEST(Info, ShowsRunAndSignals) {
  const Workplace here;
  here.write("fed.xml", fed("discrete/UnitDelay", "u"));
  ASSERT_EQ(here.hilda("run fed.xml --for 20ms --set clock.slope='3 1/s'").exit, 0);
  const Result info = here.hilda("info out/fed.mcap --parameters");
  EXPECT_EQ(info.exit, 0) << info.err;
  EXPECT_THAT(info.out, HasSubstr("complete"));
  EXPECT_THAT(info.out, testing::ContainsRegex("steps +20\n"));
  EXPECT_THAT(info.out, testing::ContainsRegex("clock.y +scalar"));
  EXPECT_THAT(info.out, HasSubstr("clock.slope = 3.0"));
  EXPECT_THAT(here.hilda("info out/fed.mcap --files").out, HasSubstr("<block name=\"clock\""));
}

TEST(Info, OfWhatIsNoLogExitsWith2) {
  const Workplace here;
  here.write("no.mcap", "this is not a log");
  EXPECT_EQ(here.hilda("info no.mcap").exit, 2);
  EXPECT_EQ(here.hilda("export no.mcap --csv").exit, 2);
  EXPECT_EQ(here.hilda("info missing.mcap").exit, 2);
}

TEST(Export, WritesCsvBesideTheLog) {
  const Workplace here;
  here.write("fed.xml", fed("discrete/UnitDelay", "u"));
  ASSERT_EQ(here.hilda("run fed.xml --for 3ms").exit, 0);
  const Result done = here.hilda("export out/fed.mcap it.y --csv");
  EXPECT_EQ(done.exit, 0) << done.err;
  EXPECT_EQ(done.out, "out/fed.csv\n");
  EXPECT_EQ(here.read("out/fed.csv").substr(0, 7), "time [s");
  EXPECT_THAT(here.read("out/fed.csv"), HasSubstr("\n0.002,0.002"));
}

TEST(Export, WritesMat) {
  const Workplace here;
  here.write("fed.xml", fed("discrete/UnitDelay", "u"));
  ASSERT_EQ(here.hilda("run fed.xml --for 3ms").exit, 0);
  EXPECT_EQ(here.hilda("export out/fed.mcap --mat -o all.mat").exit, 0);
  EXPECT_EQ(here.read("all.mat").substr(0, 6), "MATLAB");
}

TEST(Export, NamesTheNearestSignal) {
  const Workplace here;
  here.write("fed.xml", fed("discrete/UnitDelay", "u"));
  ASSERT_EQ(here.hilda("run fed.xml --for 3ms").exit, 0);
  const Result done = here.hilda("export out/fed.mcap clokc.y --csv");
  EXPECT_EQ(done.exit, 64);
  EXPECT_THAT(done.err, HasSubstr("clock.y"));
  const Result path = here.hilda("export out/fed.mcap clok --csv");
  EXPECT_EQ(path.exit, 64);
  EXPECT_THAT(path.err, HasSubstr("the nearest is \"clock\""));
  EXPECT_THAT(path.err, HasSubstr("hilda info out/fed.mcap lists the signals"));
}

TEST(Export, TakesTheFormatOfTheFileThatOutNames) {
  const Workplace here;
  here.write("fed.xml", fed("discrete/UnitDelay", "u"));
  ASSERT_EQ(here.hilda("run fed.xml --for 3ms").exit, 0);
  EXPECT_EQ(here.hilda("export out/fed.mcap -o one.csv").exit, 0);
  EXPECT_EQ(here.read("one.csv").substr(0, 4), "time");
  EXPECT_EQ(here.hilda("export out/fed.mcap -o one.mat").exit, 0);
  EXPECT_EQ(here.read("one.mat").substr(0, 6), "MATLAB");
  const Result neither = here.hilda("export out/fed.mcap -o one.txt");
  EXPECT_EQ(neither.exit, 64);
  EXPECT_THAT(neither.err, HasSubstr("--out FILE.csv or FILE.mat"));
  const Result signal = here.hilda("export out/fed.mcap two.csv --csv");
  EXPECT_EQ(signal.exit, 64);
  EXPECT_THAT(signal.err, HasSubstr("help: to write the file two.csv, use --out two.csv"));
}

TEST(Check, TellsALogFromADiagram) {
  const Workplace here;
  here.write("fed.xml", fed("discrete/UnitDelay", "u"));
  ASSERT_EQ(here.hilda("run fed.xml --for 3ms").exit, 0);
  const Result checked = here.hilda("check out/fed.mcap");
  EXPECT_EQ(checked.exit, 2);
  EXPECT_THAT(checked.err, HasSubstr("this is a log, and no diagram"));
}

} // namespace
} // namespace hilda::test
