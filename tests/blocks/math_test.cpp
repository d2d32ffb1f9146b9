// SPDX-License-Identifier: BSD-3-Clause
#include "tests/blocks/trial.h"
#include "tests/blocks/wire.h"

#include <gmock/gmock.h>

#include <cmath>
#include <functional>

namespace hilda::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

constexpr const char* scalar_noise = "type=\"sources/Noise\" deviation=\"2\"";
constexpr const char* six = "type=\"sources/Noise\" deviation=\"1 2 3 4 5 6\"";
constexpr const char* matrix = "type=\"sources/Noise\" deviation=\"1 2; 3 4; 5 6; 7 8\"";

/// Feeds noise of several shapes through a block and compares every element with a formula.
void expect_elementwise(const std::string& type, const std::string& attributes,
                        const std::function<double(double)>& formula) {
  for (const char* source : {scalar_noise, "", six, matrix}) {
    const Trial trial = sound_trial(fed(type, attributes, source));
    const Trace &u = trial["u.y"], &y = trial["b.y"];
    ASSERT_EQ(u.values.size(), y.values.size());
    for (std::size_t i = 0; i < u.values.size(); ++i) EXPECT_DOUBLE_EQ(y.values[i], formula(u.values[i])) << type;
  }
}

/// y[k][i] of a block with inputs a and b of the same noise shape.
void expect_pairwise(const std::string& type, const std::string& first, const std::string& second,
                     const std::function<double(double, double)>& formula) {
  for (const char* deviation : {"1", "1 2 3", "1 2 3 4 5 6", "1 2; 3 4"}) {
    const std::string noise = std::string(" type=\"sources/Noise\" deviation=\"") + deviation + "\"/>";
    const Trial trial =
        sound_trial("<block name=\"p\"" + noise + "<block name=\"q\"" + noise + "<block name=\"b\" " + type +
                    "/><connect from=\"p.y\" to=\"b." + first + "\"/><connect from=\"q.y\" to=\"b." + second + "\"/>");
    const Trace &p = trial["p.y"], &q = trial["q.y"];
    const Trace& y = trial.traces.count("b.y") != 0 ? trial["b.y"] : trial["b.angle"];
    ASSERT_EQ(p.values.size(), y.values.size());
    for (std::size_t i = 0; i < p.values.size(); ++i)
      EXPECT_DOUBLE_EQ(y.values[i], formula(p.values[i], q.values[i])) << type;
  }
}

std::string constant(const std::string& name, const std::string& value) {
  return "<block name=\"" + name + "\" type=\"sources/Constant\" value=\"" + value + "\"/>\n";
}
TEST(Math, FunctionsOfOneSignalWorkOnEachElementOfAnyShape) {
  expect_elementwise("math/Gain", "gain=\"2.5\"", [](double u) { return 2.5 * u; });
  expect_elementwise("math/Bias", "bias=\"-3\"", [](double u) { return u - 3; });
  expect_elementwise("math/Abs", "", [](double u) { return std::abs(u); });
  expect_elementwise("math/Sign", "", [](double u) { return u > 0 ? 1 : u < 0 ? -1 : 0; });
  expect_elementwise("math/Square", "", [](double u) { return u * u; });
  expect_elementwise("math/Sqrt", "keep_sign=\"true\"",
                     [](double u) { return std::copysign(std::sqrt(std::abs(u)), u); });
  expect_elementwise("math/Power", "exponent=\"3\"", [](double u) { return std::pow(u, 3); });
  expect_elementwise("math/Saturation", "lower=\"-0.5\" upper=\"1\"",
                     [](double u) { return std::min(std::max(u, -0.5), 1.0); });
  expect_elementwise("math/Saturation", "upper=\"1\"", [](double u) { return std::min(u, 1.0); });
  expect_elementwise("math/DeadZone", "lower=\"-0.5\" upper=\"1\"", [](double u) {
    return u > 1 ? u - 1 : u < -0.5 ? u + 0.5 : 0;
  });
  expect_elementwise("math/Quantizer", "step=\"0.25\"", [](double u) { return 0.25 * std::round(u / 0.25); });
  expect_elementwise("math/Round", "", [](double u) { return std::round(u); });
  expect_elementwise("math/Round", "to=\"down\"", [](double u) { return std::floor(u); });
  expect_elementwise("math/Round", "to=\"up\"", [](double u) { return std::ceil(u); });
  expect_elementwise("math/Round", "to=\"zero\"", [](double u) { return std::trunc(u); });
  expect_elementwise("math/Exponential", "", [](double u) { return std::exp(u); });
}

