// SPDX-License-Identifier: BSD-3-Clause
#include "tests/engine/loading.h"

#include <gmock/gmock.h>

namespace hilda::test {
namespace {

using ::testing::ElementsAre;
using ::testing::StartsWith;

double number(const ParameterValue* parameter) { return parameter->value.numbers.at(0); }
double number(const Loaded& loaded, const std::string& path) {
  for (const NamedParameter& one : loaded.system->parameters)
    if (one.path == path) return one.value.numbers.at(0);
  ADD_FAILURE() << "no parameter " << path;
  return 0;
}

std::vector<std::string> paths(const Loaded& loaded) {
  std::vector<std::string> all;
  for (const SystemBlock& block : loaded.system->blocks) all.push_back(block.path);
  return all;
}

TEST(Flatten, BlocksKeepTheirPlaceInTheFileAndTheirPath) {
  const Loaded loaded = load_body("<block name='a' type='test/Source'/>\n"
                                  "<subsystem name='s'>\n<block name='b' type='test/Source'/>\n"
                                  "<subsystem name='t'><block name='c' type='test/Source'/></subsystem>\n</subsystem>\n"
                                  "<block name='d' type='test/Source'/>");
  ASSERT_TRUE(loaded.diagnostics.ok()) << loaded.diagnostics.text();
  EXPECT_EQ(paths(loaded), (std::vector<std::string>{"a", "s.b", "s.t.c", "d"}));
}

TEST(Flatten, DefaultsFillWhatIsNotGiven) {
  const Loaded loaded = load_body("<block name='a' type='test/Source'/>");
  EXPECT_EQ(number(loaded.parameter("a", "value")), 1.0);
}

TEST(Flatten, ARequiredParameterMustBeGiven) {
  EXPECT_TRUE(load_body("<block name='g' type='test/Gain'/>").says("missing-parameter"));
}

TEST(Flatten, UnknownTypesAndAttributesHaveSuggestions) {
  const Loaded type = load_body("<block name='g' type='test/Gian'/>");
  EXPECT_EQ(type.codes(), "unknown-type:2");
  EXPECT_NE(type.diagnostics.text().find("did you mean 'test/Gain'?"), std::string::npos);
  EXPECT_NE(load_body("<block name='g' type='Gain'/>").diagnostics.text().find("'test/Gain'"), std::string::npos);
  const Loaded attribute = load_body("<block name='a' type='test/Source' vlaue='1'/>");
  EXPECT_EQ(attribute.codes(), "unknown-attribute:2");
  EXPECT_NE(attribute.diagnostics.text().find("did you mean 'value'?"), std::string::npos);
  EXPECT_NE(load_body("<block name='a' type='test/Source' sampletime='1 s'/>").diagnostics.text().find("'sample_time'"),
            std::string::npos);
}

TEST(Flatten, ParametersAreForwardedToSubsystems) {
  const Loaded loaded = load_body("<parameter name='k' value='3 N'/>\n"
                                  "<subsystem name='s' gain='${k}'><parameter name='gain' value='1'/>\n"
                                  "<block name='a' type='test/Source' value='${gain}'/></subsystem>");
  ASSERT_TRUE(loaded.diagnostics.ok()) << loaded.diagnostics.text();
  EXPECT_EQ(number(loaded.parameter("s.a", "value")), 3.0);
  EXPECT_EQ(loaded.parameter("s.a", "value")->value.unit_text(), "N");
  EXPECT_EQ(number(loaded, "s.gain"), 3.0);
}

TEST(Flatten, AValueKnowsTheLinesItCameThrough) {
  const Loaded loaded = load_body("<parameter name='k' value='3 N'/>\n<parameter name='l' value='${2*k}'/>\n"
                                  "<block name='a' type='test/Source' value='${l}'/>");
  const ParameterValue& value = *loaded.parameter("a", "value");
  const std::vector<Location> through = loaded.system->parameters.origins(*value.text, value.scope);
  ASSERT_EQ(through.size(), 2u);
  EXPECT_EQ(through[0].line, 3);
  EXPECT_EQ(through[1].line, 2);
}

TEST(Flatten, AnInlineBodySeesTheParametersAroundIt) {
  const Loaded loaded = load_body("<parameter name='k' value='3'/>\n"
                                  "<subsystem name='s'><block name='a' type='test/Source' value='${k}'/></subsystem>");
  EXPECT_TRUE(loaded.diagnostics.ok()) << loaded.diagnostics.text();
}

TEST(Flatten, AFileStandsForItself) {
  const WorkingFolder folder;
  folder.diagram("s.xml", "<block name='a' type='test/Source' value='${k}'/>");
  folder.diagram("a.xml", "<parameter name='k' value='3'/><subsystem name='s' src='s.xml'/>");
  const Loaded loaded = Load().file("a.xml");
  EXPECT_EQ(loaded.codes(), "expression-name:2");
  EXPECT_EQ(loaded.diagnostics.all()[0].file, "s.xml");
}

TEST(Flatten, UnknownForwardedParametersAreErrors) {
  const Loaded loaded = load_body("<subsystem name='s' gian='2'><parameter name='gain' value='1'/></subsystem>");
  EXPECT_EQ(loaded.codes(), "unknown-parameter:2");
  EXPECT_NE(loaded.diagnostics.text().find("did you mean 'gain'?"), std::string::npos);
}

TEST(Flatten, AParameterWithoutAValueMustBeForwardedOrSet) {
  const std::string body = "<subsystem name='s'><parameter name='k'/></subsystem>";
  EXPECT_EQ(load_body(body).codes(), "parameter-without-value:2");
  EXPECT_EQ((with_settings({"s.k=2"}).body(body).codes()), "");
  EXPECT_EQ(load_body("<subsystem name='s' k='1'><parameter name='k'/></subsystem>").codes(), "");
}

TEST(Flatten, ACycleOfParametersIsReportedOnceWithAllHops) {
  const Loaded loaded = load_body("<parameter name='a' value='${b}'/>\n<parameter name='b' value='${c + 1}'/>\n"
                                  "<parameter name='c' value='${a}'/>\n<parameter name='d' value='${a}'/>");
  EXPECT_EQ(loaded.codes(), "parameter-cycle:2");
  EXPECT_EQ(loaded.diagnostics.all()[0].notes.size(), 3u);
}

TEST(Flatten, CyclesThroughSubsystemsAreFound) {
  EXPECT_TRUE(load_body("<parameter name='a' value='${a}'/>").says("parameter-cycle"));
  EXPECT_EQ(load_body("<subsystem name='s' k='${k}'><parameter name='k' value='1'/></subsystem>").codes(),
            "expression-name:2");
}

TEST(Flatten, LongChainsOfParametersAreRefusedAndDoNotOverflow) {
  std::string body;
  for (int i = 0; i < 20000; ++i)
    body += "<parameter name='p" + std::to_string(i) + "' value='${p" + std::to_string(i + 1) + "}'/>\n";
  EXPECT_TRUE(load_body(body + "<parameter name='p20000' value='1'/>").says("parameter-chain"));
}

TEST(Flatten, ManyWrongNamesAmongManyRightOnesCostNoTime) {
  std::string body;
  for (int i = 0; i < 20000; ++i)
    body += "<parameter name='right" + std::to_string(i) + "' value='${wrong" + std::to_string(i) + "}'/>\n";
  EXPECT_EQ(load_body(body).diagnostics.errors(), 20000u);
}

TEST(Flatten, TextThatDoublesAtEachLevelStaysSmall) {
  std::string body = "<parameter name='p0' value='xxxxxxxxxxxxxxxx'/>\n";
  for (int i = 1; i < 60; ++i)
    body += "<parameter name='p" + std::to_string(i) + "' value='${p" + std::to_string(i - 1) + "}${p" +
            std::to_string(i - 1) + "}'/>\n";
  EXPECT_FALSE(load_body(body).diagnostics.ok());
}

TEST(Flatten, TheDefaultModeIsSim) {
  const std::string body = "<block name='a' type='test/Source' mode='sim' value='1'/>\n"
                           "<block name='a' type='test/Source' mode='hardware' value='2'/>";
  EXPECT_EQ(load_body(body).system->mode, "sim");
  EXPECT_EQ(number(load_body(body).parameter("a", "value")), 1.0);
  Load hardware;
  hardware.options.mode = "hardware";
  EXPECT_EQ(number(hardware.body(body).parameter("a", "value")), 2.0);
  EXPECT_EQ(load_body("<block name='a' type='test/Source'/>").system->mode, "sim");
  EXPECT_EQ(load_body("<block name='a' type='test/Source' mode='bench'/>").system->mode, "bench");
}

TEST(Flatten, WithoutSimOneOfSeveralModesMustBeChosen) {
  EXPECT_TRUE(load_body("<block name='a' type='test/Source' mode='bench'/>"
                        "<block name='a' type='test/Source' mode='hardware'/>")
                  .says("mode-ambiguous"));
}

TEST(Flatten, AnUnknownModeIsAnError) {
  Load load;
  load.options.mode = "hardwrae";
  const Loaded loaded = load.body("<block name='a' type='test/Source' mode='hardware'/>");
  EXPECT_EQ(loaded.codes(), "unknown-mode:1");
  EXPECT_NE(loaded.diagnostics.text().find("did you mean 'hardware'?"), std::string::npos);
  EXPECT_EQ(load_body("<parameter name='k' value='1' mode='smi'/>").codes(), "unknown-mode:2");
  EXPECT_EQ(load_body("<block name='a' type='test/Source' mode='smi'/>").codes(), "mode-slip:2");
}

TEST(Flatten, AParameterMayDependOnTheMode) {
  const std::string body = "<parameter name='k' value='1' mode='sim'/><parameter name='k' value='2' mode='hardware'/>"
                           "<block name='a' type='test/Source' mode='hardware'/>";
  EXPECT_EQ(number(load_body(body + "<block name='b' type='test/Source' mode='sim'/>"), "k"), 1.0);
  Load hardware;
  hardware.options.mode = "hardware";
  EXPECT_EQ(number(hardware.body(body), "k"), 2.0);
}

TEST(Flatten, VariantsWantEqualInterfaces) {
  const auto variants = [](const std::string& sim, const std::string& hardware) {
    return load_body("<subsystem name='s' mode='sim'>" + sim + "<parameter name='x' value='1'/></subsystem>\n" +
                     "<subsystem name='s' mode='hardware'>" + hardware + "<parameter name='y' value='1'/></subsystem>");
  };
  const std::string output = "<output name='y'/>";
  EXPECT_EQ(variants(output, output).codes(), "");
  EXPECT_EQ(variants(output, "").codes(), "variants-differ:3");
  EXPECT_EQ(variants("", output).codes(), "variants-differ:2");
  EXPECT_EQ(variants("<output name='y' unit='N'/>", "<output name='y' unit='m'/>").codes(), "variants-differ:3");
  EXPECT_EQ(variants("<output name='truth.y'/>", "").codes(), "");
  EXPECT_EQ(variants("<output name='y' mode='sim'/>", "").codes(), "");
}

TEST(Flatten, ThePeriodIsOneMillisecondUnlessTheDiagramSaysOtherwise) {
  EXPECT_EQ(load_body("").system->period, Rational(1, 1000));
  EXPECT_EQ(Load().text("<diagram format='1' period='2 ms'/>").system->period, Rational(1, 500));
  EXPECT_EQ(Load().text("<diagram format='1' period='${1/300}'/>").system->period, Rational(1, 300));
  EXPECT_EQ((with_settings({"period=4ms"}).text("<diagram format='1' period='2 ms'/>").system->period),
            Rational(1, 250));
}

TEST(Flatten, APeriodMustBeATimeAboveZero) {
  for (const char* period : {"0 s", "-1 ms", "1e-300 s", "1e300 s"})
    EXPECT_TRUE(Load().text(std::string("<diagram format='1' period='") + period + "'/>").says("bad-time")) << period;
  EXPECT_TRUE(Load().text("<diagram format='1' period='1 m'/>").says("unit-mismatch"));
  EXPECT_TRUE(Load().text("<diagram format='1' period='30 rad/s'/>").says("unit-mismatch"));
  EXPECT_TRUE(Load().text("<diagram format='1' period='-30 Hz'/>").says("bad-time"));
  EXPECT_TRUE(Load().text("<diagram format='1' period='${period}'/>").says("parameter-cycle"));
}

TEST(Flatten, ThePeriodIsKnownToExpressionsEverywhere) {
  const Loaded loaded = load_body("<subsystem name='s'><subsystem name='t' sample_time='${period/20}'>"
                                  "<block name='a' type='test/Source'/></subsystem></subsystem>");
  ASSERT_TRUE(loaded.diagnostics.ok()) << loaded.diagnostics.text();
  EXPECT_EQ(loaded.block("s.t.a")->sample_time.period, Rational(1, 20000));
}

/// [B3] A sample rate is what people write; as an exact fraction it is the period, also to those who ask for ${period}.
TEST(Flatten, ARateInHzIsAPeriod) {
  for (const auto& [rate, period] : {std::pair("30 Hz", Rational(1, 30)),
                                     {"1 kHz", Rational(1, 1000)},
                                     {"0.5 Hz", Rational(2)},
                                     {"44.1 kHz", Rational(1, 44100)},
                                     {"${2 * (15 Hz)}", Rational(1, 30)},
                                     {"${30 Hz}", Rational(1, 30)}}) {
    const Loaded loaded = Load().text(std::string("<diagram format='1' period='") + rate + "'/>");
    EXPECT_EQ(loaded.codes(), "") << rate;
    EXPECT_EQ(loaded.system->period, period) << rate;
    EXPECT_THAT(loaded.remarks, ElementsAre(StartsWith(std::string("period ") + rate + " is a sample time of ")))
        << rate;
  }
  EXPECT_EQ(with_settings({"period=30 Hz"}).text("<diagram format='1' period='2 ms'/>").system->period,
            Rational(1, 30));
  const Loaded below =
      load_body("<subsystem name='s' sample_time='100 Hz'><block name='a' type='test/Gain' gain='2'/></subsystem>");
  EXPECT_EQ(below.block("s.a")->sample_time.period, Rational(1, 100));
}

TEST(Flatten, ARigMayFixThePeriod) {
  const WorkingFolder folder;
  folder.write("rig.xml", "<diagram format='1' period='4 ms'/>");
  folder.write("a.xml", "<diagram format='1' period='1 ms'>\n<subsystem name='rig' src='rig.xml'/>\n</diagram>");
  const Loaded loaded = Load().file("a.xml");
  EXPECT_EQ(loaded.system->period, Rational(1, 250));
  EXPECT_EQ(loaded.remarks, std::vector<std::string>{"period 4 ms is fixed by rig rig.xml"});
  EXPECT_EQ((with_settings({"period=4 ms"}).file("a.xml").codes()), "");
  EXPECT_EQ((with_settings({"period=2 ms"}).file("a.xml").codes()), "period-conflict:0");
}

TEST(Flatten, ThePeriodOfAnotherSubsystemHasNoEffectAndIsSaid) {
  const WorkingFolder folder;
  folder.write("s.xml", "<diagram format='1' period='4 ms'/>");
  folder.diagram("a.xml", "<subsystem name='s' src='s.xml'/>");
  EXPECT_EQ(Load().file("a.xml").codes(), "period-ignored:1");
}

TEST(Flatten, RigFileReplacesTheRigAndDropsWhatItDoesNotDeclare) {
  const WorkingFolder folder;
  folder.diagram("one.xml", "<parameter name='k' value='1'/><parameter name='old' value='1'/><output name='y'/>"
                            "<block name='a' type='test/Source' value='${k}'/><connect from='a.y' to='y'/>");
  folder.diagram("two.xml", "<parameter name='k' value='1'/><parameter name='fresh' value='1'/><output name='y'/>"
                            "<block name='b' type='test/Source' value='${k * fresh}'/><connect from='b.y' to='y'/>");
  folder.diagram("a.xml",
                 "<subsystem name='rig' src='one.xml' k='5' old='6'/><block name='g' type='test/Gain' gain='1'/>"
                 "<connect from='rig.y' to='g.u'/>");
  Load load = with_settings({"rig.fresh=2"});
  load.options.rig = "two.xml";
  const Loaded loaded = load.file("a.xml");
  ASSERT_TRUE(loaded.diagnostics.ok()) << loaded.diagnostics.text();
  EXPECT_EQ(number(loaded.parameter("rig.b", "value")), 10.0);
  EXPECT_EQ(loaded.wires(), std::vector<std::string>{"rig.b.y -> g.u"});
  EXPECT_EQ(loaded.remarks,
            std::vector<std::string>{"rig two.xml has no parameter old: what the diagram gives for it is dropped"});
  Load none;
  none.options.rig = "two.xml";
  EXPECT_EQ(none.body("").codes(), "no-rig:1");
}

TEST(Flatten, SampleTimesOfSubsystemsAreDefaults) {
  const Loaded loaded = load_body("<subsystem name='s' sample_time='2 ms'>\n<block name='a' type='test/Source'/>"
                                  "<block name='b' type='test/Source' sample_time='continuous'/>"
                                  "<block name='c' type='test/Source' sample_time='inherited'/>"
                                  "<block name='d' type='test/Source' sample_time='3 ms'/></subsystem>");
  EXPECT_EQ(loaded.block("s.a")->sample_time.period, Rational(1, 500));
  EXPECT_EQ(loaded.block("s.b")->sample_time.kind, SampleTime::Kind::continuous);
  EXPECT_EQ(loaded.block("s.c")->sample_time.kind, SampleTime::Kind::inherited);
  EXPECT_EQ(loaded.block("s.d")->sample_time.period, Rational(3, 1000));
}

TEST(Flatten, GuardsNestAndTheirSignalsAreFollowed) {
  const Loaded loaded =
      load_body("<block name='s' type='test/Source'/><block name='g' type='test/Gate'/><connect from='s.y' to='g.u'/>\n"
                "<subsystem name='q' enable='g.open' outputs='reset'><input name='run' optional='true'/>\n"
                "<block name='a' type='test/Source'/><block name='b' type='test/Source' reset='run'/></subsystem>\n"
                "<connect from='g.open' to='q.run'/>");
  ASSERT_TRUE(loaded.diagnostics.ok()) << loaded.diagnostics.text();
  ASSERT_EQ(loaded.system->guards.size(), 2u);
  const Guard& outer = loaded.system->guards[0];
  const Guard& inner = loaded.system->guards[1];
  EXPECT_EQ(loaded.end(outer.signal), "g.open");
  EXPECT_TRUE(outer.reset_outputs);
  EXPECT_EQ(outer.path, "q");
  EXPECT_EQ(inner.parent, GuardIndex(0));
  EXPECT_FALSE(inner.has_enable);
  EXPECT_EQ(loaded.end(inner.reset), "g.open");
  EXPECT_EQ(loaded.block("q.a")->guard, GuardIndex(0));
  EXPECT_EQ(loaded.block("q.b")->guard, GuardIndex(1));
  EXPECT_EQ(loaded.block("s")->guard, GuardIndex());
}

TEST(Flatten, OutputsWantsEnable) {
  EXPECT_EQ(load_body("<block name='a' type='test/Source' outputs='reset'/>").codes(), "outputs-without-enable:2");
}

TEST(Flatten, PathsAreFoundFromWhereTheyAreWrittenAndMadeAbsolute) {
  const WorkingFolder folder;
  folder.write(".hilda-library", "");
  folder.write("tables/t.csv", "1");
  folder.diagram("rigs/r.xml",
                 "<parameter name='file' value='none'/><block name='t' type='test/Table' file='${file}'/>");
  folder.diagram("a.xml", "<subsystem name='s' src='rigs/r.xml' file='tables/t.csv'/>");
  const Loaded loaded = Load().file("a.xml");
  ASSERT_TRUE(loaded.diagnostics.ok()) << loaded.diagnostics.text();
  EXPECT_EQ(loaded.parameter("s.t", "file")->value.text,
            (std::filesystem::canonical(folder.path()) / "tables/t.csv").string());
  folder.diagram("a.xml", "<subsystem name='s' src='rigs/r.xml' file='tables/tt.csv'/>");
  EXPECT_TRUE(Load().file("a.xml").says("path-not-found"));
  folder.diagram("a.xml", "<subsystem name='s' src='rigs/r.xml' file='../../etc/passwd'/>");
  EXPECT_FALSE(Load().file("a.xml").diagnostics.ok());
}

TEST(Flatten, ADiagramThatGrowsAtEachLevelIsRefusedEarly) {
  const WorkingFolder folder;
  for (int i = 0; i < 30; ++i) {
    const std::string next = "f" + std::to_string(i + 1) + ".xml";
    folder.diagram("f" + std::to_string(i) + ".xml",
                   "<subsystem name='a' src='" + next + "'/><subsystem name='b' src='" + next + "'/>");
  }
  folder.diagram("f30.xml", "<block name='x' type='test/Source'/>");
  Load load;
  load.options.most_elements = 10000;
  EXPECT_TRUE(load.file("f0.xml").says("too-large"));
}

TEST(Flatten, SubsystemsNestOnlySoDeep) {
  const WorkingFolder folder;
  // Read from the inside out, so that no single file is reached too deeply.
  for (int i = 0; i < 60; ++i)
    folder.diagram("f" + std::to_string(i) + ".xml", "<subsystem name='s' src='f" + std::to_string(i + 1) + ".xml'/>");
  folder.diagram("f60.xml", "");
  std::string open, close;
  for (int i = 0; i < 30; ++i) open += "<subsystem name='t'>", close += "</subsystem>";
  folder.diagram("a.xml", open + "<subsystem name='s' src='f0.xml'/>" + close);
  EXPECT_TRUE(Load().file("a.xml").says("nested-too-deep"));
}

/// Each value may be long, but not all of them: 254 of 1 MiB and what leads to it are 256 MiB, one more is too much.
TEST(Flatten, BoundsWhatAllParametersTogetherAreMadeInto) {
  std::string body = "<parameter name='p0' value='" + std::string(1024, 'x') + "'/>\n";
  for (int i = 1; i <= 10; ++i) {
    const std::string before = "${p" + std::to_string(i - 1) + "}";
    body += "<parameter name='p" + std::to_string(i) + "' value='" + before + before + "'/>\n";
  }
  for (int i = 1; i <= 255; ++i) body += "<parameter name='q" + std::to_string(i) + "' value='${p10}'/>\n";
  EXPECT_EQ(load_body(body).codes(), "value-too-large:267");
}

TEST(Flatten, TheSameFileGivesTheSameSystem) {
  const std::string body = "<parameter name='b' value='1'/><parameter name='a' value='${b}'/>"
                           "<subsystem name='s' k='${a}'><parameter name='k' value='2'/>"
                           "<block name='x' type='test/Source' value='${k}'/></subsystem>";
  const Loaded one = load_body(body), two = load_body(body);
  ASSERT_EQ(one.system->parameters.size(), two.system->parameters.size());
  for (const ParameterIndex i : one.system->parameters.indices())
    EXPECT_EQ(one.system->parameters[i].path, two.system->parameters[i].path);
  EXPECT_EQ(one.system->parameters[ParameterTable::period].path, "period");
}

} // namespace
} // namespace hilda::test
