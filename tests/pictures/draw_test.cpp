#include "tests/cli/program.h"

#include <filesystem>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace hilda::test {
namespace {

using testing::HasSubstr;
using testing::Not;

const std::string diagrams = HILDA_SOURCE_DIR "/diagrams/";

std::size_t count(const std::string& text, const std::string& what) {
  std::size_t n = 0;
  for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + 1)) ++n;
  return n;
}

/// Left edge of the symbol with this path.
double left_of(const std::string& svg, const std::string& path) {
  const std::size_t symbol = svg.find("<title>" + path + "</title>"), x = svg.find(" x=\"", symbol);
  return symbol == std::string::npos ? -1 : std::stod(svg.substr(x + 4));
}

TEST(Draw, shows_blocks_with_type_and_key_parameters_and_closed_subsystems) {
  const Workplace here;
  const Outcome drawn = here.hilda("draw " + diagrams + "pida.xml -o pida.svg");
  ASSERT_EQ(drawn.exit, 0) << drawn.err;
  const std::string svg = here.read("pida.svg");
  for (const char* text : {">identification<", ">AdaptiveKalmanFilter<", ">rig<", ">stiffness 176.275 kN/m<",
                           ">response delay 20 ms<", ">every 1 ms<", ">stiffness [N/m]<"})
    EXPECT_THAT(svg, HasSubstr(text));
  EXPECT_THAT(svg, Not(HasSubstr(">SensorSource<"))) << "it lies in the rig, which is closed";
}

TEST(Draw, runs_from_left_to_right) {
  const Workplace here;
  ASSERT_EQ(here.hilda("draw " + diagrams + "pida.xml -o pida.svg").exit, 0);
  const std::string svg = here.read("pida.svg");
  double before = 0;
  for (const char* path : {"satellites", "rig", "on_wall", "gate", "lead", "identification", "compensator", "clamp",
                           "passivity", "on_tool"}) {
    EXPECT_GT(left_of(svg, path), before) << path;
    before = left_of(svg, path);
  }
}

TEST(Draw, opens_subsystems_as_frames) {
  const Workplace here;
  ASSERT_EQ(here.hilda("draw " + diagrams + "pida.xml --depth 1 -o pida.svg").exit, 0);
  const std::string svg = here.read("pida.svg");
  EXPECT_THAT(svg, HasSubstr(">SensorSource<"));
  EXPECT_THAT(svg, HasSubstr(">satellites<"));
  EXPECT_EQ(count(svg, "fill=\"#fafafa\""), 3U) << "satellites, rig and figures";
}

TEST(Draw, shows_the_inside_of_a_subsystem_with_its_ports) {
  const Workplace here;
  ASSERT_EQ(here.hilda("draw " + diagrams + "pida.xml --inside rig -o rig.svg").exit, 0);
  const std::string svg = here.read("rig.svg");
  for (const char* text : {">command.pose<", ">wrench<", ">SensorSource<", ">truth.wall_force<"})
    EXPECT_THAT(svg, HasSubstr(text));
  EXPECT_THAT(svg, Not(HasSubstr(">AdaptiveKalmanFilter<")));
  const Outcome unknown = here.hilda("draw " + diagrams + "pida.xml --inside rigg -o rig.svg");
  EXPECT_EQ(unknown.exit, 64);
  EXPECT_THAT(unknown.err, HasSubstr("did you mean 'rig'?"));
}

/// A sum and a gain around each other; with a delay there is no algebraic loop.
std::string loop(const std::string& delay) {
  return "<diagram format=\"1\" name=\"loop\" period=\"1 ms\">\n"
         "  <block name=\"reference\" type=\"sources/Constant\" value=\"1 m\"/>\n"
         "  <block name=\"error\" type=\"math/Sum\" signs=\"+-\"/>\n"
         "  <block name=\"gain\" type=\"math/Gain\" gain=\"0.5\"/>\n" +
         delay + "  <connect from=\"reference.y\" to=\"error.u[0]\"/>\n  <connect from=\"error.y\" to=\"gain.u\"/>\n";
}