TEST(Math, ADeadZoneEndsWithItsBoundsAndRefusesThoseThatDoNotFit) {
  const auto zone = [](const std::string& bounds) {
    return constant("u", "-0.5 1 3") + "<block name=\"b\" type=\"math/DeadZone\" " + bounds + "/>" + wire("u.y", "b.u");
  };
  EXPECT_THAT(sound_trial(zone("lower=\"-0.5\" upper=\"1\""))["b.y"].row(0), ElementsAre(0, 0, 2));
  EXPECT_THAT(run_trial(zone("lower=\"2\" upper=\"1\"")).errors, HasSubstr("lower"));
  EXPECT_THAT(run_trial(zone("lower=\"1 2\" upper=\"3\"")).errors, HasSubstr("lower"));
  EXPECT_THAT(run_trial(zone("lower=\"0\" upper=\"1 2\"")).errors, HasSubstr("upper"));
}

TEST(Math, LimitsAreOneNumberOrOneForEachElementInTheRightOrder) {
  const auto errors = [](const std::string& limits, const std::string& value = "1 2 3") {
    return run_trial(constant("u", value) + "<block name=\"b\" type=\"math/Saturation\" " + limits + "/>" +
                     wire("u.y", "b.u"))
        .errors;
  };
  for (const char* sound : {"lower=\"1\" upper=\"1\"", "lower=\"1 2 3\" upper=\"3\"", "lower=\"0\" upper=\"0 1 2\"",
                            "lower=\"-1 0 1\" upper=\"-1 0 1\""})
    EXPECT_EQ(errors(sound), "") << sound;
  EXPECT_THAT(errors("lower=\"0 0 5\" upper=\"1 1 4\""),
              HasSubstr("element 2 lies above upper (in SI: 5.000000 > 4.0"));
  EXPECT_THAT(errors("lower=\"0 3 5\" upper=\"2\""), HasSubstr("element 1 lies above upper"));
  EXPECT_THAT(errors("lower=\"2\" upper=\"3 2 1\""), HasSubstr("element 2 lies above upper"));
  EXPECT_THAT(errors("lower=\"0 1\" upper=\"1\""),
              HasSubstr("has 2 values for a signal of 3; give one number for all"));
  const std::string rows = "1 2; 3 4; 5 6";
  EXPECT_EQ(errors("upper=\"9 8; 7 6; 5 4\"", rows), "");
  EXPECT_THAT(errors("upper=\"1 2 3\"", rows), HasSubstr("has 3 values for a signal of 3x2"));
  EXPECT_THAT(errors("upper=\"1 2; 3 4\"", rows), HasSubstr("has 2x2 values for a signal of 3x2"));
  EXPECT_THAT(errors("upper=\"1 2 3; 4 5 6\"", rows), HasSubstr("has 2x3 values for a signal of 3x2"));
}

TEST(Math, FunctionsOfAnglesTakeAndGiveRadians) {
  const std::string angles = "type=\"sources/Noise\" deviation=\"300 400 deg\"";
  for (const auto& [name, function] : std::initializer_list<std::pair<const char*, double (*)(double)>>{
           {"sin", std::sin}, {"cos", std::cos}, {"tan", std::tan}}) {
    const Trial trial = sound_trial(fed("math/Trigonometry", std::string("function=\"") + name + "\"", angles));
    for (std::size_t i = 0; i < trial["u.y"].values.size(); ++i)
      EXPECT_DOUBLE_EQ(trial["b.y"].values[i], function(trial["u.y"].values[i]));
  }
  const Trial inverse = sound_trial(fed("math/InverseTrigonometry", "function=\"atan\""));
  EXPECT_EQ(inverse.units.at("b.y"), "rad");
  EXPECT_DOUBLE_EQ(inverse["b.y"].at(5, 1), std::atan(inverse["u.y"].at(5, 1)));
  EXPECT_THAT(run_trial(fed("math/Trigonometry", "function=\"sin\"", "type=\"sources/Constant\" value=\"2 N\"")).errors,
              HasSubstr("rad"));
}

