// SPDX-License-Identifier: BSD-3-Clause
// Ports with named parts of a plugin in C: wires take them as a bus, and are checked part by part.

#include "tests/abi/boundary_run.h"
#include "tests/abi/plugin_folder.h"
#include "tests/project_folders.h"
#include "tests/shell.h"

#include <filesystem>
#include <gmock/gmock.h>

namespace hilda::test {
namespace {

using ::testing::HasSubstr;

BoundaryRun run_parts(const std::string& body, int ticks = 5) {
  return run({plugin("parts"), build_folder() + "/lib/hilda/plugins/routing.so"}, body, ticks);
}

std::string block(const std::string& name, const std::string& type, const std::string& attributes = "") {
  return "<block name=\"" + name + "\" type=\"" + type + "\" " + attributes + "/>\n";
}

std::string wire(const std::string& from, const std::string& to) {
  return "<connect from=\"" + from + "\" to=\"" + to + "\"/>\n";
}

const std::string cart = block("cart", "parts/Cart", "speed=\"3 m/s\""), follower = block("follower", "parts/Follower");

/// A sample of 10 ms ahead of a cart of 3 m/s.
void expect_ahead(const BoundaryRun& result, const std::string& output) {
  ASSERT_EQ(result.errors, "");
  const std::vector<double>&y = result.traces.at(output), &position = result.traces.at("cart.state.position");
  ASSERT_EQ(y.size(), 5u);
  for (std::size_t k = 0; k < y.size(); ++k) EXPECT_EQ(y[k], position[k] + 0.01 * 3) << k;
  EXPECT_GT(position[4], 0.11);
}

TEST(Parts, OfAPortTravelAsOneWire) {
  expect_ahead(run_parts(cart + follower + wire("cart.state", "follower.state")), "follower.y");
}

TEST(Parts, AreTakenAndDrivenOneByOneToo) {
  expect_ahead(run_parts(cart + follower + wire("cart.state.position", "follower.state.position") +
                         wire("cart.state.velocity", "follower.state.velocity")),
               "follower.y");
  const BoundaryRun one =
      run_parts(cart + block("twice", "math/Gain", "gain=\"2\"") + wire("cart.state.velocity", "twice.u"));
  ASSERT_EQ(one.errors, "");
  EXPECT_EQ(one.traces.at("twice.y").at(0), 6);
}

TEST(Parts, PassPortsOfSubsystemsAndJunctions) {
  expect_ahead(run_parts(cart + "<subsystem name=\"part\"><input name=\"motion\"/><output name=\"motion\"/>" +
                         block("sent", "routing/Goto", "tag=\"m\"") + block("here", "routing/From", "tag=\"m\"") +
                         follower + wire("motion", "sent.u") + wire("here.y", "follower.state") +
                         wire("here.y", "motion") + "</subsystem>" + wire("cart.state", "part.motion") +
                         block("all", "routing/Bundle", "parts=\"cart\"") + wire("part.motion", "all.cart") +
                         block("apart", "routing/Unbundle") + wire("all.bus", "apart.bus") +
                         block("last", "parts/Follower") + wire("apart.cart", "last.state")),
               "last.y");
}

TEST(Parts, ComeFromABundleOrGoToAnUnbundle) {
  const BoundaryRun result = run_parts(
      block("here", "sources/Constant", "value=\"7 m\"") + block("still", "sources/Constant", "value=\"0 m/s\"") +
      block("state", "routing/Bundle", "parts=\"velocity position\"") + wire("here.y", "state.position") +
      wire("still.y", "state.velocity") + follower + wire("state.bus", "follower.state") + cart +
      block("apart", "routing/Unbundle") + wire("cart.state", "apart.bus") + block("twice", "math/Gain", "gain=\"2\"") +
      wire("apart.velocity", "twice.u"));
  ASSERT_EQ(result.errors, "");
  EXPECT_EQ(result.traces.at("follower.y").at(0), 7);
  EXPECT_EQ(result.traces.at("twice.y").at(0), 6);
}

TEST(Parts, MayBePortsWithParts) {
  const std::string robot = block("robot", "parts/Robot", "speed=\"3 m/s\" load=\"5 N\"");
  const BoundaryRun whole = run_parts(robot + block("gripper", "parts/Gripper") + wire("robot.arm", "gripper.arm"));
  ASSERT_EQ(whole.errors, "");
  EXPECT_EQ(whole.traces.at("gripper.held").at(0), 5);
  EXPECT_EQ(whole.traces.at("gripper.y").at(4), whole.traces.at("robot.arm.state.position").at(4) + 0.01 * 3);
  const BoundaryRun inner = run_parts(robot + follower + wire("robot.arm.state", "follower.state"));
  ASSERT_EQ(inner.errors, "");
  EXPECT_EQ(inner.traces.at("follower.y"), whole.traces.at("gripper.y"));
}

TEST(Parts, MayBeMissingWhereTheyAreOptional) {
  const std::string eased = block("eased", "parts/EasedFollower");
  expect_ahead(run_parts(cart + eased + wire("cart.state", "eased.state")), "eased.y");
  const BoundaryRun without =
      run_parts(block("sledge", "parts/Sledge", "speed=\"3 m/s\"") + eased + wire("sledge.state", "eased.state"));
  ASSERT_EQ(without.errors, "");
  EXPECT_EQ(without.traces.at("eased.y"), without.traces.at("sledge.state.position"));
}

TEST(Parts, OfAnotherModeVanishWithTheirWire) {
  const BoundaryRun result =
      run_parts("<block name=\"real\" type=\"parts/Cart\" mode=\"hardware\"/><block name=\"cart\" type=\"parts/Cart\" "
                "speed=\"3 m/s\" mode=\"sim\"/>" +
                follower + wire("real.state", "follower.state") + wire("cart.state", "follower.state"));
  expect_ahead(result, "follower.y");
}

TEST(PartFaults, NameBothSidesAndWhatToDo) {
  const std::string sledge = block("sledge", "parts/Sledge"), marker = block("marker", "parts/Marker");
  const auto golden = [](const std::string& name, const std::string& body) {
    expect_golden("parts_" + name, run_parts(body, 1).errors);
  };
  golden("missing", sledge + follower + wire("sledge.state", "follower.state"));
  golden("beyond", cart + marker + wire("cart.state", "marker.state"));
  golden("unit", block("wheel", "parts/Wheel") + follower + wire("wheel.state", "follower.state"));
  golden("shape", block("here", "sources/Constant", "value=\"1 2 3 m\"") +
                      block("still", "sources/Constant", "value=\"0 m/s\"") +
                      block("state", "routing/Bundle", "parts=\"position velocity\"") +
                      wire("here.y", "state.position") + wire("still.y", "state.velocity") + follower +
                      wire("state.bus", "follower.state"));
  golden("one_signal", cart + follower + wire("cart.state.position", "follower.state"));
  golden("to_one_signal", cart + block("twice", "math/Gain", "gain=\"2\"") + wire("cart.state", "twice.u"));
  golden("unknown", cart + marker + follower + wire("cart.state.positoin", "marker.state.position") +
                        wire("cart.state.position", "follower.state.position") +
                        wire("cart.state.velocity", "follower.state.velocty"));
  golden("twice", cart + follower + wire("cart.state", "follower.state") +
                      wire("cart.state.velocity", "follower.state.velocity"));
  golden("within", block("robot", "parts/Robot") + follower + cart + block("gripper", "parts/Gripper") +
                       wire("robot.arm", "follower.state") + wire("cart.state", "gripper.arm"));
  golden("direction", cart + follower + wire("follower.state", "cart.state"));
  golden("undriven", cart + follower + wire("cart.state.position", "follower.state.position"));
  golden("promise", cart + "<subsystem name=\"part\">\n<input name=\"motion\" unit=\"m\"/>\n" + follower +
                        wire("motion", "follower.state") + "</subsystem>\n" + wire("cart.state", "part.motion"));
  golden("wire_shape", cart + follower + "<connect from=\"cart.state\" to=\"follower.state\" shape=\"2\"/>\n");
}

class PartTools : public ::testing::Test {
protected:
  std::string hilda(const std::string& arguments) const {
    return transcript("cd '" + folder_.path().string() + "' && env -u HILDA_PLUGIN_PATH '" + build_folder() +
                      "/bin/hilda' " + arguments);
  }
  void SetUp() override {
    std::filesystem::copy_file(plugin("parts"), folder_ / "parts.so");
    folder_.write("two.xml", "<diagram format=\"1\" name=\"two\" period=\"10 ms\">\n" + cart + follower +
                                 wire("cart.state", "follower.state") + "<log signals=\"cart.state\"/>\n</diagram>\n");
  }
  Folder folder_;
};

TEST_F(PartTools, DescribeTheParts) {
  EXPECT_THAT(hilda("describe parts/Cart parts/Gripper --plugins ."),
              ::testing::AllOf(HasSubstr("state is an output with the parts position, velocity"),
                               HasSubstr("arm is an input with the parts state, load"),
                               HasSubstr("arm.state is an input with the parts position, velocity")));
  EXPECT_THAT(hilda("describe --html parts/Cart --plugins ."),
              HasSubstr("an output with the parts position, velocity"));
}

TEST_F(PartTools, LogTheParts) {
  EXPECT_EQ(hilda("run two.xml --plugins . --for 50ms --log two.mcap --quiet"), "");
  EXPECT_EQ(hilda("export two.mcap --csv --out two.csv").find("exit code"), std::string::npos);
  const std::string exported = folder_.read("two.csv");
  const std::string columns = exported.substr(0, exported.find('\n'));
  EXPECT_THAT(columns, ::testing::AllOf(HasSubstr("cart.state.position"), HasSubstr("cart.state.velocity")));
  EXPECT_THAT(columns, ::testing::Not(HasSubstr("follower.y")));
  EXPECT_EQ(hilda("export two.mcap cart.state.velocity --csv --out one.csv").find("exit code"), std::string::npos);
  EXPECT_THAT(folder_.read("one.csv"), ::testing::Not(HasSubstr("position")));
}

TEST_F(PartTools, TestThemAsAnyPorts) {
  const std::string said = hilda("test-plugin parts.so");
  EXPECT_THAT(said, ::testing::Not(HasSubstr("exit code")));
  EXPECT_THAT(said, ::testing::AllOf(HasSubstr("Cart"), HasSubstr("Gripper")));
}

} // namespace
} // namespace hilda::test
