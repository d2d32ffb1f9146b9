// Shapes that follow from nothing.
#include "tests/engine/common_system.h"

namespace hilda::test {
namespace {

using testing::HasSubstr;

class UnknownShapes : public CommonSystem {};

/// What follows from nothing is told once for all that hangs together.
TEST_F(UnknownShapes, ThatHangTogetherByASumAreToldOnce) {
  s.block("mux", "Mux");
  s.block("demux", "Demux");
  s.block("a", "Hold");
  s.block("b", "Hold");
  s.wire("a.y", "mux.u[0]");
  s.wire("b.y", "mux.u[1]");
  s.wire("mux.y", "demux.u");
  s.wire("demux.y[0]", "a.u");
  s.wire("demux.y[1]", "b.u");
  const std::string text = s.infer();
  EXPECT_EQ(s.errors(), 1) << text;
  EXPECT_THAT(text, HasSubstr("error[shape-unknown]"));
}

TEST_F(UnknownShapes, ThatHangTogetherByAMatrixAreToldOnce) {
  s.type(Descriptor("Outer").in("u", "n").out("y", "n m"));
  s.type(Descriptor("Columns").in("u", "n m").out("y", "m"));
  s.block("d", "Hold");
  s.block("outer", "Outer");
  s.block("columns", "Columns");
  s.block("e", "Hold");
  s.wire("d.y", "d.u");
  s.wire("d.y", "outer.u");
  s.wire("outer.y", "columns.u");
  s.wire("columns.y", "e.u");
  const std::string text = s.infer();
  EXPECT_EQ(s.errors(), 1) << text;
}

TEST_F(UnknownShapes, ThatAreApartAreToldEach) {
  for (const char* name : {"a", "b", "c"}) s.block(name, "Hold");
  for (const char* name : {"a", "b", "c"}) s.wire(std::string(name) + ".y", std::string(name) + ".u");
  const std::string text = s.infer();
  EXPECT_EQ(s.errors(), 3) << text;
}

TEST_F(UnknownShapes, OfTheVeryFirstSlotAreToldToo) {
  s.type(Descriptor("Turn").in("u", "n", "", HILDA_IN_UPDATE).out("y", "n", "", HILDA_STATE_OUTPUT).state("x", "n"));
  s.block("a", "Turn");
  s.wire("a.y", "a.u");
  EXPECT_THAT(s.infer(), HasSubstr("test.xml:1: error[shape-unknown]: the shape of input 'a.u', declared as 'n'"));
}

TEST_F(UnknownShapes, UnknownOnesNameAFewWiresThatDoNotKnowEither) {
  s.block("mux", "Mux");
  s.block("one", "Source", {{"value", "7"}});
  s.type(Descriptor("Nothing").out("y", "0", "@u"));
  s.block("none", "Nothing");
  s.wire("one.y", "mux.u[0]");
  s.wire("none.y", "mux.u[1]");
  for (int i = 2; i < 9; ++i) {
    const std::string name = "d" + std::to_string(i);
    s.block(name, "Hold");
    s.wire(name + ".y", name + ".u");
    s.wire(name + ".y", "mux.u[" + std::to_string(i) + "]");
  }
  const std::string text = s.infer();
  EXPECT_THAT(text, testing::Not(HasSubstr("'one.y' drives")));
  EXPECT_THAT(text, testing::Not(HasSubstr("'none.y' drives"))) << "no rows are a shape too";
  const std::string of_mux = text.substr(0, text.find("help"));
  EXPECT_THAT(of_mux, HasSubstr("'mux.u[2]', declared as 'n'"));
  std::size_t named = 0;
  for (std::size_t at = of_mux.find(" drives "); at != std::string::npos; at = of_mux.find(" drives ", at + 1)) ++named;
  EXPECT_EQ(named, 4u) << of_mux;
}

TEST_F(UnknownShapes, NothingKnownAroundALoopIsToldOnce) {
  for (const char* name : {"a", "b", "c"}) s.block(name, "Scale");
  s.wire("a.y", "b.u");
  s.wire("b.y", "c.u");
  s.wire("c.y", "a.u");
  const std::string text = s.infer();
  EXPECT_EQ(s.errors(), 1) << text;
  EXPECT_THAT(text, HasSubstr("test.xml:1: error[shape-unknown]"));
}

} // namespace
} // namespace hilda::test