TEST(Math, WrapAngleTakesWholeTurnsAway) {
  for (const char* range : {"symmetric", "positive"}) {
    const Trial trial = sound_trial(fed("math/WrapAngle", std::string("range=\"") + range + "\"",
                                        "type=\"sources/Noise\" deviation=\"20 0.1 1000 rad\""));
    for (std::size_t i = 0; i < trial["u.y"].values.size(); ++i) {
      const double u = trial["u.y"].values[i], y = trial["b.y"].values[i];
      EXPECT_NEAR(std::remainder(u - y, 2 * M_PI), 0, 1e-9);
      EXPECT_LE(y, std::string(range) == "positive" ? 2 * M_PI : M_PI);
      EXPECT_GE(y, std::string(range) == "positive" ? 0 : -M_PI);
    }
  }
}

TEST(Math, FunctionsOfTwoSignalsWorkOnEachElement) {
  expect_pairwise("type=\"math/Product\"", "a", "b", [](double a, double b) { return a * b; });
  expect_pairwise("type=\"math/Divide\"", "a", "b", [](double a, double b) { return a / b; });
  expect_pairwise("type=\"math/Atan2\"", "y", "x", [](double a, double b) { return std::atan2(a, b); });
  expect_pairwise("type=\"math/Sum\"", "u[0]", "u[1]", [](double a, double b) { return a + b; });
  expect_pairwise("type=\"math/Sum\" signs=\"-+\"", "u[0]", "u[1]", [](double a, double b) { return b - a; });
  expect_pairwise("type=\"math/MinMax\" operation=\"min\"", "u[0]", "u[1]",
                  [](double a, double b) { return std::min(a, b); });
  expect_pairwise("type=\"math/MinMax\" operation=\"max\"", "u[0]", "u[1]",
                  [](double a, double b) { return std::max(a, b); });
}

TEST(Math, ASumTakesEachOfManyTermsWithItsSign) {
  for (const std::size_t terms : {1U, 63U, 64U, 65U, 150U}) {
    std::string body = constant("one", "1") + constant("three", "3 5"), signs;
    double expected = 0;
    for (std::size_t k = 0; k < terms; ++k) {
      const bool minus = k % 5 == 0 || k % 7 == 3 || k + 1 == terms;
      signs += minus ? '-' : '+', expected += minus ? -1 : 1;
      body += wire("one.y", "s.u[" + std::to_string(k) + "]") + wire("three.y", "v.u[" + std::to_string(k) + "]");
    }
    for (const char* name : {"s", "v"})
      body += "<block name=\"" + std::string(name) + "\" type=\"math/Sum\" signs=\"" + signs + "\"/>";
    const Trial trial = sound_trial(body);
    EXPECT_EQ(trial["s.y"].at(0), expected) << terms;
    EXPECT_THAT(trial["v.y"].row(0), ElementsAre(3 * expected, 5 * expected)) << terms;
  }
}

TEST(Math, AGainMayDifferForEachElementAndCarriesTheUnit) {
  const Trial trial = sound_trial(constant("c", "1 2 3 m") +
                                  "<block name=\"k\" type=\"math/Gain\" gain=\"10 20 30 N/m\"/>" + wire("c.y", "k.u"));
  EXPECT_THAT(trial["k.y"].row(0), ElementsAre(10, 40, 90));
  EXPECT_EQ(trial.units.at("k.y"), "N");
}

TEST(Math, MatrixGainMultipliesFromTheLeft) {
  const Trial trial =
      sound_trial(constant("c", "1 2 3") + "<block name=\"k\" type=\"math/MatrixGain\" gain=\"1 2 3; 4 5 6\"/>" +
                  wire("c.y", "k.u") + "<block name=\"s\" type=\"math/MatrixGain\" gain=\"0 1 0; 0 0 1; 1 0 0\"/>" +
                  wire("c.y", "s.u") + "<block name=\"d\" type=\"math/MatrixGain\" gain=\"2\"/>" + wire("c.y", "d.u"));
  EXPECT_THAT(trial["k.y"].row(0), ElementsAre(14, 32));
  EXPECT_THAT(trial["s.y"].row(0), ElementsAre(2, 3, 1)) << "the layout for three elements is another code path";
  EXPECT_THAT(trial["d.y"].row(0), ElementsAre(2, 4, 6)) << "one number is a multiple of the identity";
}

TEST(Math, MatrixGainsOfAllSizesAgreeWithTheSum) {
  for (const int n : {1, 2, 3, 5, 6, 9}) {
    std::string rows, deviation;
    for (int i = 0; i < n; ++i) {
      for (int j = 0; j < n; ++j) rows += std::to_string(i * n + j + 1) + " ";
      rows += ";";
      deviation += "1 ";
    }
    const Trial trial = sound_trial(
        fed("math/MatrixGain", "gain=\"" + rows + "\"", "type=\"sources/Noise\" deviation=\"" + deviation + "\""));
    for (std::size_t i = 0; i < static_cast<std::size_t>(n); ++i) {
      double sum = 0;
      for (int j = 0; j < n; ++j)
        sum += (static_cast<double>(i) * n + j + 1) * trial["u.y"].at(7, static_cast<std::size_t>(j));
      EXPECT_NEAR(trial["b.y"].at(7, i), sum, 1e-12 * n * n * n) << n;
    }
  }
}

