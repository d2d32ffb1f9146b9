// SPDX-License-Identifier: BSD-3-Clause
#include "tests/cli/program.h"
#include "tests/modules.h"
#include "tests/pictures/text_places.h"
#include "tools/graphics/detail/plot/ticks.h"
#include "tools/graphics/figure.h"
#include "tools/graphics/run_differences.h"
#include "tools/graphics/svg.h"

#include <cmath>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <limits>

namespace hilda::graphics::plot {
namespace {

using test::Result;
using test::Workplace;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

TEST(Ticks, LieAtRoundNumbersInsideTheRange) {
  EXPECT_THAT(round_ticks(0, 1, 5).labels, ElementsAre("0", "0.2", "0.4", "0.6", "0.8", "1.0"));
  EXPECT_THAT(round_ticks(-3, 17, 4).labels, ElementsAre("0", "5", "10", "15"));
  EXPECT_THAT(round_ticks(176.2, 176.31, 6).labels,
              ElementsAre("176.20", "176.22", "176.24", "176.26", "176.28", "176.30"));
  EXPECT_THAT(round_ticks(-2e-3, 2e-3, 2).at, ElementsAre(-2e-3, 0, 2e-3));
}

TEST(AxisUnit, TakesThePrefixThatSavesZeros) {
  EXPECT_EQ(axis_unit("m/s", 0.02).text, "mm/s");
  EXPECT_EQ(axis_unit("N/m", 176275).text, "kN/m");
  EXPECT_EQ(axis_unit("N", 163).text, "N");
  EXPECT_EQ(axis_unit("kg m2", 5e4).text, "1e3 kg m2") << "kg has a prefix already";
  EXPECT_EQ(axis_unit("m2", 1e-6).text, "1e-6 m2") << "a prefix would be squared";
  EXPECT_EQ(axis_unit("", 1e-9).text, "1e-9");
}

/// What has no place on an axis is counted; the rest is drawn as without it.
TEST(Figure, SaysWhatItCannotDraw) {
  const double infinite = std::numeric_limits<double>::infinity();
  const auto drawn = [](std::vector<double> values) {
    auto time = std::make_shared<std::vector<double>>();
    for (std::size_t i = 0; i < values.size(); ++i) time->push_back(static_cast<double>(i));
    Figure figure;
    figure.panels.push_back({"", "N", {{"plant.y", time, std::move(values)}}});
    return figure_svg(figure);
  };
  for (const double far : {infinite, -infinite, 1e308, -1e308, 1e301}) {
    const std::string what = std::isinf(far) ? "infinite" : "beyond 1e300";
    EXPECT_THAT(drawn({0, far, 1, 2}), HasSubstr("1 value of plant.y is " + what + ": not drawn"));
    const std::string all = drawn({far, -far, far});
    EXPECT_THAT(all, HasSubstr("3 values of plant.y are " + what + ": not drawn"));
    EXPECT_THAT(all, Not(HasSubstr("nan")));
  }
  for (const double far : {1e299, -1e299, 0.0, 7.0}) EXPECT_THAT(drawn({0, far, 1}), Not(HasSubstr("not drawn")));
}

Curve noise_with_peak(std::size_t samples) {
  auto time = std::make_shared<std::vector<double>>(samples);
  Curve curve{"", nullptr, std::vector<double>(samples)};
  for (std::size_t i = 0; i < samples; ++i) {
    (*time)[i] = static_cast<double>(i) * 1e-3;
    curve.values[i] = static_cast<double>(i * 2654435761U % 1000) * 1e-3;
  }
  curve.values[samples / 3] = 7;
  curve.values[samples / 2] = -7;
  curve.time = time;
  return curve;
}

TEST(Decimation, KeepsEveryPeakAndBothEnds) {
  const Curve curve = noise_with_peak(100000);
  const auto lines = decimated(curve, 0, 100, 400);
  ASSERT_EQ(lines.size(), 1U);
  EXPECT_LE(lines[0].size(), 2U * 4 * 402);
  double least = 0, greatest = 0, before = -1;
  for (std::size_t i = 0; i < lines[0].size(); i += 2) {
    EXPECT_GE(lines[0][i], before);
    before = lines[0][i];
    least = std::min(least, lines[0][i + 1]), greatest = std::max(greatest, lines[0][i + 1]);
  }
  EXPECT_EQ(least, -7);
  EXPECT_EQ(greatest, 7);
  EXPECT_EQ(lines[0][0], 0);
  EXPECT_EQ(lines[0][lines[0].size() - 2], curve.time->back());
}

TEST(Decimation, BreaksTheLineWhereThereIsNoNumber) {
  Curve curve = noise_with_peak(30);
  curve.values[10] = curve.values[11] = std::numeric_limits<double>::quiet_NaN();
  const auto lines = decimated(curve, 0, 1, 1000);
  ASSERT_EQ(lines.size(), 2U);
  EXPECT_EQ(lines[0].size(), 20U);
  EXPECT_EQ(lines[1].size(), 36U);
}

TEST(Figure, TellsCurvesApartWithoutColour) {
  Figure figure;
  figure.panels.push_back({"Force", "N", {noise_with_peak(50), noise_with_peak(50), noise_with_peak(50)}});
  for (std::size_t i = 0; i < 3; ++i) figure.panels[0].curves[i].label = "curve " + std::to_string(i);
  const std::string svg = figure_svg(figure);
  EXPECT_THAT(svg, HasSubstr("Force [N]"));
  EXPECT_THAT(svg, HasSubstr("Time [s]"));
  EXPECT_THAT(svg, HasSubstr(">curve 2<"));
  EXPECT_THAT(svg, HasSubstr("stroke-dasharray=\"6 2.5\""));
  EXPECT_THAT(svg, HasSubstr("stroke-dasharray=\"1.6 2\""));
}

Curve ramp(const std::string& label, std::size_t samples = 5) {
  auto time = std::make_shared<std::vector<double>>(samples);
  Curve curve{label, nullptr, std::vector<double>(samples)};
  for (std::size_t i = 0; i < samples; ++i) (*time)[i] = curve.values[i] = static_cast<double>(i);
  curve.time = time;
  return curve;
}

TEST(Decimation, DrawsWhatIsHeldAsStepsUpToTheNextSample) {
  Curve curve = ramp("", 3);
  curve.held = 1;
  EXPECT_THAT(decimated(curve, 0, 10, 100), ElementsAre(ElementsAre(0, 0, 1, 0, 1, 1, 2, 1, 2, 2, 3, 2)));
  EXPECT_THAT(decimated(curve, 0, 2.5, 100).front().end()[-2], 2.5) << "not beyond the axis";
  curve.held = 0;
  EXPECT_THAT(decimated(curve, 0, 10, 100), ElementsAre(ElementsAre(0, 0, 1, 1, 2, 2)));
}

TEST(Decimation, DrawsNothingWhereNothingWasKept) {
  Curve curve = ramp("", 4);
  curve.time = std::make_shared<std::vector<double>>(std::vector<double>{0, 1, 7, 8});
  curve.gap = 1.5;
  EXPECT_THAT(decimated(curve, 0, 10, 100), ElementsAre(ElementsAre(0, 0, 1, 1), ElementsAre(7, 2, 8, 3)));
}

/// The strokes and dashes of the curves, in their order.
std::vector<std::string> pens_in(const std::string& svg, const char* attribute) {
  std::vector<std::string> found;
  for (std::size_t at = svg.find("<polyline"); at != std::string::npos; at = svg.find("<polyline", at + 1)) {
    const std::string element = svg.substr(at, svg.find("/>", at) - at);
    const std::size_t begin = element.find(attribute);
    found.push_back(begin == std::string::npos
                        ? ""
                        : element.substr(begin + std::string(attribute).size(),
                                         element.find('"', begin + std::string(attribute).size()) - begin -
                                             std::string(attribute).size()));
  }
  return found;
}

TEST(Figure, OfSeveralRunsHasAColourForEachRunAndADashForEachSignal) {
  Figure figure;
  figure.runs = {"with", "without"};
  Panel panel{"", "N", {ramp("a"), ramp("b"), ramp("a"), ramp("b")}};
  panel.curves[2].run = panel.curves[3].run = 1;
  figure.panels.push_back(panel);
  const std::string svg = figure_svg(figure);
  const auto colours = pens_in(svg, "stroke=\""), dashes = pens_in(svg, "stroke-dasharray=\"");
  ASSERT_EQ(colours.size(), 4U);
  EXPECT_EQ(colours[0], colours[1]);
  EXPECT_EQ(colours[2], colours[3]);
  EXPECT_NE(colours[0], colours[2]);
  EXPECT_EQ(dashes[0], dashes[2]);
  EXPECT_EQ(dashes[1], dashes[3]);
  EXPECT_NE(dashes[0], dashes[1]);
  for (const char* entry : {">with<", ">without<", ">a<", ">b<"}) EXPECT_THAT(svg, HasSubstr(entry));
}

TEST(Figure, KeepsItsLegendApartAndInside) {
  Figure figure;
  figure.width = 300;
  figure.panels.push_back({"", "N", {}});
  for (int i = 0; i < 9; ++i)
    figure.panels[0].curves.push_back(ramp(std::string(static_cast<std::size_t>(8 * i + 1), 'm') + std::to_string(i)));
  const std::string svg = figure_svg(figure);
  struct Place {
    double x, y, end;
  };
  std::vector<Place> places;
  for (std::size_t at = svg.find("<text"); at != std::string::npos; at = svg.find("<text", at + 1)) {
    const std::string element = svg.substr(at, svg.find("</text>", at) - at);
    const std::string text = element.substr(element.find('>') + 1);
    if (text.front() != 'm') continue;
    const auto number = [&element](const std::string& name) {
      return std::stod(element.substr(element.find(" " + name + "=\"") + name.size() + 3));
    };
    places.push_back({number("x"), number("y"), number("x") + svg::text_width(text, number("font-size"))});
  }
  ASSERT_EQ(places.size(), 9U);
  for (std::size_t i = 0; i < places.size(); ++i) {
    EXPECT_LE(places[i].end, figure.width) << i;
    if (i > 0 && places[i].y == places[i - 1].y) { EXPECT_GT(places[i].x - 33, places[i - 1].end) << i; }
  }
}

TEST(Figure, OfSeveralRunsShowsNoLineInItsLegendThatIsNotDrawn) {
  Figure figure;
  figure.runs = {"with", "without"};
  Panel panel{"", "N", {ramp("a"), ramp("a")}};
  panel.curves[1].run = 1;
  figure.panels.push_back(panel);
  const std::string svg = figure_svg(figure);
  EXPECT_THAT(svg, HasSubstr(">a<"));
  EXPECT_THAT(svg, Not(HasSubstr("#7f7f7f"))) << "the grey of the dashes";
  test::expect_readable(svg, "two runs");
  const std::string first = svg.substr(svg.find("<polyline"));
  EXPECT_THAT(first.substr(0, first.find("/>")), HasSubstr("stroke-width=\"2.5\"")) << "seen below the second";
}

TEST(Differences, AreThoseOfTheLaterRunsAtTheirOwnTimes) {
  Curve first = ramp("a", 5), later = ramp("a", 4);
  const auto shifted = std::make_shared<std::vector<double>>(std::vector<double>{0.5, 1.5, 3.5, 4.5});
  later.time = shifted, later.run = 1;
  std::vector<Panel> all = with_differences({{"", "N", {first, later}}}, {"x", "y"});
  ASSERT_EQ(all.size(), 2U);
  EXPECT_EQ(all[1].quantity, "y \xE2\x88\x92 x");
  ASSERT_EQ(all[1].curves.size(), 1U);
  const std::vector<double>& found = all[1].curves[0].values;
  EXPECT_EQ(found[0], -0.5);
  EXPECT_EQ(found[1], -0.5);
  EXPECT_EQ(found[2], -1.5);
  EXPECT_TRUE(std::isnan(found[3])) << "behind the first run's end";
  first.held = 1;
  all = with_differences({{"", "N", {first, later}}}, {"x", "y"});
  EXPECT_EQ(all[1].curves[0].values[1], 0) << "the first run holds 1 up to 2 s";
  EXPECT_EQ(all[1].curves[0].values[3], -1) << "and its last value for one more period";
}

TEST(Differences, ARunThatHidesAnotherIsNamed) {
  const auto note = [](double off) {
    std::vector<Panel> panels{{"", "N", {ramp("a"), ramp("a")}}};
    panels[0].curves[1].run = 1;
    panels[0].curves[1].values[2] += off;
    note_hidden_runs(panels, {"x", "y"});
    return panels[0].note;
  };
  EXPECT_EQ(note(0), "y lies on x: equal");
  EXPECT_EQ(note(0.01), "y lies on x: at most 0.01 N apart");
  EXPECT_EQ(note(0.1), "");
}

TEST(Figure, ForADarkPageHasLightLinesOnADarkGround) {
  Figure figure;
  figure.panels.push_back({"", "N", {ramp("a")}});
  EXPECT_THAT(figure_svg(figure), HasSubstr("fill=\"#ffffff\""));
  figure.theme = Theme::dark;
  const std::string svg = figure_svg(figure);
  EXPECT_THAT(svg, Not(HasSubstr("#ffffff")));
  EXPECT_THAT(svg, Not(HasSubstr("\"#000000\"")));
}

TEST(Figure, InAPageTakesEveryColourFromThePageAndHasNamesOfItsOwn) {
  Figure figure;
  figure.panels.push_back({"", "N", {ramp("a"), ramp("b")}});
  figure.theme = Theme::page;
  figure.id = "third_";
  const std::string svg = figure_svg(figure);
  EXPECT_THAT(svg, Not(HasSubstr("\"#")));
  for (const char* part : {"var(--pen0)", "var(--pen1)", "var(--ink)", "var(--grid)", "var(--ground)",
                           "id=\"third_axes1\"", "url(#third_axes1)"})
    EXPECT_THAT(svg, HasSubstr(part));
}

TEST(Figure, OfAConstantOrOfNothingHasAxesAllTheSame) {
  Figure figure;
  figure.panels.push_back({"", "", {{"zero", std::make_shared<std::vector<double>>(2, 0.0), {0, 0}}}});
  figure.panels.push_back({"", "", {{"none", std::make_shared<std::vector<double>>(), {}}}});
  const std::string svg = figure_svg(figure);
  EXPECT_THAT(svg, Not(HasSubstr("nan")));
  EXPECT_THAT(svg, Not(HasSubstr("inf")));
}

TEST(Figure, ShowsOneSampleAsADotAndCountsFromARoundValueWhereOnlyTheLastDigitsDiffer) {
  Figure figure;
  figure.panels.push_back({"", "m", {ramp("one", 1)}});
  Curve cold = ramp("temperature", 50);
  for (std::size_t i = 0; i < 50; ++i) cold.values[i] = 293.15 + 1e-9 * std::sin(0.3 * static_cast<double>(i));
  figure.panels.push_back({"Temperature", "K", {cold}});
  const std::string svg = figure_svg(figure);
  EXPECT_THAT(svg, HasSubstr("<circle"));
  EXPECT_THAT(svg, HasSubstr(">293.15 K +<"));
  EXPECT_THAT(svg, HasSubstr(">Temperature [1e-12 K]<"));
  EXPECT_THAT(svg, HasSubstr(">500<"));
}

class PlotCommand : public testing::Test {
protected:
  void SetUp() override {
    here.write("r.xml", "<diagram format=\"1\" name=\"r\" period=\"1 ms\"><parameter name=\"duration\" value=\"1 s\"/>"
                        "<block name=\"a\" type=\"sources/Ramp\" slope=\"1 m/s\"/>"
                        "<block name=\"b\" type=\"sources/Ramp\" slope=\"2 N/s\"/><block name=\"c\" "
                        "type=\"sources/Ramp\" slope=\"3 m/s\"/></diagram>");
    ASSERT_EQ(here.hilda("run r.xml --quiet --log r.mcap").exit, 0);
  }
  Workplace here;
};

TEST_F(PlotCommand, DrawsSignalsOfUnlikeUnitsInPanelsOfTheirOwn) {
  const Result plotted = here.hilda("plot r.mcap --signals a.y=way,b.y --axis Ramp -o r.svg");
  EXPECT_EQ(plotted.exit, 0) << plotted.err;
  const std::string svg = here.read("r.svg");
  EXPECT_THAT(svg, HasSubstr("Ramp [m]"));
  EXPECT_THAT(svg, HasSubstr("Ramp [N]"));
  EXPECT_THAT(svg, HasSubstr(">way<"));
  EXPECT_THAT(svg, HasSubstr(">b.y<"));
}

/// A port called y says nothing of what is drawn; its block does.
TEST_F(PlotCommand, NamesAnAxisAfterTheBlockWhereThePortIsALetter) {
  ASSERT_EQ(here.hilda("plot r.mcap --signals b.y -o b.svg").exit, 0);
  EXPECT_THAT(here.read("b.svg"), HasSubstr(">b [N]<"));
}

TEST_F(PlotCommand, DrawsSeveralLogsOverOneAnother) {
  ASSERT_EQ(here.hilda("run r.xml --quiet --log s.mcap --for 500ms").exit, 0);
  EXPECT_EQ(here.hilda("plot r.mcap s.mcap --name long --signals '?.y' -o both.svg").exit, 0);
  for (const char* entry : {">long<", ">s<", ">a.y<", ">c.y<"}) EXPECT_THAT(here.read("both.svg"), HasSubstr(entry));
  EXPECT_EQ(here.hilda("plot r.mcap s.mcap --signals a.y -o one.svg").exit, 0);
  for (const char* entry : {">r<", ">s<", ">a.y<"})
    EXPECT_THAT(here.read("one.svg"), HasSubstr(entry)) << "the runs, and what signal it is";
}

TEST_F(PlotCommand, ShowsDifferencesWhereTheyAreAskedFor) {
  ASSERT_EQ(here.hilda("run r.xml --quiet --log s.mcap --set a.slope=\"3 m/s\"").exit, 0);
  EXPECT_EQ(here.hilda("plot r.mcap s.mcap --signals a.y,c.y --difference -o d.svg").exit, 0);
  EXPECT_THAT(here.read("d.svg"), HasSubstr(">s \xE2\x88\x92 r [m]<"));
  test::expect_readable(here.read("d.svg"), "difference");
  EXPECT_EQ(here.hilda("plot r.mcap s.mcap --signals c.y -o d.svg").exit, 0);
  EXPECT_THAT(here.read("d.svg"), testing::AllOf(HasSubstr("s lies on r: equal"), Not(HasSubstr("\xE2\x88\x92 r"))));
  const Result alone = here.hilda("plot r.mcap --difference -o d.svg");
  EXPECT_EQ(alone.exit, 64);
  EXPECT_THAT(alone.err, HasSubstr("--difference needs two logs or more"));
}

TEST_F(PlotCommand, SuggestsALogWhereThereIsNone) {
  EXPECT_THAT(here.hilda("plot rr.mcap").err, HasSubstr("did you mean 'r.mcap'?"));
  EXPECT_THAT(here.hilda("plot out/r.mcap").err, HasSubstr("did you mean 'r.mcap'?")) << "the folder is wrong";
  EXPECT_THAT(here.hilda("plot far_off.mcap").err, Not(HasSubstr("did you mean")));
}

TEST_F(PlotCommand, ShowsWhatAReportOpensOnUnlessTold) {
  ASSERT_EQ(here.hilda("plot r.mcap -o r.svg").exit, 0);
  ASSERT_EQ(here.hilda("report r.mcap -o r.html").exit, 0);
  EXPECT_THAT(here.read("r.html"), HasSubstr(R"("signals":["a.y","c.y"])"));
  for (const char* text : {"Signals in m [m]", "Signals in N [N]", ">a.y<", ">b.y<", ">c.y<"})
    EXPECT_THAT(here.read("r.svg"), HasSubstr(text));
  here.write("k.xml", "<diagram format=\"1\" name=\"k\" period=\"10 ms\"><parameter name=\"duration\" value=\"1 s\"/>"
                      "<block name=\"still\" type=\"sources/Constant\" value=\"1 N\"/>"
                      "<block name=\"a\" type=\"sources/Ramp\" slope=\"2 N/s\"/>"
                      "<block name=\"b\" type=\"sources/Sine\" amplitude=\"1 N\" bias=\"9 N\" frequency=\"1 Hz\"/>"
                      "<block name=\"end\" type=\"sinks/Terminator\"/><connect from=\"b.y\" to=\"end.u\"/></diagram>");
  ASSERT_EQ(here.hilda("run k.xml --quiet --log k.mcap").exit, 0);
  ASSERT_EQ(here.hilda("plot k.mcap -o k.svg").exit, 0);
  const std::string svg = here.read("k.svg");
  EXPECT_LT(svg.find(">b.y<"), svg.find(">a.y<")) << "what a sink takes comes first";
  EXPECT_THAT(svg, Not(HasSubstr(">still.y<"))) << "it never changes";
}

TEST_F(PlotCommand, AsksForSignalsWhereNoneChanges) {
  here.write("k.xml", "<diagram format=\"1\" name=\"k\" period=\"10 ms\">"
                      "<block name=\"still\" type=\"sources/Constant\" value=\"1 N\"/></diagram>");
  ASSERT_EQ(here.hilda("run k.xml --quiet --for 100ms --log k.mcap").exit, 0);
  const Result none = here.hilda("plot k.mcap -o k.svg");
  EXPECT_EQ(none.exit, 64);
  EXPECT_THAT(none.err, testing::AllOf(HasSubstr("None changes"), HasSubstr("--signals")));
}

TEST(Ticks, OfLogarithmsLieAtPowersOfTen) {
  EXPECT_THAT(decade_ticks(-2, 3).labels, ElementsAre("0.01", "0.1", "1", "10", "100", "1000"));
  EXPECT_THAT(decade_ticks(0, 1).labels, ElementsAre("1", "2", "5", "10"));
}

TEST(Bode, DrawsMagnitudeAndPhaseOverDecades) {
  const Workplace here;
  here.write("it.xml",
             "<diagram format=\"1\" name=\"it\" period=\"1 ms\">\n"
             "<block name=\"u\" type=\"sources/Constant\" value=\"1\"/>\n"
             "<block name=\"lag\" type=\"continuous/TransferFunction\" numerator=\"1\" denominator=\"0.1 1\"/>\n"
             "<connect from=\"u.y\" to=\"lag.u\"/></diagram>");
  const Result done = here.hilda("linearize it.xml --from u.y --to lag.y --out it --lowest 0.1 --highest 1000 "
                                 "--points 401 --bode bode.svg");
  ASSERT_EQ(done.exit, 0) << done.err;
  const std::string svg = here.read("bode.svg");
  for (const char* text : {"Magnitude [dB]", "Phase [deg]", "Frequency [rad/s]", ">u.y to lag.y<", ">1000<"})
    EXPECT_THAT(svg, HasSubstr(text));
  EXPECT_EQ(here.hilda("linearize it.xml --from u.y --to lag.y --bode bode.gif").exit, 64);
}

TEST_F(PlotCommand, WritesPngAndPdf) {
  EXPECT_EQ(here.hilda("plot r.mcap --signals a.y -o r.png").exit, 0);
  EXPECT_EQ(here.read("r.png").substr(1, 3), "PNG");
  EXPECT_EQ(here.hilda("plot r.mcap --signals a.y -o r.pdf").exit, 0);
  EXPECT_EQ(here.read("r.pdf").substr(0, 4), "%PDF");
}

TEST_F(PlotCommand, SaysWhatIsWrong) {
  const Result unknown = here.hilda("plot r.mcap --signals d.y -o r.svg");
  EXPECT_EQ(unknown.exit, 64);
  EXPECT_THAT(unknown.err, HasSubstr("the log has no signal \"d.y\""));
  EXPECT_EQ(here.hilda("plot r.mcap --signals a.y --from 2 --to 1 -o r.svg").exit, 64);
  EXPECT_EQ(here.hilda("plot none.mcap --signals a.y").exit, 2);
  const Result kind = here.hilda("plot r.mcap --signals a.y -o r.gif");
  EXPECT_EQ(kind.exit, 64);
  EXPECT_THAT(kind.err, HasSubstr("must end in .svg, .png or .pdf"));
  EXPECT_EQ(here.hilda("plot r.mcap --signals a.y -o no/such/folder.svg").exit, 3);
}

} // namespace
} // namespace hilda::graphics::plot
