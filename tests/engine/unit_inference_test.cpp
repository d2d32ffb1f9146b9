// SPDX-License-Identifier: BSD-3-Clause
#include "tests/engine/common_system.h"
#include "tests/engine/map_scope.h"

namespace hilda::test {
namespace {

using ::testing::HasSubstr;

class Units : public CommonSystem {};

TEST_F(Units, ABareGainKeepsTheUnit) {
  s.block("f", "Force");
  s.block("k", "Scale", {{"value", "2"}});
  s.wire("f.y", "k.u");
  EXPECT_EQ(s.infer(), "");
  EXPECT_EQ(s.text("k.y"), "3 [N]");
}

TEST_F(Units, AGainWithAUnitMultiplies) {
  s.block("x", "Source", {{"value", "1 mm"}});
  s.block("k", "Scale", {{"value", "2 N/mm"}});
  s.wire("x.y", "k.u");
  EXPECT_EQ(s.infer(), "");
  EXPECT_EQ(s.text("k.y"), "scalar [N]");
  EXPECT_DOUBLE_EQ(s.value("k", "value").numbers.at(0), 2000);
  EXPECT_DOUBLE_EQ(s.value("x", "value").numbers.at(0), 0.001);
}

TEST_F(Units, AnUnknownFactorFollowsFromBothSides) {
  s.block("x", "Source", {{"value", "1 m"}});
  s.block("k", "Source", {{"value", "0"}});
  s.block("p", "Product");
  s.block("sum", "Sum");
  s.block("n", "Source", {{"value", "1 N"}});
  s.wire("x.y", "p.a");
  s.wire("k.y", "p.b");
  s.wire("p.y", "sum.u[0]");
  s.wire("n.y", "sum.u[1]");
  EXPECT_EQ(s.infer(), "");
  EXPECT_EQ(s.text("k.y"), "scalar [N/m]");
}

TEST_F(Units, SimultaneousProductsAreEliminated) {
  // a b = N and a/b = m2/N: neither product alone gives a or b
  s.type(Descriptor("Quotient").in("a", "", "@a").in("b", "", "@b").out("y", "", "@a/@b"));
  s.type(Descriptor("Newton").in("u", "", "N"));
  s.type(Descriptor("Area").in("u", "", "m^2/N"));
  s.block("a", "Source", {{"value", "0"}});
  s.block("b", "Source", {{"value", "0"}});
  s.block("p", "Product");
  s.block("q", "Quotient");
  s.block("newton", "Newton");
  s.block("area", "Area");
  for (const char* name : {"a", "b"}) {
    s.wire(std::string(name) + ".y", std::string("p.") + name);
    s.wire(std::string(name) + ".y", std::string("q.") + name);
  }
  s.wire("p.y", "newton.u");
  s.wire("q.y", "area.u");
  EXPECT_EQ(s.infer(), "");
  EXPECT_EQ(s.text("a.y"), "scalar [m]");
  EXPECT_EQ(s.text("b.y"), "scalar [N/m]");
}

TEST_F(Units, PowersMayBeFractions) {
  s.block("a", "Source", {{"value", "4 m2/s2"}});
  s.block("r", "Root");
  s.wire("a.y", "r.u");
  EXPECT_EQ(s.infer(), "");
  EXPECT_EQ(s.text("r.y"), "scalar [m/s]");
}

TEST_F(Units, StayUnknownWhereNothingTells) {
  s.block("a", "Source", {{"value", "0 0"}});
  s.block("sink", "Sink");
  s.wire("a.y", "sink.u");
  EXPECT_EQ(s.infer(), "");
  EXPECT_EQ(s.text("a.y"), "2 [?]");
}

TEST_F(Units, GoAroundALoopThatIntegrates) {
  s.block("f", "Source", {{"value", "1 N"}});
  s.block("sum", "Sum");
  s.block("mass", "Scale", {{"value", "0.5 1/kg"}});
  s.block("v", "Integrator");
  s.block("damping", "Scale", {{"value", "-3 N s/m"}});
  s.wire("f.y", "sum.u[0]");
  s.wire("damping.y", "sum.u[1]");
  s.wire("sum.y", "mass.u");
  s.wire("mass.y", "v.u");
  s.wire("v.y", "damping.u");
  EXPECT_EQ(s.infer(), "");
  EXPECT_EQ(s.text("v.y"), "scalar [m/s]");
  EXPECT_EQ(describe(s.at("v").slot_types.at(2)), "scalar [m/s]");
}

TEST_F(Units, AGainThatDoesNotCloseItsLoopIsNamed) {
  s.block("d", "Delay");
  s.block("k", "Scale", {{"value", "2 N"}});
  s.wire("d.y", "k.u");
  s.wire("k.y", "d.u");
  const std::string text = s.infer();
  EXPECT_EQ(s.errors(), 1) << text;
  EXPECT_THAT(text, HasSubstr("test.xml:2: error[block-units]: the output 'y' of 'k' is declared as '@u*@k'"));
  EXPECT_THAT(text, HasSubstr("parameter 'value' of 'k' is in N: '2 N'"));
}

TEST_F(Units, ConflictNamesTheWireBothEndsAndTheParameterBehindIt) {
  s.block("c", "Source", {{"value", "1 2 3 m"}});
  s.block("d", "Delay");
  s.block("sink", "ForceSink");
  s.wire("c.y", "d.u");
  s.wire("d.y", "sink.u");
  const std::string text = s.infer();
  EXPECT_EQ(s.errors(), 1) << text;
  EXPECT_THAT(text, HasSubstr("test.xml:5: error[wire-unit]: 'd.y' (3 [m], 1 ms) does not fit 'sink.u' (3 [N], 1 ms)"));
  EXPECT_THAT(text, HasSubstr("test.xml:1: parameter 'value' of 'c' is in m: '1 2 3 m'"));
  EXPECT_THAT(text, HasSubstr("math/Gain with a value in N/m"));
}

TEST_F(Units, AnglesCount) {
  s.type(Descriptor("RateSink").in("u", "", "rad/s"));
  s.block("c", "Source", {{"value", "1 1/s"}});
  s.block("sink", "RateSink");
  s.wire("c.y", "sink.u");
  EXPECT_THAT(s.infer(), HasSubstr("an angle counts as a unit"));
}

TEST_F(Units, ABareInitialValueIsInTheUnitOfTheInput) {
  s.block("f", "Force");
  s.block("d", "Delay", {{"initial", "1 2 3"}});
  s.block("loop", "Delay", {{"initial", "5"}});
  s.wire("f.y", "d.u");
  s.wire("loop.y", "loop.u");
  EXPECT_EQ(s.infer(), "");
  EXPECT_EQ(s.text("d.y"), "3 [N]");
  EXPECT_EQ(s.value("d", "initial").unit()->text(), "N");
  EXPECT_EQ(s.text("loop.y"), "scalar [1]");
}

/// "@c s/@e" is s where neither side has a unit, whichever parameter is given; and what the others ask for where they
/// do.
TEST_F(Units, ABareGainPerSecondIsInTheUnitThatFollows) {
  const auto pid = [](TestSystem& t, const TestSystem::Parameters& gains, const char* value) {
    add_common_types(t);
    t.type(Descriptor("Pid")
               .in("u", "*s", "@e")
               .out("y", "*s", "@c")
               .parameter("kp", "", "@c/@e", "0")
               .parameter("ki", "", "@c/@e/s", "0")
               .parameter("kd", "", "@c s/@e", "0"));
    t.block("r", "Source", {{"value", value}});
    t.block("pid", "Pid", gains);
    t.wire("r.y", "pid.u");
    return t.infer();
  };
  TestSystem bare, alone, forces, wrong;
  EXPECT_EQ(pid(bare, {{"kp", "3"}, {"ki", "2"}, {"kd", "0.1"}}, "1"), "");
  EXPECT_EQ(bare.text("pid.y"), "scalar [1]");
  EXPECT_EQ(bare.value("pid", "kd").unit()->text(), "s");
  EXPECT_EQ(bare.value("pid", "kd").numbers[0], 0.1);
  EXPECT_EQ(pid(alone, {{"kd", "0.1"}}, "1 m"), "");
  EXPECT_EQ(alone.text("pid.y"), "scalar [m]");
  EXPECT_EQ(pid(forces, {{"ki", "2"}, {"kp", "3 N/m"}}, "1 m"), "");
  EXPECT_EQ(forces.text("pid.y"), "scalar [N]");
  EXPECT_EQ(forces.value("pid", "ki").unit()->text(), "N/(m s)");
  EXPECT_THAT(pid(wrong, {{"kp", "3 N/m"}, {"kd", "2 N/m"}}, "1 m"), HasSubstr("error[block-units]"));
}

TEST_F(Units, AnInitialValueInAnotherUnitIsAConflict) {
  s.block("f", "Force");
  s.block("d", "Delay", {{"initial", "1 2 3 m"}});
  s.wire("f.y", "d.u");
  const std::string text = s.infer();
  EXPECT_EQ(s.errors(), 1) << text;
  EXPECT_THAT(text, HasSubstr("test.xml:2: parameter 'initial' of 'd' is in m: '1 2 3 m'"));
}

TEST_F(Units, NewtonMetresAreATorqueOrAnEnergyAsTheyAreWired) {
  s.type(Descriptor("TorqueSink").in("u", "*s", "N m", HILDA_ROTATIONAL));
  s.type(Descriptor("EnergySink").in("u", "*s", "J"));
  for (const char* name : {"torque", "energy", "joule", "free"})
    s.block(name, "Source", {{"value", name == std::string("joule") ? "1 J" : "1 N m"}});
  s.block("a", "TorqueSink");
  s.block("b", "EnergySink");
  s.block("c", "TorqueSink");
  s.wire("torque.y", "a.u");
  s.wire("energy.y", "b.u");
  s.wire("joule.y", "c.u");
  const std::string text = s.infer();
  EXPECT_EQ(s.errors(), 1) << text;
  EXPECT_THAT(text, HasSubstr("test.xml:10: error[wire-unit]: 'joule.y' (scalar [J], 1 ms)"));
  EXPECT_EQ(s.text("torque.y"), "scalar [N m]");
  EXPECT_EQ(s.text("energy.y"), "scalar [J]");
  EXPECT_EQ(s.text("free.y"), "scalar [J]");
}

/// A shaft with a spring, a damper and a torque, as books write it: J a'' = T - k a - d a', without rad per rad.
void shaft(TestSystem& s) {
  s.type(Descriptor("Integral").in("u", "", "@y/s").out("y", "", "@y").parameter("initial", "", "@y"));
  s.block("torque", "Source", {{"value", "2 N m"}});
  s.block("sum", "Sum");
  s.block("mobility", "Scale", {{"value", "100 1/(kg*m^2)"}});
  s.block("speed", "Integral", {{"initial", "0"}});
  s.block("angle", "Integral", {{"initial", "0"}});
  s.block("spring", "Scale", {{"value", "-5 N m/rad"}});
  s.block("damper", "Scale", {{"value", "-0.1 N m s/rad"}});
  s.wire("torque.y", "sum.u[0]");
  s.wire("spring.y", "sum.u[1]");
  s.wire("damper.y", "sum.u[2]");
  s.wire("sum.y", "mobility.u");
  s.wire("mobility.y", "speed.u");
  s.wire("speed.y", "angle.u");
  s.wire("angle.y", "spring.u");
  s.wire("speed.y", "damper.u");
}

TEST_F(Units, OfAShaftAreAboutItsAxisWhereNothingElseDecides) {
  shaft(s);
  EXPECT_EQ(s.infer(), "");
  for (const char* torque : {"torque.y", "sum.y", "spring.y", "damper.y"})
    EXPECT_EQ(s.text(torque), "scalar [N m]") << torque;
  EXPECT_EQ(s.text("mobility.y"), "scalar [rad/s2]");
  EXPECT_EQ(s.text("angle.y"), "scalar [rad]");
}

TEST_F(Units, OfAShaftAreAsTheyAreWrittenWhereAnglesAreNumbers) {
  s.type(Descriptor("Integral").in("u", "", "@y/s").out("y", "", "@y").parameter("initial", "", "@y"));
  s.block("torque", "Source", {{"value", "2 N m"}});
  s.block("mobility", "Scale", {{"value", "100 1/(kg*m^2)"}});
  s.block("speed", "Integral", {{"initial", "3 1/s"}});
  s.wire("torque.y", "mobility.u");
  s.wire("mobility.y", "speed.u");
  EXPECT_EQ(s.infer(), "");
  EXPECT_EQ(s.text("speed.y"), "scalar [1/s]");
}

TEST_F(Units, OfAForceOnALeverBringNoAngles) {
  s.block("torque", "Source", {{"value", "2 N m"}});
  s.block("arm", "Scale", {{"value", "0.5 1/N"}});
  s.wire("torque.y", "arm.u");
  EXPECT_EQ(s.infer(), "");
  EXPECT_EQ(s.text("arm.y"), "scalar [m]");
}

TEST_F(Units, AreShownAsTheFieldWritesThem) {
  const std::vector<std::pair<std::string, std::string>> forms = {{"2 N m", "N m"},
                                                                  {"2 kN mm", "N m"},
                                                                  {"2 kg*m^2", "kg m2"},
                                                                  {"2 N m/rad", "N m/rad"},
                                                                  {"2 N m s/rad", "N m s/rad"},
                                                                  {"2 N m s", "N m s"},
                                                                  {"2 1/(kg m2)", "1/(kg m2)"},
                                                                  {"2 N m/A", "N m/A"},
                                                                  {"2 V s/rad", "N m/A"},
                                                                  {"2 V", "V"},
                                                                  {"2 V/A", "Ohm"},
                                                                  {"2 J", "J"},
                                                                  {"2 N/m", "N/m"},
                                                                  {"2 N s/m", "N s/m"},
                                                                  {"2 kg/s", "N s/m"},
                                                                  {"2 N", "N"},
                                                                  {"2 kg", "kg"}};
  for (std::size_t i = 0; i < forms.size(); ++i)
    s.block("c" + std::to_string(i), "Source", {{"value", forms[i].first}});
  EXPECT_EQ(s.infer(), "");
  for (std::size_t i = 0; i < forms.size(); ++i)
    EXPECT_EQ(s.text("c" + std::to_string(i) + ".y"), "scalar [" + forms[i].second + "]") << forms[i].first;
}

TEST_F(Units, OfAMotorGoTogether) {
  s.block("speed", "Source", {{"value", "3 rad/s"}});
  s.block("current", "Source", {{"value", "2 A"}});
  s.block("voltage", "Gain", {{"value", "0.1 V s/rad"}});
  s.block("torque", "Gain", {{"value", "0.1 N m/A"}});
  s.wire("speed.y", "voltage.u");
  s.wire("current.y", "torque.u");
  EXPECT_EQ(s.infer(), "");
  EXPECT_EQ(s.text("voltage.y"), "scalar [V]");
  EXPECT_EQ(s.text("torque.y"), "scalar [N m]");
}

/// As an author writes a DC motor: volts stay volts, torques are N m, and the speed is in rad/s.
TEST_F(Units, OfAWholeMotorAreThoseOfTheField) {
  s.type(Descriptor("Integral").in("u", "", "@y/s").out("y", "", "@y").parameter("initial", "", "@y"));
  for (const auto& [name, value] : std::vector<std::pair<std::string, std::string>>{{"resistance", "1 V/A"},
                                                                                    {"emf", "0.05 V s/rad"},
                                                                                    {"inductance", "2 A/(V s)"},
                                                                                    {"torque", "0.05 N m/A"},
                                                                                    {"friction", "0.001 N m s/rad"},
                                                                                    {"inertia", "100 rad/(N m s2)"}})
    s.block(name, "Scale", {{"value", value}});
  s.block("voltage", "Source", {{"value", "12 V"}});
  for (const char* name : {"drop", "total"}) s.block(name, "Sum");
  for (const char* name : {"current", "speed"}) s.block(name, "Integral", {{"initial", "0"}});
  s.wire("voltage.y", "drop.u[0]");
  s.wire("resistance.y", "drop.u[1]");
  s.wire("emf.y", "drop.u[2]");
  s.wire("drop.y", "inductance.u");
  s.wire("inductance.y", "current.u");
  s.wire("current.y", "resistance.u");
  s.wire("current.y", "torque.u");
  s.wire("torque.y", "total.u[0]");
  s.wire("friction.y", "total.u[1]");
  s.wire("total.y", "inertia.u");
  s.wire("inertia.y", "speed.u");
  s.wire("speed.y", "emf.u");
  s.wire("speed.y", "friction.u");
  EXPECT_EQ(s.infer(), "");
  for (const char* torque : {"torque.y", "total.y", "friction.y"}) EXPECT_EQ(s.text(torque), "scalar [N m]") << torque;
  for (const char* voltage : {"voltage.y", "drop.y", "emf.y"}) EXPECT_EQ(s.text(voltage), "scalar [V]") << voltage;
  EXPECT_EQ(s.text("speed.y"), "scalar [rad/s]");
}

TEST_F(Units, NewtonMetresWhereNewtonsAreWantedAreAConflict) {
  s.block("c", "Source", {{"value", "1 2 3 N m"}});
  s.block("sink", "ForceSink");
  s.wire("c.y", "sink.u");
  const std::string text = s.infer();
  EXPECT_EQ(s.errors(), 1) << text;
  EXPECT_THAT(text,
              HasSubstr("test.xml:1: error[parameter-units]: parameter 'value' of 'c' is in N m, but N is asked for"));
  EXPECT_THAT(text, HasSubstr("test.xml:3: 'sink.u' must be in N"));
}

TEST_F(Units, AWrenchIsNotSixNumbers) {
  s.block("c", "Source", {{"value", "1 2 3 4 5 6 N"}});
  s.block("sink", "WrenchSink");
  s.wire("c.y", "sink.u");
  const std::string text = s.infer();
  EXPECT_EQ(s.errors(), 1) << text;
  EXPECT_THAT(text, HasSubstr("'c.y' (6 [N], 1 ms) does not fit 'sink.u' (wrench, 1 ms): the units differ"));
}

TEST_F(Units, AWrenchIntoAForceProposesItsPart) {
  s.block("w", "Wrench");
  s.block("sink", "ForceSink");
  s.wire("w.y", "sink.u");
  EXPECT_THAT(s.infer(), HasSubstr("connect its part 'w.y.force'"));
}

TEST_F(Units, ZeroesHaveEveryUnit) {
  s.block("c", "Source", {{"value", "0 0 0 0 0 0"}});
  s.block("sink", "WrenchSink");
  s.wire("c.y", "sink.u");
  EXPECT_EQ(s.infer(), "");
  EXPECT_EQ(s.text("c.y"), "wrench");
}

TEST_F(Units, ResultsOfExpressionsHaveTheUnitThatFollows) {
  s.block("c", "Source", {{"value", "${6 J / 2 m} 0 0"}});
  s.block("sink", "ForceSink");
  s.wire("c.y", "sink.u");
  EXPECT_EQ(s.infer(), "");
  EXPECT_EQ(s.text("c.y"), "3 [N]");
}

TEST_F(Units, ResultsOfExpressionsFitNoOtherUnit) {
  for (const char* value : {"${6 J * 2 m} 0 0", "${2 * 3} 0 0"}) {
    TestSystem fresh;
    add_common_types(fresh);
    fresh.block("c", "Source", {{"value", value}});
    fresh.block("sink", "ForceSink");
    fresh.wire("c.y", "sink.u");
    EXPECT_NE(fresh.infer(), "") << value;
  }
}

/// rad counts as 1 in what was calculated: the wire decides.
TEST_F(Units, ResultsOfExpressionsTakeTheirRadiansFromTheWire) {
  s.block("c", "Source", {{"value", "${6 N * 1 rad / 2} 0 0"}});
  s.block("sink", "ForceSink");
  s.wire("c.y", "sink.u");
  EXPECT_EQ(s.infer(), "");
  EXPECT_EQ(s.text("c.y"), "3 [N]");
}

TEST_F(Units, TooHighPowersEndInADiagnosticAndNotInAWrongUnit) {
  s.block("c", "Source", {{"value", "1 m"}});
  std::string before = "c";
  for (int i = 0; i < 17; ++i) {
    const std::string name = "p" + std::to_string(i);
    s.block(name, "Product");
    s.wire(before + ".y", name + ".a");
    s.wire(before + ".y", name + ".b");
    before = name;
  }
  const std::string text = s.infer();
  EXPECT_EQ(s.errors(), 1) << text;
  EXPECT_THAT(text, HasSubstr("error[block-units]"));
}

class Parameters : public ::testing::Test {
protected:
  Parameters() {
    s.type(Descriptor("Lag")
               .parameter("time", "", "ms", "5")
               .range(0, 100)
               .parameter("steps", "", "", "1")
               .element(HILDA_I64)
               .range(1, 10)
               .parameter("rule", "", nullptr, "work")
               .choices("paper|work")
               .parameter("on", "", nullptr, "true")
               .element(HILDA_U8)
               .parameter("stiffness", "", "N m", "1", HILDA_ROTATIONAL));
  }
  std::string with(const std::string& name, const std::string& value) {
    s.block("lag", "Lag", {{name, value}});
    return s.infer();
  }
  TestSystem s;
};

TEST_F(Parameters, AreInTheDeclaredUnitWhereNoneIsWritten) {
  EXPECT_EQ(with("time", "7"), "");
  EXPECT_EQ(s.value("lag", "time").numbers, std::vector<double>{0.007});
  EXPECT_EQ(s.value("lag", "rule").numbers, std::vector<double>{1});
  EXPECT_EQ(s.value("lag", "on").numbers, std::vector<double>{1});
}

TEST_F(Parameters, TorqueIsReadFromNewtonMetres) {
  EXPECT_EQ(with("stiffness", "3 N m"), "");
  EXPECT_EQ(s.value("lag", "stiffness").unit()->text(), "N m");
}

TEST_F(Parameters, AnotherUnitIsRefusedWithTheBlocksType) {
  const std::string text = with("time", "7 mm");
  EXPECT_EQ(s.errors(), 1) << text;
  EXPECT_THAT(text, HasSubstr("test.xml:1: error[unit-mismatch]: parameter 'time' of 'lag': '7 mm' is in mm"));
  EXPECT_THAT(text, HasSubstr("the block is of type test/Lag"));
}

TEST_F(Parameters, RangesAreInTheDeclaredUnit) {
  EXPECT_THAT(with("time", "0.2 s"),
              HasSubstr("error[parameter-range]: parameter 'time' of 'lag' is '0.2 s', but must be "
                        "at least 0 ms and at most 100 ms"));
}

TEST_F(Parameters, TheLimitItselfIsInTheRange) { EXPECT_EQ(with("time", "0.1 s"), ""); }

TEST_F(Parameters, IntegersAreWhole) { EXPECT_THAT(with("steps", "2.5"), HasSubstr("error[value-kind]")); }

TEST_F(Parameters, AWordOutsideTheChoicesHasANearMiss) {
  EXPECT_THAT(with("rule", "papre"),
              HasSubstr("error[parameter-choice]: parameter 'rule' of 'lag': 'papre' is not one of its words\n"));
}

TEST_F(Parameters, TextIsNoNumber) {
  const std::string text = with("time", "5 Nn");
  EXPECT_EQ(s.errors(), 1) << text;
}

} // namespace
} // namespace hilda::test