TEST(Math, MatricesMultiplyTransposeAndReshape) {
  const Trial trial =
      sound_trial(constant("p", "1 2; 3 4; 5 6") + constant("q", "1 0 2; 0 1 1") +
                  "<block name=\"m\" type=\"math/MatrixProduct\"/>" + wire("p.y", "m.a") + wire("q.y", "m.b") +
                  "<block name=\"t\" type=\"math/Transpose\"/>" + wire("p.y", "t.u") +
                  "<block name=\"r\" type=\"math/Reshape\" rows=\"2\" cols=\"3\"/>" + wire("p.y", "r.u"));
  EXPECT_THAT(trial["m.y"].row(0), ElementsAre(1, 3, 5, 2, 4, 6, 4, 10, 16)) << "column by column";
  EXPECT_THAT(trial["t.y"].row(0), ElementsAre(1, 2, 3, 4, 5, 6));
  EXPECT_THAT(trial["r.y"].row(0), ElementsAre(1, 3, 5, 2, 4, 6));
  EXPECT_THAT(run_trial(constant("p", "1 2 3") + "<block name=\"r\" type=\"math/Reshape\" rows=\"2\" cols=\"2\"/>" +
                        wire("p.y", "r.u"))
                  .errors,
              HasSubstr("4, but the input has 3 elements"));
}

TEST(Math, ProductsOfVectors) {
  const Trial trial =
      sound_trial(constant("a", "1 2 3 m") + constant("b", "-2 0.5 4 N") + constant("w", "0 0 2 rad/s") +
                  "<block name=\"x\" type=\"math/Cross\"/>" + wire("a.y", "x.a") + wire("b.y", "x.b") +
                  "<block name=\"d\" type=\"math/Dot\"/>" + wire("a.y", "d.a") + wire("b.y", "d.b") +
                  "<block name=\"r\" type=\"math/CrossRate\"/>" + wire("w.y", "r.rate") + wire("a.y", "r.arm") +
                  "<block name=\"f\" type=\"math/Scale\"/>" + wire("d.y", "f.factor") + wire("a.y", "f.u") +
                  "<block name=\"s\" type=\"math/SumElements\"/>" + wire("a.y", "s.u") +
                  "<block name=\"e\" type=\"math/SumElements\" result=\"mean\"/>" + wire("a.y", "e.u"));
  EXPECT_THAT(trial["x.y"].row(0), ElementsAre(6.5, -10, 4.5));
  EXPECT_DOUBLE_EQ(trial["d.y"].at(0), 11);
  EXPECT_THAT(trial["r.y"].row(0), ElementsAre(-4, 2, 0));
  EXPECT_EQ(trial.units.at("r.y"), "m/s") << "the angle drops out";
  EXPECT_THAT(trial["f.y"].row(0), ElementsAre(11, 22, 33));
  EXPECT_DOUBLE_EQ(trial["s.y"].at(0), 6);
  EXPECT_DOUBLE_EQ(trial["e.y"].at(0), 2);
}

TEST(Math, NormsAndDirections) {
  const auto norm = [](const std::string& kind) {
    return "<block name=\"" + kind + "\" type=\"math/Norm\" kind=\"" + kind + "\"/>" + wire("v.y", kind + ".u");
  };
  const Trial trial =
      sound_trial(constant("v", "3 -4 12 m") + constant("z", "0 0 0 m") + norm("euclidean") + norm("sum") +
                  norm("largest") + "<block name=\"n\" type=\"math/Normalize\"/>" + wire("v.y", "n.u") +
                  "<block name=\"o\" type=\"math/Normalize\"/>" + wire("z.y", "o.u"));
  EXPECT_DOUBLE_EQ(trial["euclidean.y"].at(0), 13);
  EXPECT_DOUBLE_EQ(trial["sum.y"].at(0), 19);
  EXPECT_DOUBLE_EQ(trial["largest.y"].at(0), 12);
  EXPECT_THAT(trial["n.y"].row(0), ElementsAre(3.0 / 13, -4.0 / 13, 12.0 / 13));
  EXPECT_THAT(trial["o.y"].row(0), ElementsAre(0, 0, 0)) << "no direction, and no division by 0";
}

