// SPDX-License-Identifier: BSD-3-Clause
// How shapes follow from each other over wires.
#include "tests/engine/common_system.h"

namespace hilda::test {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

class Shapes : public CommonSystem {};

TEST_F(Shapes, FlowFromASourceThroughBlocksThatTakeAnyShape) {
  s.block("f", "Force");
  s.block("d", "Delay");
  s.block("k", "Scale", {{"value", "2"}});
  s.wire("f.y", "d.u");
  s.wire("d.y", "k.u");
  EXPECT_EQ(s.infer(), "");
  EXPECT_EQ(s.text("k.y"), "3 [N]");
  EXPECT_EQ(s.value("d", "initial").numbers.size(), 3u);
}

TEST_F(Shapes, FlowBackwardsFromWhatADestinationWants) {
  s.block("a", "Delay");
  s.block("b", "Delay");
  s.block("sink", "ForceSink");
  s.wire("b.y", "a.u");
  s.wire("a.y", "b.u");
  s.wire("b.y", "sink.u");
  EXPECT_EQ(s.infer(), "");
  EXPECT_EQ(s.text("a.y"), "3 [N]");
}

TEST_F(Shapes, OneNumberIsAMultipleOfTheIdentity) {
  s.block("f", "Force");
  s.block("k", "Gain", {{"value", "2"}});
  s.wire("f.y", "k.u");
  EXPECT_EQ(s.infer(), "");
  EXPECT_EQ(s.text("k.y"), "3 [N]");
  EXPECT_EQ(s.value("k", "value").numbers, (std::vector<double>{2, 0, 0, 0, 2, 0, 0, 0, 2}));
}

TEST_F(Shapes, AsManyNumbersAsRowsAreADiagonal) {
  s.block("f", "Force");
  s.block("k", "Gain", {{"value", "1 2 3"}});
  s.wire("f.y", "k.u");
  EXPECT_EQ(s.infer(), "");
  EXPECT_EQ(s.value("k", "value").numbers, (std::vector<double>{1, 0, 0, 0, 2, 0, 0, 0, 3}));
}

TEST_F(Shapes, AMatrixGivesRowsAndColumns) {
  s.block("f", "Force");
  s.block("k", "Gain", {{"value", "1 2 3; 4 5 6"}});
  s.wire("f.y", "k.u");
  EXPECT_EQ(s.infer(), "");
  EXPECT_EQ(s.text("k.y"), "2 [N]");
  EXPECT_EQ(s.value("k", "value").numbers, (std::vector<double>{1, 4, 2, 5, 3, 6}));
}

TEST_F(Shapes, AScalarSourceStaysScalarWhereNothingSaysOtherwise) {
  s.block("c", "Source", {{"value", "2 N"}});
  s.block("sink", "Sink");
  s.wire("c.y", "sink.u");
  EXPECT_EQ(s.infer(), "");
  EXPECT_EQ(s.text("sink.u", HILDA_INPUT), "scalar [N]");
}

TEST_F(Shapes, OneNumberIsNotSpreadOverAVector) {
  s.block("c", "Source", {{"value", "2 N"}});
  s.block("sink", "ForceSink");
  s.wire("c.y", "sink.u");
  EXPECT_THAT(s.infer(), HasSubstr("test.xml:1: error[value-shape]: parameter 'value' of 'c'"));
}

TEST_F(Shapes, MismatchNamesWireBothEndsAndTheParameterBehindIt) {
  s.block("c", "Source", {{"value", "1 2 N"}});
  s.block("d", "Delay");
  s.block("sink", "ForceSink");
  s.wire("c.y", "d.u");
  s.wire("d.y", "sink.u");
  const std::string text = s.infer();
  EXPECT_EQ(s.errors(), 1) << text;
  EXPECT_THAT(text,
              HasSubstr("test.xml:5: error[wire-shape]: 'd.y' (2 [N], 1 ms) does not fit 'sink.u' (3 [N], 1 ms)"));
  EXPECT_THAT(text, HasSubstr("test.xml:1: parameter 'value' of 'c' is 2 numbers: '1 2 N'"));
}

TEST_F(Shapes, OneParameterBehindManyConflictsIsToldOnce) {
  s.block("c", "Source", {{"value", "1 2 N"}});
  for (const char* name : {"a", "b", "d"}) s.block(name, "ForceSink");
  for (const char* name : {"a", "b", "d"}) s.wire("c.y", std::string(name) + ".u");
  const std::string text = s.infer();
  EXPECT_EQ(s.errors(), 1) << text;
  EXPECT_THAT(text, HasSubstr("test.xml:6: nor does 'c.y'"));
  EXPECT_THAT(text, HasSubstr("test.xml:7: nor does 'c.y'"));
}

TEST_F(Shapes, IndependentConflictsAreToldEach) {
  s.block("f", "Force");
  s.block("w", "WrenchSink");
  s.block("v", "WrenchSink");
  s.wire("f.y", "w.u");
  s.wire("f.y", "v.u");
  const std::string text = s.infer();
  EXPECT_EQ(s.errors(), 2) << text;
}

TEST_F(Shapes, MuxSumsItsInputsAndDemuxIsSolvedBackwards) {
  s.block("f", "Force");
  s.block("c", "Source", {{"value", "1 N"}});
  s.block("mux", "Mux");
  s.block("demux", "Demux");
  s.block("sink", "ForceSink");
  s.wire("f.y", "mux.u[0]");
  s.wire("c.y", "mux.u[1]");
  s.wire("mux.y", "demux.u");
  s.wire("demux.y[0]", "sink.u");
  s.block("rest", "Sink");
  s.wire("demux.y[1]", "rest.u");
  EXPECT_EQ(s.infer(), "");
  EXPECT_EQ(s.text("mux.y"), "4 [N]");
  EXPECT_EQ(s.text("demux.y[1]"), "scalar [N]");
}

TEST_F(Shapes, EqualUnknownPartsOfADemuxAreSolvedAsASystem) {
  s.block("w", "Source", {{"value", "1 2 3 4 5 6 N"}});
  s.block("demux", "Demux");
  s.block("sum", "Sum");
  s.wire("w.y", "demux.u");
  s.wire("demux.y[0]", "sum.u[0]");
  s.wire("demux.y[1]", "sum.u[1]");
  EXPECT_EQ(s.infer(), "");
  EXPECT_EQ(s.text("sum.y"), "3 [N]");
}

TEST_F(Shapes, PartsThatDoNotAddUpAreAnErrorOfTheBlock) {
  s.block("w", "Source", {{"value", "1 2 3 4 5 6 7 N"}});
  s.block("demux", "Demux");
  s.block("a", "ForceSink");
  s.block("b", "ForceSink");
  s.wire("w.y", "demux.u");
  s.wire("demux.y[0]", "a.u");
  s.wire("demux.y[1]", "b.u");
  const std::string text = s.infer();
  EXPECT_EQ(s.errors(), 1) << text;
  EXPECT_THAT(text, HasSubstr("demux"));
  EXPECT_THAT(text, HasSubstr("test.xml:1: parameter 'value' of 'w' is 7 numbers"));
}

TEST_F(Shapes, AnIntegerParameterIsADimension) {
  s.type(Descriptor("Zeros").out("y", "2*n+1", "1").parameter("n").element(HILDA_I64));
  s.block("z", "Zeros", {{"n", "4"}});
  EXPECT_EQ(s.infer(), "");
  EXPECT_EQ(s.text("z.y"), "9 [1]");
}

TEST_F(Shapes, ParametersOfOneBlockMustAgree) {
  s.type(Descriptor("StateSpace")
             .in("u", "m")
             .out("y", "p")
             .parameter("a", "n n")
             .parameter("b", "n m")
             .parameter("c", "p n")
             .parameter("d", "p m", "", "0"));
  s.block("u", "Source", {{"value", "1"}});
  s.block("good", "StateSpace", {{"a", "0 1; -1 0"}, {"b", "0 1"}, {"c", "1 0;"}});
  s.block("bad", "StateSpace", {{"a", "0 1; -1 0"}, {"b", "0 1 2"}, {"c", "1 0;"}});
  s.wire("u.y", "good.u");
  s.wire("u.y", "bad.u");
  const std::string text = s.infer();
  EXPECT_EQ(s.errors(), 1) << text;
  EXPECT_THAT(text, HasSubstr("test.xml:3: error[parameter-sizes]: parameter 'b' of 'bad'"));
  EXPECT_EQ(s.text("good.y"), "scalar [1]");
  EXPECT_EQ(s.value("good", "b").extent.rows, 2);
  EXPECT_EQ(s.value("good", "d").numbers, std::vector<double>{0});
}

TEST_F(Shapes, PartsOfNamedSignalsHaveOffsetShapeAndUnit) {
  s.block("w", "Wrench");
  s.block("force", "ForceSink");
  s.block("scaled", "Scale", {{"value", "2"}});
  s.block("x", "Sink");
  s.block("tz", "Sink");
  s.block("q", "Sink");
  s.block("pose", "Pose");
  s.wire("w.y.force", "force.u");
  s.wire("w.y", "scaled.u");
  s.wire("scaled.y.torque.x", "x.u");
  s.wire("scaled.y[5]", "tz.u");
  s.wire("pose.y.orientation.w", "q.u");
  EXPECT_EQ(s.infer(), "");
  EXPECT_EQ(s.text("scaled.y"), "wrench");
  EXPECT_EQ(s.system.wires[0].offset, 0);
  EXPECT_EQ(s.system.wires[2].offset, 3);
  EXPECT_EQ(s.text("x.u", HILDA_INPUT), "scalar [N m]");
  EXPECT_EQ(s.system.wires[3].offset, 5);
  EXPECT_EQ(s.text("tz.u", HILDA_INPUT), "scalar [N m]");
  EXPECT_EQ(s.system.wires[4].offset, 3);
  EXPECT_EQ(s.text("q.u", HILDA_INPUT), "scalar [1]");
}

TEST_F(Shapes, APartThatIsNotThereIsNamedWithThoseThatAre) {
  s.block("w", "Wrench");
  s.block("a", "Sink");
  s.block("b", "Sink");
  s.wire("w.y.forze", "a.u");
  s.wire("w.y.force[3]", "b.u");
  const std::string text = s.infer();
  EXPECT_EQ(s.errors(), 2) << text;
  EXPECT_THAT(text, HasSubstr("test.xml:4: error[wire-part]: 'w.y.forze' does not exist: wrench has no part 'forze'"));
  EXPECT_THAT(text, HasSubstr("its parts are .force, .torque"));
  EXPECT_THAT(text, HasSubstr("3 [N] has no part '[3]'"));
}

TEST_F(Shapes, ElementsOfAMatrixAreColumnByColumn) {
  s.block("m", "Source", {{"value", "1 2; 3 4; 5 6"}});
  s.block("a", "Sink");
  s.wire("m.y[2][1]", "a.u");
  EXPECT_EQ(s.infer(), "");
  EXPECT_EQ(s.system.wires[0].offset, 5);
}

TEST_F(Shapes, AnInputThatNothingDrivesIsAnErrorUnlessOptional) {
  s.type(Descriptor("Maybe").in("u", "*s", "@u", HILDA_OPTIONAL).in("v", "3", "N"));
  s.block("m", "Maybe");
  s.block("d", "Delay");
  const std::string text = s.infer();
  EXPECT_EQ(s.errors(), 2) << text;
  EXPECT_THAT(text, HasSubstr("test.xml:1: error[undriven-input]: nothing drives the input 'm.v' (3 [N], 1 ms)"));
  EXPECT_THAT(text, HasSubstr("test.xml:2: error[undriven-input]: nothing drives the input 'd.u'"));
  EXPECT_THAT(text, Not(HasSubstr("shape-unknown")));
}

TEST_F(Shapes, ItemsOfARepeatedPortAreNumberedWithoutGaps) {
  s.block("f", "Force");
  s.block("sum", "Sum");
  s.wire("f.y", "sum.u[0]");
  s.wire("f.y", "sum.u[2000000000]");
  const std::string text = s.infer();
  EXPECT_THAT(text, HasSubstr("test.xml:4: error[port-item]: 'sum.u[2000000000]' does not exist"));
}

TEST_F(Shapes, APortIsRepeatedAsAParameterSays) {
  s.type(Descriptor("Signed")
             .in("u", "*s", "@u", HILDA_REPEATED)
             .count("len(signs)")
             .out("y", "*s", "@u")
             .parameter("signs")
             .element(HILDA_TEXT));
  s.block("f", "Force");
  s.block("sum", "Signed", {{"signs", "+-"}});
  s.wire("f.y", "sum.u[0]");
  const std::string text = s.infer();
  EXPECT_EQ(s.errors(), 1) << text;
  EXPECT_THAT(text, HasSubstr("error[undriven-input]: nothing drives the input 'sum.u[1]' (3 [N], 1 ms)"));
}

TEST_F(Shapes, ElementsOfBothEndsMustAgree) {
  s.block("flag", "Flag");
  s.block("sink", "Sink");
  s.wire("flag.y", "sink.u");
  const std::string text = s.infer();
  EXPECT_EQ(s.errors(), 1) << text;
  EXPECT_THAT(text, HasSubstr("test.xml:3: error[wire-element]: 'flag.y' (boolean, 1 ms) is boolean, but 'sink.u'"));
}

TEST_F(Shapes, ACallbackGivesDimensionsThatDependOnAFile) {
  Descriptor table("Table");
  table.type.infer = [](void*, const hilda_instance*, const hilda_inference*) { return std::int32_t{0}; };
  s.type(table.out("y", "columns", "1"));
  s.block("t", "Table");
  const auto hook = [](const System&, BlockIndex, InferredShapes& says, Diagnostics&) {
    says.dimensions.push_back({"columns", 4});
    return true;
  };
  EXPECT_EQ(s.infer(hook), "");
  EXPECT_EQ(s.text("t.y"), "4 [1]");
}

TEST_F(Shapes, ACallbackThatNamesNoDimensionIsRefused) {
  Descriptor table("Table");
  table.type.infer = [](void*, const hilda_instance*, const hilda_inference*) { return std::int32_t{0}; };
  s.type(table.out("y", "columns", "1"));
  s.block("t", "Table");
  const auto hook = [](const System&, BlockIndex, InferredShapes& says, Diagnostics&) {
    says.dimensions.push_back({"rows", 4});
    return true;
  };
  EXPECT_THAT(s.infer(hook), HasSubstr("error[infer-callback]"));
  EXPECT_EQ(s.errors(), 1);
}

TEST_F(Shapes, AGuardIsOneBoolean) {
  s.block("f", "Force");
  s.block("flag", "Flag");
  Guard wrong, right;
  wrong.signal = s.ref("f.y", HILDA_OUTPUT), right.signal = s.ref("flag.y", HILDA_OUTPUT);
  wrong.has_enable = right.has_enable = true;
  wrong.path = "part", right.path = "other";
  s.system.guards = {wrong, right};
  EXPECT_THAT(s.infer(),
              HasSubstr("error[condition-type]: 'part' has enable='f.y', which is 3 [N] and no single boolean"));
  EXPECT_EQ(s.errors(), 1);
}

} // namespace
} // namespace hilda::test
