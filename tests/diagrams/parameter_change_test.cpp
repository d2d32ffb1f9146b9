// SPDX-License-Identifier: BSD-3-Clause
// Another text for a <parameter> of a loaded system: every value that depends on it is, to the bit, what loading the
// diagram with --set gives.
#include "engine/compile/loaded_diagram.h"
#include "engine/compile/parameter_change.h"
#include "tests/modules.h"
#include "tests/project_folders.h"
#include "tests/standard_plugins.h"

#include <cstring>
#include <gtest/gtest.h>

namespace hilda::test {
namespace {

bool same_bits(const Value& a, const Value& b) {
  return a.kind == b.kind && a.text == b.text && a.extent == b.extent && a.unit_text() == b.unit_text() &&
         a.with_constants() == b.with_constants() && a.numbers.size() == b.numbers.size() &&
         std::memcmp(a.numbers.data(), b.numbers.data(), a.numbers.size() * sizeof(double)) == 0;
}

/// A quarter more, written with its unit; empty for what is not a number.
std::string more(const Value& value) {
  if (value.kind != Value::Kind::number || !value.bases().empty() || value.extent.rank == 2) return "";
  std::string text;
  for (const double number : value.numbers) text += decimal(1.25 * number + (number == 0 ? 1e-3 : 0)) + " ";
  return text + (value.unit() ? value.unit()->text() : "");
}

struct Counts {
  int taken = 0, settled = 0, refused = 0;
};

class EveryParameter : public testing::TestWithParam<const char*> {
protected:
  LoadOptions options() const {
    LoadOptions given;
    given.mode = "sim";
    return given;
  }
  std::string file() const { return source_folder() + "/diagrams/" + GetParam() + ".xml"; }
};

void expect_same(const System& changed, const System& fresh, const std::string& setting) {
  ASSERT_EQ(changed.parameters.size(), fresh.parameters.size());
  for (const ParameterIndex p : fresh.parameters.indices())
    EXPECT_TRUE(same_bits(changed.parameters[p].value, fresh.parameters[p].value))
        << setting << ": " << fresh.parameters[p].path << " is " << changed.parameters[p].value.text;
  ASSERT_EQ(changed.blocks.size(), fresh.blocks.size());
  for (const BlockIndex b : fresh.blocks.indices())
    for (std::size_t i = 0; i < fresh.blocks[b].parameters.size(); ++i)
      EXPECT_TRUE(same_bits(changed.blocks[b].parameters[i].value, fresh.blocks[b].parameters[i].value))
          << setting << ": parameter " << i << " of " << fresh.blocks[b].path << " is "
          << changed.blocks[b].parameters[i].value.text;
}

TEST_P(EveryParameter, ChangedInPlaceGivesTheBitsOfALoadingWithSet) {
  const Catalogue& catalogue = all_plugins().catalogue();
  LoadedDiagram loaded(catalogue, file(), options());
  ASSERT_TRUE(loaded.ok()) << loaded.diagnostics().text();
  const std::string place = "test";
  Counts counts;
  for (const ParameterIndex p : loaded.system().parameters.indices()) {
    const NamedParameter& parameter = loaded.system().parameters[p];
    const std::string text = more(parameter.value), setting = parameter.path + "=" + text;
    if (text.empty()) continue;
    LoadOptions with = options();
    with.settings = {setting};
    LoadedDiagram fresh(catalogue, file(), with);
    Diagnostics diagnostics;
    const auto change = change_parameters(loaded.system(), {{p, {"", text, {&place, 1}}}}, diagnostics);
    if (!change) {
      ++counts.refused;
      EXPECT_FALSE(fresh.ok()) << setting << "\n" << diagnostics.text();
      continue;
    }
    if (!change->settled.empty()) {
      ++counts.settled;
      continue;
    }
    if (!fresh.ok()) continue; // the block itself refuses: it has not been asked
    ++counts.taken;
    System changed = loaded.system();
    for (const ParameterChange::Named& each : change->named) changed.parameters[each.parameter].value = each.value;
    for (const ParameterChange::InBlock& each : change->blocks)
      changed.blocks[each.parameter.block].parameters[each.parameter.index].value = each.value;
    expect_same(changed, fresh.system(), setting);
  }
  EXPECT_GT(counts.taken, 20);
  EXPECT_GE(counts.settled, 1) << "the period";
}

INSTANTIATE_TEST_SUITE_P(Diagrams, EveryParameter, testing::Values("pida", "dac", "tdpa_full", "tdpa_ledger"),
                         [](const auto& given) { return std::string(given.param); });

/// The way of one parameter through pida: lead_time and what sensor_delay makes of it.
TEST(ParameterChange, ReachesTheBlockThroughAnotherParameter) {
  LoadedDiagram loaded(all_plugins().catalogue(), source_folder() + "/diagrams/pida.xml", {});
  ASSERT_TRUE(loaded.ok()) << loaded.diagnostics().text();
  const System& system = loaded.system();
  const ParameterIndex delay = system.parameters.find(ParameterTable::diagram, "sensor_delay");
  Diagnostics diagnostics;
  const std::string place = "test";
  const auto change = change_parameters(system, {{delay, {"", "3 ms", {&place, 1}}}}, diagnostics);
  ASSERT_TRUE(change) << diagnostics.text();
  bool found = false;
  for (const ParameterChange::InBlock& each : change->blocks) {
    const SystemBlock& block = system.blocks[each.parameter.block];
    if (block.path != "lead") continue;
    found = true;
    EXPECT_EQ(each.value.numbers, std::vector<double>{0.003});
  }
  EXPECT_TRUE(found);
  EXPECT_EQ(system.parameters[delay].value.numbers, std::vector<double>{0}) << "the system stays as it is";
}

/// A subsystem's parameter is given from outside: `${k}` in a text for it is the k around the subsystem, as with --set.
TEST(ParameterChange, OfASubsystemSeesTheNamesAroundIt) {
  const auto load = [](std::vector<std::string> settings) {
    LoadOptions options;
    options.settings = std::move(settings);
    return LoadedDiagram(
        all_plugins().catalogue(),
        DiagramText{"body.xml", "<diagram format=\"1\" name=\"d\" period=\"1 ms\"><parameter name=\"k\" value=\"3\"/>"
                                "<subsystem name=\"s\"><parameter name=\"k\" value=\"1\"/>"
                                "<block name=\"c\" type=\"sources/Constant\" value=\"${k}\"/></subsystem></diagram>"},
        options);
  };
  const LoadedDiagram loaded = load({}), fresh = load({"s.k=${2 * k}"});
  ASSERT_TRUE(loaded.ok() && fresh.ok()) << loaded.diagnostics().text() << fresh.diagnostics().text();
  const System& system = loaded.system();
  for (const ParameterIndex p : system.parameters.indices()) {
    if (system.parameters[p].path != "s.k") continue;
    Diagnostics diagnostics;
    const std::string place = "test";
    const auto change = change_parameters(system, {{p, {"", "${2 * k}", {&place, 1}}}}, diagnostics);
    ASSERT_TRUE(change) << diagnostics.text();
    ASSERT_EQ(change->blocks.size(), 1u);
    EXPECT_EQ(change->blocks[0].value.numbers, std::vector<double>{6});
    EXPECT_EQ(fresh.system().parameters[p].value.numbers, std::vector<double>{6});
  }
}

TEST(ParameterChange, ErrorsAreThoseOfLoading) {
  LoadedDiagram loaded(all_plugins().catalogue(), source_folder() + "/diagrams/pida.xml", {});
  ASSERT_TRUE(loaded.ok()) << loaded.diagnostics().text();
  const ParameterIndex lead_time = loaded.system().parameters.find(ParameterTable::diagram, "lead_time");
  const std::string place = "test";
  for (const auto& [text, code] : {std::pair{"3 mm", "unit-mismatch"},
                                   {"-1 ms", "parameter-range"},
                                   {"1 2 ms", "value-shape"},
                                   {"soon", "value-kind"},
                                   {"${lead_time}", "parameter-cycle"},
                                   {"${laed_time}", "expression-name"}}) {
    Diagnostics diagnostics;
    EXPECT_FALSE(change_parameters(loaded.system(), {{lead_time, {"", text, {&place, 1}}}}, diagnostics)) << text;
    ASSERT_EQ(diagnostics.errors(), 1u) << text << "\n" << diagnostics.text();
    EXPECT_EQ(diagnostics.all().front().code, code) << text;
  }
}

} // namespace
} // namespace hilda::test
