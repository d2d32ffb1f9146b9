// SPDX-License-Identifier: BSD-3-Clause
// A struct of the SDK as a port: on the wire, in the log, in checkpoints, and under test-plugin.

#include "engine/plugin/library.h"
#include "engine/run/start.h"
#include "tests/folder.h"
#include "tests/modules.h"
#include "tests/project_folders.h"
#include "tests/shell.h"
#include "tools/studio/editing.h"

#include <gmock/gmock.h>

namespace hilda::test {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

const std::string plugin = build_folder() + "/tests/guests/plugins/parted.so";

const Catalogue& blocks() {
  static Host& host = *new Host;
  static Diagnostics loading;
  if (host.libraries().empty()) host.load(plugin, loading);
  return host.catalogue();
}

std::string diagram(const std::string& wires) {
  return "<diagram format=\"1\" name=\"carts\" period=\"1 ms\">\n"
         "<block name=\"cart\" type=\"parted/Cart\"/>\n"
         "<block name=\"control\" type=\"parted/Control\"/>\n"
         "<block name=\"sender\" type=\"parted/Sender\"/>\n"
         "<block name=\"receiver\" type=\"parted/Receiver\"/>\n"
         "<connect from=\"control.force\" to=\"cart.force\"/>\n"
         "<connect from=\"control.force\" to=\"sender.force\"/>\n" +
         wires + "</diagram>\n";
}

const std::string whole = diagram("<connect from=\"cart.state\" to=\"control.state\"/>\n"
                                  "<connect from=\"cart.state\" to=\"sender.state\"/>\n"
                                  "<connect from=\"sender.all\" to=\"receiver.all\"/>\n");

const std::string one_by_one =
    diagram("<connect from=\"cart.state.position\" to=\"control.state.position\"/>\n"
            "<connect from=\"cart.state.velocity\" to=\"control.state.velocity\"/>\n"
            "<connect from=\"cart.state.position\" to=\"sender.state.position\"/>\n"
            "<connect from=\"cart.state.velocity\" to=\"sender.state.velocity\"/>\n"
            "<connect from=\"sender.all.cart.position\" to=\"receiver.all.cart.position\"/>\n"
            "<connect from=\"sender.all.cart.velocity\" to=\"receiver.all.cart.velocity\"/>\n"
            "<connect from=\"sender.all.force\" to=\"receiver.all.force\"/>\n");

/// All numbers of all outputs of 100 ticks; and those of its diagnostics.
std::pair<std::string, std::vector<double>> numbers_of(const std::string& text) {
  LoadedDiagram loaded(blocks(), DiagramText{"carts.xml", text}, {});
  const std::unique_ptr<Runtime> runtime = start_runtime(loaded);
  std::vector<double> numbers;
  for (int tick = 0; runtime != nullptr && tick < 100; ++tick) {
    const bool going = runtime->compute();
    for (const SystemSignal& signal : runtime->signals())
      for (std::size_t i = 0; signal.span.element == HILDA_F64 && i < signal.span.count; ++i)
        numbers.push_back(static_cast<const double*>(signal.span.data)[i]);
    if (!going || !runtime->advance()) break;
  }
  return {loaded.diagnostics().text(), numbers};
}

TEST(PartedPort, OfAStructGivesTheBitsOfItsParts) {
  const auto [said, numbers] = numbers_of(whole);
  EXPECT_EQ(said, "");
  EXPECT_EQ(numbers.size(), 100u * (2 + 1 + 5 + 1));
  EXPECT_EQ(numbers, numbers_of(one_by_one).second);
  EXPECT_EQ(numbers.front(), 0.3);
}

TEST(PartedPort, IsComparedByItsNestedParts) {
  const std::string said = numbers_of(diagram("<connect from=\"cart.state\" to=\"control.state\"/>\n"
                                              "<connect from=\"cart.state\" to=\"sender.state\"/>\n"
                                              "<connect from=\"cart.state\" to=\"receiver.all\"/>\n"))
                               .first;
  EXPECT_THAT(said, AllOf(HasSubstr("carts.xml:10: error[port-parts]: 'cart.state' is a bus of position, velocity, but "
                                    "the input 'receiver.all' (parted/Receiver) takes a bus of cart, force"),
                          Not(HasSubstr("undriven"))));
}

class PartedTools : public ::testing::Test {
protected:
  std::string hilda(const std::string& arguments) const {
    return transcript("cd '" + folder_.path().string() + "' && env -u HILDA_PLUGIN_PATH '" + build_folder() +
                      "/bin/hilda' " + arguments);
  }
  void SetUp() override {
    std::filesystem::copy_file(plugin, folder_ / "parted.so");
    folder_.write("carts.xml", whole);
  }
  Folder folder_;
};

TEST_F(PartedTools, KeepEveryPromiseOfABlock) {
  const std::string said = hilda("test-plugin parted.so --diagram carts.xml");
  EXPECT_THAT(said, AllOf(Not(HasSubstr("exit code")), HasSubstr("Cart"), HasSubstr("Receiver")));
}

TEST_F(PartedTools, ReplayALogByParts) {
  EXPECT_EQ(hilda("run carts.xml --plugins . --for 50ms --log carts.mcap --quiet"), "");
  EXPECT_THAT(hilda("run carts.xml carts.mcap --mode replay --plugins . --no-log"), Not(HasSubstr("exit code")));
  EXPECT_THAT(hilda("info carts.mcap"), AllOf(HasSubstr("state.position"), HasSubstr("all.cart.velocity")));
}

TEST_F(PartedTools, CheckAndAudit) {
  EXPECT_THAT(hilda("check carts.xml --plugins . --audit"), Not(HasSubstr("exit code")));
}

TEST_F(PartedTools, DrawOneWireOfThem) {
  EXPECT_THAT(hilda("draw carts.xml --plugins . -o carts.svg"), Not(HasSubstr("exit code")));
  const std::string drawn = folder_.read("carts.svg");
  EXPECT_THAT(drawn, HasSubstr("cart.state.position to control.state.position\ncart.state.velocity to "
                               "control.state.velocity"));
}

/// The ports of the control block as the studio lists them, by name.
std::map<std::string, studio::Json> ports_of(const std::string& file) {
  studio::Editing::Options options;
  options.file = file;
  options.tell = [](const studio::Json&) {};
  studio::Editing editing(blocks(), std::move(options));
  std::map<std::string, studio::Json> ports;
  const studio::Json view = *editing.answer("view", studio::Json::object());
  for (const studio::Json& element : view["elements"])
    for (const studio::Json& port : element["ports"])
      if (element["name"] == "control") ports[port["name"]] = port;
  return ports;
}

TEST_F(PartedTools, AreListedByTheStudioWithTheirDrivers) {
  const std::map<std::string, studio::Json> ports = ports_of(folder_.path("carts.xml"));
  EXPECT_EQ(ports.at("control.state")["type"], "bus of position, velocity");
  EXPECT_EQ(ports.at("control.state")["driver"], "cart.state");
  EXPECT_EQ(ports.at("control.state.velocity")["driver"], "cart.state.velocity");
  folder_.write("carts.xml", one_by_one);
  EXPECT_EQ(ports_of(folder_.path("carts.xml")).at("control.state")["driver"], "cart.state.position");
}

} // namespace
} // namespace hilda::test
