// SPDX-License-Identifier: BSD-3-Clause
#include "tests/engine/loading.h"

namespace hilda::test {
namespace {

using Wires = std::vector<std::string>;

const std::string source = "<block name='s' type='test/Source'/>\n";

Loaded sources_and(const std::string& more) { return load_body(source + more); }

TEST(Wiring, AWireGoesFromAnOutputToAnInput) {
  const Loaded loaded = sources_and("<block name='g' type='test/Gain' gain='1'/>\n<connect from='s.y' to='g.u'/>");
  ASSERT_TRUE(loaded.diagnostics.ok()) << loaded.diagnostics.text();
  EXPECT_EQ(loaded.wires(), Wires{"s.y -> g.u"});
  EXPECT_EQ(loaded.system->wires[0].where.line, 4);
}

TEST(Wiring, AnOutputMayDriveManyInputs) {
  const Loaded loaded =
      sources_and("<block name='g' type='test/Gain' gain='1'/><block name='h' type='test/Gain' gain='1'/>"
                  "<connect from='s.y' to='h.u'/><connect from='s.y' to='g.u'/>");
  EXPECT_EQ(loaded.wires(), (Wires{"s.y -> g.u", "s.y -> h.u"}));
}

TEST(Wiring, TwoDriversOfOneInputAreAnErrorThatNamesBothLines) {
  const Loaded loaded = sources_and("<block name='g' type='test/Gain' gain='1'/>\n<connect from='s.y' to='g.u'/>\n"
                                    "<connect from='g.y' to='g.u'/>");
  EXPECT_EQ(loaded.codes(), "two-drivers:5");
  EXPECT_EQ(loaded.diagnostics.all()[0].notes.at(0).line, 4);
}

TEST(Wiring, AnInputThatNothingDrivesIsAnErrorUnlessItIsOptional) {
  EXPECT_EQ(load_body("<block name='g' type='test/Gain' gain='1'/>").codes(), "undriven-input:2");
  EXPECT_EQ(load_body("<block name='p' type='test/Probe'/>").codes(), "");
}

TEST(Wiring, WiresPassTheBordersOfSubsystems) {
  const Loaded loaded = sources_and(
      "<subsystem name='a'>\n<input name='in.x'/><output name='out'/>\n"
      "<subsystem name='b'>\n<input name='u'/><output name='y'/><block name='g' type='test/Gain' gain='1'/>\n"
      "<connect from='u' to='g.u'/>\n<connect from='g.y' to='y'/>\n</subsystem>\n"
      "<connect from='in.x' to='b.u'/>\n<connect from='b.y' to='out'/>\n</subsystem>\n"
      "<block name='p' type='test/Probe'/>\n<connect from='s.y' to='a.in.x'/>\n<connect from='a.out' to='p.u'/>");
  ASSERT_TRUE(loaded.diagnostics.ok()) << loaded.diagnostics.text();
  EXPECT_EQ(loaded.wires(), (Wires{"s.y -> a.b.g.u", "a.b.g.y -> p.u"}));
  EXPECT_EQ(loaded.system->wires[0].where.line, 7);
  ASSERT_EQ(loaded.system->wires[0].via.size(), 2u);
  EXPECT_EQ(loaded.system->wires[0].via[0].line, 10);
  EXPECT_EQ(loaded.system->wires[0].via[1].line, 14);
}

TEST(Wiring, ASubsystemMayPassASignalThrough) {
  const Loaded loaded = sources_and("<subsystem name='a'><input name='u'/><output name='y'/><connect from='u' to='y'/>"
                                    "</subsystem><block name='p' type='test/Probe'/>"
                                    "<connect from='s.y' to='a.u'/><connect from='a.y' to='p.u'/>");
  EXPECT_EQ(loaded.wires(), Wires{"s.y -> p.u"});
}

TEST(Wiring, PortsMayHaveDotsAndTheLongestNameCounts) {
  const std::string rig =
      "<subsystem name='r'><output name='a'/><output name='a.force'/><block name='x' type='test/Source'/>"
      "<block name='z' type='test/Source'/><connect from='x.y' to='a'/><connect from='z.y' to='a.force'/>"
      "</subsystem><block name='p' type='test/Probe'/>";
  EXPECT_EQ(load_body(rig + "<connect from='r.a.force' to='p.u'/>").wires(), Wires{"r.z.y -> p.u"});
  EXPECT_EQ(load_body(rig + "<connect from='r.a.force.x' to='p.u'/>").wires(), Wires{"r.z.y.x -> p.u"});
  EXPECT_EQ(load_body(rig + "<connect from='r.a.torque' to='p.u'/>").wires(), Wires{"r.x.y.torque -> p.u"});
}

TEST(Wiring, PartsAddUpOverBorders) {
  const Loaded loaded = load_body("<subsystem name='r'><output name='wrench'/><block name='x' "
                                  "type='test/Source'/><connect from='x.y[2]' to='wrench'/>"
                                  "</subsystem><subsystem name='t'><input name='w'/><block name='p' "
                                  "type='test/Probe'/><connect from='w.x' to='p.u'/>"
                                  "</subsystem><connect from='r.wrench.force' to='t.w'/>");
  ASSERT_TRUE(loaded.diagnostics.ok()) << loaded.diagnostics.text();
  EXPECT_EQ(loaded.wires(), Wires{"r.x.y[2].force.x -> t.p.u"});
}

TEST(Wiring, ElementsAreNamedByIndexAndOfMatricesByTwo) {
  const Loaded loaded = sources_and("<block name='p' type='test/Probe'/><block name='q' type='test/Probe'/>"
                                    "<connect from='s.y[2]' to='p.u'/><connect from='s.y[1,2]' to='q.u'/>");
  EXPECT_EQ(loaded.wires(), (Wires{"s.y[2] -> p.u", "s.y[1][2] -> q.u"}));
}

TEST(Wiring, PartsOfDestinationsAreRefused) {
  const Loaded loaded =
      sources_and("<block name='g' type='test/Gain' gain='1'/>\n<connect from='s.y' to='g.u.force'/>");
  EXPECT_EQ(loaded.codes(), "part-destination:4");
  EXPECT_NE(loaded.diagnostics.text().find("routing/Mux"), std::string::npos);
}

TEST(Wiring, RepeatedPortsAreNamedByItem) {
  const Loaded loaded = sources_and("<block name='m' type='test/Sum'/><block name='d' type='test/Split'/>\n"
                                    "<connect from='d.y[1]' to='m.u[0]'/><connect from='s.y' to='m.u[1]'/>"
                                    "<connect from='s.y' to='d.u'/>");
  ASSERT_TRUE(loaded.diagnostics.ok()) << loaded.diagnostics.text();
  EXPECT_EQ(loaded.wires(), (Wires{"s.y -> d.u", "d.y[1] -> m.u[0]", "s.y -> m.u[1]"}));
  EXPECT_EQ(sources_and("<block name='m' type='test/Sum'/>\n<connect from='s.y' to='m.u[0]'/>\n"
                        "<connect from='s.y' to='m.u[0]'/>")
                .codes(),
            "two-drivers:5");
}

TEST(Wiring, WrongDirectionsAreSaid) {
  EXPECT_EQ(sources_and("<block name='p' type='test/Probe'/>\n<connect from='p.u' to='s.y'/>").codes(),
            "wrong-direction:4 wrong-direction:4");
  EXPECT_EQ(sources_and("<subsystem name='a'><input name='u' optional='true'/><output name='y'/>\n"
                        "<connect from='y' to='u'/></subsystem>")
                .codes(),
            "wrong-direction:4 wrong-direction:4");
  EXPECT_EQ(
      sources_and("<subsystem name='a'><input name='u' optional='true'/></subsystem>\n<connect from='a.u' to='s'/>")
          .codes(),
      "wrong-direction:4 unknown-port:4");
}

TEST(Wiring, UnknownNamesHaveSuggestions) {
  const auto text = [](const std::string& from) {
    return sources_and("<block name='probe' type='test/Probe'/><subsystem name='rig'><output name='wrench'/>"
                       "<block name='x' type='test/Source'/><connect from='x.y' to='wrench'/></subsystem>\n"
                       "<connect from='" +
                       from + "' to='probe.u'/>")
        .diagnostics.text();
  };
  EXPECT_NE(text("rg.wrench").find("error[unknown-name]"), std::string::npos);
  EXPECT_NE(text("rg.wrench").find("did you mean 'rig'?"), std::string::npos);
  EXPECT_NE(text("rig.wrnch").find("did you mean 'wrench'?"), std::string::npos);
  EXPECT_NE(text("rig.wrnch.force").find("did you mean 'wrench'?"), std::string::npos);
  EXPECT_NE(text("rig.wrench.forc").find("did you mean 'force'?"), std::string::npos);
  EXPECT_NE(text("rig").find("error[unknown-port]"), std::string::npos);
  EXPECT_NE(text("s.z").find("its outputs are: y"), std::string::npos);
}

TEST(Wiring, NoWireReachesIntoASubsystem) {
  EXPECT_EQ(sources_and("<subsystem name='r'><output name='y'/><block name='x' type='test/Source'/>"
                        "<connect from='x.y' to='y'/></subsystem><block name='p' type='test/Probe'/>\n"
                        "<connect from='r.x.y' to='p.u'/>")
                .codes(),
            "inside-subsystem:4");
}

TEST(Wiring, APathIsNamesAndIndices) {
  for (const char* path : {".", "a.", ".a", "a..b", "a[", "a[1", "a[-1]", "a[x]", "a[1,]", "a[,1]", "a[1,2,3]",
                           "a[1 ,2]", "a b", "a.b[99999999]", "1a"})
    EXPECT_EQ(sources_and(std::string("<block name='p' type='test/Probe'/>\n<connect from='") + path + "' to='p.u'/>")
                  .codes(),
              "bad-path:4")
        << path;
}

TEST(Wiring, AnInputOfASubsystemMustBeDrivenUnlessItIsOptional) {
  const std::string inside = "<block name='p' type='test/Probe'/><connect from='u' to='p.u'/></subsystem>";
  EXPECT_EQ(load_body("<subsystem name='a'><input name='u'/>" + inside).codes(), "undriven-input:2");
  EXPECT_EQ(load_body("<subsystem name='a'><input name='u' optional='true'/>" + inside).codes(), "");
  EXPECT_EQ(
      load_body("<subsystem name='a'><input name='u' optional='true'/>\n<block name='g' type='test/Gain' gain='1'/>"
                "<connect from='u' to='g.u'/></subsystem>")
          .codes(),
      "undriven-input:3");
}

TEST(Wiring, AnOutputWithoutADriverIsAnErrorWhereItIsUsed) {
  const std::string rig = "<subsystem name='a'><output name='y'/></subsystem>\n<block name='p' type='test/Probe'/>";
  EXPECT_EQ(load_body(rig).codes(), "");
  EXPECT_EQ(load_body(rig + "<connect from='a.y' to='p.u'/>").codes(), "undriven-output:2");
}

TEST(Wiring, AnInputThatDrivesNothingIsAWarning) {
  const Loaded loaded =
      sources_and("<subsystem name='a'>\n<input name='u'/></subsystem><connect from='s.y' to='a.u'/>");
  EXPECT_EQ(loaded.codes(), "unused-input:4");
  EXPECT_TRUE(loaded.diagnostics.ok());
}

TEST(Wiring, TheInputsOfTheDiagramItselfCannotBeDriven) {
  EXPECT_EQ(load_body("<input name='u'/>\n<block name='p' type='test/Probe'/><connect from='u' to='p.u'/>").codes(),
            "undriven-input:2");
}

TEST(Wiring, AWireThatGoesRoundIsReported) {
  EXPECT_TRUE(
      load_body("<subsystem name='a'><input name='u'/><output name='y'/><connect from='u' to='y'/></subsystem>\n"
                "<connect from='a.y' to='a.u'/><block name='p' type='test/Probe'/><connect from='a.y' to='p.u'/>")
          .says("wire-loop"));
}

TEST(Wiring, ElementsOfAnotherModeVanishWithTheirWires) {
  const std::string body = source +
                           "<block name='ideal' type='test/Source' mode='sim'/>\n"
                           "<block name='p' type='test/Probe'/>\n<block name='q' type='test/Probe' mode='sim'/>\n"
                           "<connect from='ideal.y' to='p.u'/><connect from='s.y' to='q.u'/>";
  EXPECT_EQ(load_body(body).wires(), (Wires{"ideal.y -> p.u", "s.y -> q.u"}));
  Load hardware;
  hardware.options.mode = "hardware";
  const Loaded loaded = hardware.body(body + "<block name='h' type='test/Source' mode='hardware'/>");
  EXPECT_TRUE(loaded.diagnostics.ok()) << loaded.diagnostics.text();
  EXPECT_EQ(loaded.wires(), Wires{});
}

TEST(Wiring, AnInputWhoseOnlyWireVanishesMustBeOptional) {
  Load hardware;
  hardware.options.mode = "hardware";
  const Loaded loaded =
      hardware.body("<block name='h' type='test/Source' mode='hardware'/><block name='i' type='test/Source' "
                    "mode='sim'/>\n<block name='g' type='test/Gain' gain='1'/>\n<connect from='i.y' to='g.u'/>");
  EXPECT_EQ(loaded.codes(), "undriven-input:3");
  EXPECT_EQ(loaded.diagnostics.all()[0].notes.at(0).line, 4);
}

TEST(Wiring, PortsUnderTruthMayBeMissingInAVariant) {
  const std::string body =
      "<subsystem name='rig' mode='sim'><output name='y'/><output name='truth.f'/><block name='x' type='test/Source'/>"
      "<connect from='x.y' to='y'/><connect from='x.y' to='truth.f'/></subsystem>\n"
      "<subsystem name='rig' mode='hardware'><output name='y'/><block name='x' type='test/Source'/>"
      "<connect from='x.y' to='y'/></subsystem>\n"
      "<block name='p' type='test/Probe'/><connect from='rig.truth.f.x' to='p.u'/>\n";
  EXPECT_EQ(load_body(body).wires(), Wires{"rig.x.y.x -> p.u"});
  Load hardware;
  hardware.options.mode = "hardware";
  EXPECT_TRUE(hardware.body(body).diagnostics.ok());
  EXPECT_EQ(hardware.body(body).wires(), Wires{});
  EXPECT_EQ(hardware.body(body + "<block name='q' type='test/Probe'/><connect from='rig.truth.g' to='q.u'/>").codes(),
            "unknown-port:5");
}

/// A variant whose file cannot be read has no ports that could excuse a wrong name.
TEST(Wiring, AVariantThatIsNotThereExcusesNoWrongName) {
  const Loaded loaded =
      load_body("<subsystem name='rig' mode='sim'><output name='y'/><block name='x' type='test/Source'/>"
                "<connect from='x.y' to='y'/></subsystem>\n"
                "<subsystem name='rig' mode='hardware' src='gone.xml'/>\n"
                "<block name='p' type='test/Probe'/>\n<connect from='rig.truth.f' to='p.u'/>\n");
  EXPECT_EQ(loaded.codes(), "path-not-found:3 unknown-port:5");
}

TEST(Wiring, AWireOfOneModeMayDriveWhatAnotherDrivesElsewhere) {
  const std::string body =
      source + "<block name='t' type='test/Source' mode='hardware'/><block name='g' type='test/Gain' gain='1'/>"
               "<connect from='s.y' to='g.u' mode='sim'/><connect from='t.y' to='g.u'/>";
  EXPECT_EQ(load_body(body + "<block name='m' type='test/Probe' mode='sim'/>").wires(), Wires{"s.y -> g.u"});
  Load hardware;
  hardware.options.mode = "hardware";
  EXPECT_EQ(hardware.body(body).wires(), Wires{"t.y -> g.u"});
}

TEST(Wiring, ConditionsNeedASignal) {
  EXPECT_EQ(load_body("<subsystem name='a'><input name='run' optional='true'/>\n"
                      "<block name='x' type='test/Source' enable='run'/></subsystem>")
                .codes(),
            "undriven-condition:3");
  EXPECT_EQ(load_body("<block name='x' type='test/Source' enable='gaet.open'/>").codes(), "unknown-name:2");
}

TEST(Wiring, PowerPortsFollowTheirSignals) {
  const Loaded loaded =
      load_body("<subsystem name='rig'><output name='wrench'/><block name='x' type='test/Source'/>"
                "<connect from='x.y' to='wrench'/><power_port name='p' effort='x.y' flow='x.y'/></subsystem>\n"
                "<power_port name='robot' effort='rig.wrench' flow='rig.wrench' rule='forward'/>");
  ASSERT_EQ(loaded.system->power_ports.size(), 2u);
  EXPECT_EQ(loaded.system->power_ports[0].name, "robot");
  EXPECT_EQ(loaded.end(loaded.system->power_ports[0].effort), "rig.x.y");
  EXPECT_EQ(loaded.system->power_ports[1].name, "rig.p");
}

TEST(Wiring, PromisesOfPortsReachTheSignalBehindThem) {
  const Loaded loaded = load_body("<subsystem name='rig'><output name='wrench' shape='wrench' unit='N'/>"
                                  "<block name='x' type='test/Source'/><connect from='x.y' to='wrench'/></subsystem>");
  ASSERT_EQ(loaded.system->promises.size(), 1u);
  EXPECT_EQ(loaded.system->promises[0].port, "rig.wrench");
  EXPECT_EQ(loaded.end(loaded.system->promises[0].signal), "rig.x.y");
}

TEST(Wiring, WhatIsBrokenIsReportedOnce) {
  const Loaded loaded =
      load_body("<block name='a' type='test/Nothing'/>\n<block name='g' type='test/Gain' gain='1'/>\n"
                "<connect from='a.y' to='g.u'/>\n<connect from='g.y' to='a.u'/>\n"
                "<subsystem name='m' src='missing.xml'/>\n<block name='p' type='test/Gain' gain='1'/>\n"
                "<connect from='m.y' to='p.u'/>\n<connect from='p.y' to='m.u'/>");
  EXPECT_EQ(loaded.codes(), "unknown-type:2 path-not-found:6");
}

TEST(Wiring, ManyWrongNamesAmongManyRightOnesCostNoTime) {
  std::string body;
  for (int i = 0; i < 20000; ++i)
    body += "<block name='right" + std::to_string(i) + "' type='test/Source'/>\n<connect from='wrong" +
            std::to_string(i) + ".y' to='right.u'/>\n";
  EXPECT_EQ(load_body(body).diagnostics.errors(), 20001u);
}

TEST(Wiring, LongChainsOfSubsystemsAreFollowedWithoutRecursion) {
  std::string body = source;
  std::string from = "s.y";
  for (int i = 0; i < 20000; ++i) {
    const std::string name = "a" + std::to_string(i);
    body += "<subsystem name='" + name +
            "'><input name='u'/><output name='y'/><connect from='u' to='y'/></subsystem>\n" + "<connect from='" + from +
            "' to='" + name + ".u'/>\n";
    from = name + ".y";
  }
  const Loaded loaded = load_body(body + "<block name='p' type='test/Probe'/><connect from='" + from + "' to='p.u'/>");
  EXPECT_EQ(loaded.wires(), Wires{"s.y -> p.u"});
}

} // namespace
} // namespace hilda::test