TEST(Math, ComparisonsGiveBooleans) {
  const auto compare = [](const std::string& operation) {
    return "<block name=\"" + operation + "\" type=\"math/Compare\" operation=\"" + operation + "\" with=\"1 m\"/>" +
           wire("c.y", operation + ".a");
  };
  const Trial trial =
      sound_trial(constant("c", "0.5 1 1.5 m") + compare("less") + compare("less_or_equal") + compare("equal") +
                  compare("not_equal") + compare("greater_or_equal") + compare("greater"));
  EXPECT_THAT(trial["less.y"].row(0), ElementsAre(1, 0, 0));
  EXPECT_THAT(trial["less_or_equal.y"].row(0), ElementsAre(1, 1, 0));
  EXPECT_THAT(trial["equal.y"].row(0), ElementsAre(0, 1, 0));
  EXPECT_THAT(trial["not_equal.y"].row(0), ElementsAre(1, 0, 1));
  EXPECT_THAT(trial["greater_or_equal.y"].row(0), ElementsAre(0, 1, 1));
  EXPECT_THAT(trial["greater.y"].row(0), ElementsAre(0, 0, 1));
  const Trial two = sound_trial(constant("c", "1 2") + constant("d", "1.05 2.2") +
                                "<block name=\"b\" type=\"math/Compare\" operation=\"equal\" tolerance=\"0.1\"/>" +
                                wire("c.y", "b.a") + wire("d.y", "b.b"));
  EXPECT_THAT(two["b.y"].row(0), ElementsAre(1, 0));
}

TEST(Math, LogicFollowsTheTruthTables) {
  std::string body = constant("p", "0 0 1 1") + constant("q", "0 1 0 1") +
                     "<block name=\"x\" type=\"math/RealToBool\"/>" + wire("p.y", "x.u") +
                     "<block name=\"y\" type=\"math/RealToBool\"/>" + wire("q.y", "y.u") +
                     "<block name=\"not\" type=\"math/Logic\" operation=\"not\" inputs=\"1\"/>" +
                     wire("x.y", "not.u[0]") + "<block name=\"any\" type=\"math/AnyAll\"/>" + wire("x.y", "any.u");
  for (const std::string operation : {"and", "or", "xor", "nand", "nor"})
    body += "<block name=\"" + operation + "\" type=\"math/Logic\" operation=\"" + operation + "\"/>" +
            wire("x.y", operation + ".u[0]") + wire("y.y", operation + ".u[1]");
  const Trial trial = sound_trial(body);
  EXPECT_THAT(trial["and.y"].row(0), ElementsAre(0, 0, 0, 1));
  EXPECT_THAT(trial["or.y"].row(0), ElementsAre(0, 1, 1, 1));
  EXPECT_THAT(trial["xor.y"].row(0), ElementsAre(0, 1, 1, 0));
  EXPECT_THAT(trial["nand.y"].row(0), ElementsAre(1, 1, 1, 0));
  EXPECT_THAT(trial["nor.y"].row(0), ElementsAre(1, 0, 0, 0));
  EXPECT_THAT(trial["not.y"].row(0), ElementsAre(1, 1, 0, 0));
  EXPECT_EQ(trial["any.any"].at(0), 1);
  EXPECT_EQ(trial["any.all"].at(0), 0);
  const auto reduced = [](const std::string& values) {
    const Trial t =
        sound_trial(constant("p", values) + "<block name=\"x\" type=\"math/RealToBool\"/>" + wire("p.y", "x.u") +
                    "<block name=\"any\" type=\"math/AnyAll\"/>" + wire("x.y", "any.u"));
    return std::pair(t["any.any"].at(0), t["any.all"].at(0));
  };
  EXPECT_EQ(reduced("1 1"), std::pair(1.0, 1.0));
  EXPECT_EQ(reduced("0 0"), std::pair(0.0, 0.0));
  const std::string two =
      "<block name=\"b\" type=\"math/Logic\" operation=\"not\"/>" + wire("x.y", "b.u[0]") + wire("y.y", "b.u[1]");
  EXPECT_THAT(run_trial(body + two).errors, HasSubstr("not has one input"));
}