TEST(Draw, shows_the_algebraic_loop_in_red) {
  const Workplace here;
  here.write("loop.xml", loop("") + "  <connect from=\"gain.y\" to=\"error.u[1]\"/>\n</diagram>\n");
  ASSERT_EQ(here.hilda("plan loop.xml").exit, 2) << "it is an error";
  const Outcome drawn = here.hilda("draw loop.xml -o loop.svg");
  EXPECT_EQ(drawn.exit, 0) << drawn.err;
  EXPECT_THAT(drawn.err, HasSubstr("algebraic loop, drawn red"));
  const std::string svg = here.read("loop.svg");
  EXPECT_THAT(svg, HasSubstr(">algebraic loop<"));
  const std::size_t gain = svg.find("<title>gain</title>"), reference = svg.find("<title>reference</title>");
  EXPECT_THAT(svg.substr(gain, 200), HasSubstr("#c81e1e"));
  EXPECT_THAT(svg.substr(reference, 200), Not(HasSubstr("#c81e1e")));
}

TEST(Draw, has_no_red_where_a_delay_breaks_the_loop) {
  const Workplace here;
  here.write("loop.xml", loop("  <block name=\"delay\" type=\"discrete/UnitDelay\"/>\n") +
                             "  <connect from=\"gain.y\" to=\"delay.u\"/>\n"
                             "  <connect from=\"delay.y\" to=\"error.u[1]\"/>\n</diagram>\n");
  ASSERT_EQ(here.hilda("draw loop.xml -o loop.svg").exit, 0);
  const std::string svg = here.read("loop.svg");
  EXPECT_THAT(svg, Not(HasSubstr("#c81e1e")));
  EXPECT_THAT(svg, HasSubstr(">outputs do not follow from inputs of the same tick<"));
  EXPECT_THAT(svg, HasSubstr("<circle")) << "a sum is round";
}

TEST(Draw, tells_rates_apart) {
  const Workplace here;
  here.write("rates.xml", "<diagram format=\"1\" name=\"rates\" period=\"1 ms\">\n"
                          "  <block name=\"fast\" type=\"sources/Ramp\" slope=\"1 1/s\"/>\n"
                          "  <block name=\"slow\" type=\"discrete/UnitDelay\" sample_time=\"4 ms\"/>\n"
                          "  <block name=\"plant\" type=\"continuous/Integrator\"/>\n"
                          "  <connect from=\"fast.y\" to=\"slow.u\"/>\n  <connect from=\"slow.y\" to=\"plant.u\"/>\n"
                          "</diagram>\n");
  const Outcome drawn = here.hilda("draw rates.xml -o rates.svg");
  ASSERT_EQ(drawn.exit, 0) << drawn.err;
  for (const char* text : {">every 1 ms<", ">every 4 ms<", ">continuous<", ">holds continuous states<"})
    EXPECT_THAT(here.read("rates.svg"), HasSubstr(text));
}

TEST(Draw, refuses_a_diagram_with_errors_and_too_large_a_picture) {
  const Workplace here;
  here.write("wrong.xml",
             "<diagram format=\"1\" name=\"w\" period=\"1 ms\"><block name=\"a\" type=\"math/Gian\"/></diagram>");
  EXPECT_EQ(here.hilda("draw wrong.xml -o w.svg").exit, 2);
  std::string many = "<diagram format=\"1\" name=\"many\" period=\"1 ms\">\n";
  for (int i = 0; i < 500; ++i)
    many += "<block name=\"b" + std::to_string(i) + "\" type=\"sources/Constant\" value=\"1\"/>\n";
  here.write("many.xml", many + "</diagram>\n");
  const Outcome large = here.hilda("draw many.xml -o m.svg");
  EXPECT_EQ(large.exit, 3);
  EXPECT_THAT(large.err, HasSubstr("500 symbols are too many"));
}

TEST(Draw, draws_every_diagram_that_comes_with_the_program) {
  const Workplace here;
  for (const auto& file : std::filesystem::directory_iterator(diagrams)) {
    if (file.path().extension() != ".xml") continue;
    for (const char* depth : {"0", "9"}) {
      const Outcome drawn = here.hilda("draw '" + file.path().string() + "' --depth " + depth + " -o it.svg");
      EXPECT_EQ(drawn.exit, 0) << file.path() << drawn.err;
      EXPECT_THAT(here.read("it.svg"), Not(HasSubstr("nan"))) << file.path();
    }
  }
}

TEST(Draw, gives_the_same_picture_every_time) {
  const Workplace here;
  ASSERT_EQ(here.hilda("draw " + diagrams + "tdpa.xml --depth 1 -o a.svg").exit, 0);
  ASSERT_EQ(here.hilda("draw " + diagrams + "tdpa.xml --depth 1 -o b.svg").exit, 0);
  EXPECT_EQ(here.read("a.svg"), here.read("b.svg"));
}

} // namespace
} // namespace hilda::test
