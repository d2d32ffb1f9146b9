// SPDX-License-Identifier: BSD-3-Clause
// Shapes that follow from nothing.
#include "tests/engine/common_system.h"

namespace hilda::test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

class UnknownShapes : public CommonSystem {};

/// An undetermined shape is reported once for all signals that share it.
TEST_F(UnknownShapes, OfALoopAreScalarsAndOneRemarkSaysSo) {
  for (const char* name : {"a", "b", "c"}) s.block(name, "Scale");
  s.wire("a.y", "b.u");
  s.wire("b.y", "c.u");
  s.wire("c.y", "a.u");
  EXPECT_EQ(s.infer(), "");
  EXPECT_EQ(s.text("b.y"), "scalar [?]");
  EXPECT_THAT(s.remarks, ElementsAre("the shape of 'a.u' is not determined: hilda assumes a scalar, also for the "
                                     "signals connected with it; shape=\"3\" on a <connect> makes it a vector"));
}

TEST_F(UnknownShapes, ThatAreApartGetARemarkEach) {
  for (const char* name : {"a", "b", "c"}) s.block(name, "Hold");
  for (const char* name : {"a", "b", "c"}) s.wire(std::string(name) + ".y", std::string(name) + ".u");
  EXPECT_EQ(s.infer(), "");
  EXPECT_THAT(s.remarks, SizeIs(3));
}

TEST_F(UnknownShapes, OfVectorsAreScalarsToo) {
  s.type(Descriptor("Turn").in("u", "n", "", HILDA_IN_UPDATE).out("y", "n", "", HILDA_STATE_OUTPUT).state("x", "n"));
  s.block("a", "Turn");
  s.wire("a.y", "a.u");
  EXPECT_EQ(s.infer(), "");
  EXPECT_EQ(s.port("a.y").rows, 1);
}

/// The sum of sizes is first in the file: it must not be the one that is taken as 1.
TEST_F(UnknownShapes, OfWhatIsPutTogetherAreScalarsThatAddUp) {
  s.block("demux", "Demux");
  s.block("mux", "Mux");
  s.block("a", "Hold");
  s.block("b", "Hold");
  s.wire("mux.y", "demux.u");
  s.wire("a.y", "mux.u[0]");
  s.wire("b.y", "mux.u[1]");
  s.wire("demux.y[0]", "a.u");
  s.wire("demux.y[1]", "b.u");
  EXPECT_EQ(s.infer(), "");
  EXPECT_EQ(s.port("mux.y").rows, 2);
  EXPECT_THAT(s.remarks, SizeIs(1));
}

TEST_F(UnknownShapes, AreScalarsForThePartsThatAreTakenOfThem) {
  s.block("a", "Hold");
  s.block("b", "Hold");
  s.wire("a.y", "a.u");
  s.wire("a.y[0]", "b.u");
  EXPECT_EQ(s.infer(), "");
  EXPECT_EQ(s.text("b.y"), "scalar [?]");
}

TEST_F(UnknownShapes, ThatWiresTellNeedNoRemark) {
  s.block("a", "Hold");
  s.block("sum", "Sum");
  s.block("to", "ForceSink");
  s.wire("a.y", "a.u");
  s.wire("a.y", "sum.u[0]");
  s.wire("sum.y", "to.u");
  EXPECT_EQ(s.infer(), "");
  EXPECT_THAT(s.remarks, IsEmpty());
}

/// If a value cannot be read, only this value is reported, and nothing that depends on it.
TEST_F(UnknownShapes, BehindAFaultAreLeftAlone) {
  s.block("source", "Source", {{"value", "1 x"}});
  s.block("a", "Hold");
  s.wire("source.y", "a.u");
  s.infer();
  EXPECT_EQ(s.errors(), 1);
  EXPECT_THAT(s.remarks, IsEmpty());
}

TEST_F(UnknownShapes, OfMatricesAreToldOnce) {
  s.type(Descriptor("Outer").in("u", "n").out("y", "n m"));
  s.type(Descriptor("Columns").in("u", "n m").out("y", "m"));
  s.block("d", "Hold");
  s.block("outer", "Outer");
  s.block("columns", "Columns");
  s.wire("d.y", "d.u");
  s.wire("d.y", "outer.u");
  s.wire("outer.y", "columns.u");
  const std::string text = s.infer();
  EXPECT_EQ(s.errors(), 1) << text;
  EXPECT_THAT(text, HasSubstr("error[shape-unknown]"));
}

TEST_F(UnknownShapes, UnknownOnesNameAFewWiresThatDoNotKnowEither) {
  s.type(Descriptor("Turn").in("u", "m n", "", HILDA_REPEATED).out("y", "n m").out("z", "n m"));
  s.block("all", "Turn");
  for (int i = 0; i < 9; ++i) {
    const std::string name = "d" + std::to_string(i);
    s.block(name, "Turn");
    s.wire(name + ".y", name + ".u[0]");
    s.wire(name + ".z", "all.u[" + std::to_string(i) + "]");
  }
  const std::string text = s.infer();
  EXPECT_EQ(s.errors(), 1) << text;
  const std::string first = text.substr(0, text.find("help"));
  EXPECT_THAT(first, HasSubstr("'all.u[0]', declared as 'm n'"));
  std::size_t named = 0;
  for (std::size_t at = first.find(" drives "); at != std::string::npos; at = first.find(" drives ", at + 1)) ++named;
  EXPECT_EQ(named, 4u) << first;
}

} // namespace
} // namespace hilda::test