TEST(Math, ConversionsBetweenElementTypes) {
  const Trial trial =
      sound_trial(constant("c", "-2.5 0 2.5") + "<block name=\"i\" type=\"math/RealToInteger\"/>" + wire("c.y", "i.u") +
                  "<block name=\"r\" type=\"math/IntegerToReal\"/>" + wire("i.y", "r.u") +
                  "<block name=\"b\" type=\"math/RealToBool\"/>" + wire("c.y", "b.u") +
                  "<block name=\"n\" type=\"math/BoolToReal\"/>" + wire("b.y", "n.u"));
  EXPECT_THAT(trial["r.y"].row(0), ElementsAre(-3, 0, 3));
  EXPECT_THAT(trial["n.y"].row(0), ElementsAre(1, 0, 1));
  const Trial beyond = run_trial(fed("math/RealToInteger", "", "type=\"sources/Constant\" value=\"1e19\""));
  EXPECT_EQ(beyond.ending.kind, Ending::Kind::failed);
  EXPECT_EQ(beyond.ending.block, "b");
}

TEST(Math, ATableInterpolatesClipsExtrapolatesAndRefuses) {
  const auto table = [](const std::string& outside, const std::string& value) {
    return run_trial(fed("math/LookupTable", "x=\"0 1 3 m\" values=\"10 20 0 N\" outside=\"" + outside + "\"",
                         "type=\"sources/Constant\" value=\"" + value + "\""));
  };
  EXPECT_THAT(table("clip", "-1 0 0.5 1 2 3 4 m")["b.y"].row(0), ElementsAre(10, 10, 15, 20, 10, 0, 0));
  EXPECT_THAT(table("extrapolate", "-1 0.5 5 m")["b.y"].row(0), ElementsAre(0, 15, -20));
  EXPECT_EQ(table("refuse", "0 3 m").ending.kind, Ending::Kind::none);
  EXPECT_EQ(table("refuse", "3.1 m").ending.kind, Ending::Kind::failed);
  EXPECT_THAT(run_trial(fed("math/LookupTable", "x=\"0 2 1\" values=\"1 2 3\"")).errors,
              HasSubstr("does not rise from breakpoint 1 to 2"));
}

TEST(Math, ATableOfTwoVariablesIsBilinear) {
  const auto table = [](const std::string& outside, const std::string& u, const std::string& v) {
    return sound_trial(constant("u", u) + constant("v", v) +
                       "<block name=\"b\" type=\"math/LookupTable2D\" rows=\"0 1 2\" cols=\"0 10\" values=\"0 10; 1 "
                       "11; 4 14\" outside=\"" +
                       outside + "\"/>" + wire("u.y", "b.u") + wire("v.y", "b.v"))["b.y"]
        .row(0);
  };
  EXPECT_THAT(table("clip", "0 0.5 1.5 2 3", "0 5 10 10 20"), ElementsAre(0, 5.5, 12.5, 14, 14));
  EXPECT_THAT(table("extrapolate", "3", "20"), ElementsAre(27));
}

TEST(Math, LimitsInTheWrongOrderAreRefused) {
  EXPECT_THAT(run_trial(fed("math/Saturation", "lower=\"2\" upper=\"1\"")).errors, HasSubstr("lies above upper"));
  EXPECT_THAT(run_trial(fed("math/Saturation", "lower=\"1 2\" upper=\"5\"")).errors,
              HasSubstr("2 values for a signal of 3"));
  EXPECT_THAT(run_trial(fed("math/Gain", "gain=\"1 2\"")).errors,
              HasSubstr("one number for all elements, or one for each"));
  EXPECT_THAT(run_trial(fed("math/Quantizer", "step=\"0\"")).errors, HasSubstr("step"));
  EXPECT_THAT(run_trial(fed("math/Sum", "signs=\"+*\"", "", "u[0]") + wire("u.y", "b.u[1]")).errors,
              HasSubstr("not a list of signs"));
}

TEST(Math, WhatIsNoNumberEndsTheRun) {
  const Trial zero = run_trial(constant("a", "1 0") + constant("z", "0 0") +
                               "<block name=\"q\" type=\"math/Divide\"/>" + wire("a.y", "q.a") + wire("z.y", "q.b"));
  EXPECT_EQ(zero["q.y"].at(0, 0), INFINITY) << "goes its way";
  EXPECT_EQ(zero.ending.kind, Ending::Kind::failed);
  EXPECT_EQ(zero.ending.block, "q");
  const Trial root = run_trial(fed("math/Sqrt", "", "type=\"sources/Constant\" value=\"-1\""));
  EXPECT_EQ(root.ending.kind, Ending::Kind::failed);
}

} // namespace
} // namespace hilda::test
