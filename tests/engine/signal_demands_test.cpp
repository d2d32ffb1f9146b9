// SPDX-License-Identifier: BSD-3-Clause
// What power ports, ports of subsystems and conditions ask of a signal's type.
#include "tests/engine/common_system.h"

namespace hilda::test {
namespace {

using ::testing::HasSubstr;

TEST(PowerPorts, PairAWrenchWithATwistOrUnitsThatMakeWatts) {
  TestSystem s;
  add_common_types(s);
  s.type(Descriptor("Twist").out("y").kind(HILDA_TWIST));
  s.block("w", "Wrench");
  s.block("v", "Twist");
  s.block("f", "Force");
  PowerPort good, bad;
  good.effort = bad.effort = s.ref("w.y", HILDA_OUTPUT);
  good.flow = s.ref("v.y", HILDA_OUTPUT), bad.flow = s.ref("f.y", HILDA_OUTPUT);
  s.system.power_ports = {good, bad};
  const std::string text = s.infer();
  EXPECT_EQ(s.errors(), 1) << text;
  EXPECT_THAT(text, HasSubstr("error[power-port]: the product of 'w.y' (wrench) and 'f.y' (3 [N]) is not a power"));
}

TEST(Promises, AreCheckedAgainstTheSignal) {
  TestSystem s;
  add_common_types(s);
  s.block("w", "Wrench");
  for (const auto& [shape, unit] :
       std::vector<std::pair<std::string, std::string>>{{"wrench", ""}, {"6", ""}, {"3", ""}, {"", "N"}, {"", "Nn"}}) {
    Promise promise;
    promise.signal = s.ref("w.y", HILDA_OUTPUT);
    promise.port = "rig.wrench";
    promise.shape = shape, promise.unit = unit;
    s.system.promises.push_back(promise);
  }
  const std::string text = s.infer();
  EXPECT_EQ(s.errors(), 3) << text;
  EXPECT_THAT(text, HasSubstr("the port 'rig.wrench' promises the shape '3', but carries wrench"));
  EXPECT_THAT(text, HasSubstr("the port 'rig.wrench' promises the unit 'N', but carries wrench"));
}

TEST(Promises, OfShapesCompareRowsAndColumns) {
  TestSystem s;
  add_common_types(s);
  s.block("m", "Source", {{"value", "1 2; 3 4; 5 6"}});
  s.block("sink", "Sink");
  s.wire("m.y", "sink.u");
  for (const char* shape : {"3 2", "3", "2 3", "3 3", "6", "scalar", "wrench", "n 2", "3 2 1"}) {
    Promise promise;
    promise.signal = s.ref("m.y", HILDA_OUTPUT);
    promise.port = shape;
    promise.shape = shape;
    s.system.promises.push_back(promise);
  }
  const std::string text = s.infer();
  EXPECT_EQ(s.errors(), 8) << text;
  EXPECT_THAT(text, ::testing::Not(HasSubstr("the port '3 2' promises")));
}

TEST(Conditions, AreSingleBooleans) {
  TestSystem s;
  add_common_types(s);
  s.type(Descriptor("Flags").out("column", "2").element(HILDA_U8).out("row", "1 2").element(HILDA_U8));
  s.block("one", "Flag");
  s.block("many", "Flags");
  s.block("real", "Force");
  const auto guard = [&s](const std::string& path, const std::string& enable, const std::string& reset) {
    Guard made;
    made.path = path;
    if (!enable.empty()) made.signal = s.ref(enable, HILDA_OUTPUT), made.has_enable = true;
    if (!reset.empty()) made.reset = s.ref(reset, HILDA_OUTPUT), made.has_reset = true;
    s.system.guards.push_back(made);
  };
  guard("fine", "one.y", "one.y");
  guard("c", "many.column", "");
  guard("r", "", "many.row");
  guard("f", "real.y", "one.y");
  const std::string text = s.infer();
  EXPECT_EQ(s.errors(), 3) << text;
  EXPECT_THAT(text, HasSubstr("'c' has enable='many.column'"));
  EXPECT_THAT(text, HasSubstr("'r' has reset='many.row', which is 1x2"));
  EXPECT_THAT(text, HasSubstr("'f' has enable='real.y', which is 3 [N] and no single boolean"));
}

} // namespace
} // namespace hilda::test
