// SPDX-License-Identifier: BSD-3-Clause
// Every parameter that the catalogue marks "may change while it runs" does: from the tick at which it is set, every
// output has the bits of a diagram that was loaded with the new value and given the states of that tick.
#include "tests/live/live_diagram.h"
#include "tests/project_folders.h"

#include <algorithm>
#include <gmock/gmock.h>
#include <iterator>
#include <set>

namespace hilda::test {
namespace {

/// Between them they have every block with such a parameter.
const std::string diagrams[] = {source_folder() + "/tests/blocks/every_block.xml",
                                source_folder() + "/diagrams/pida_ledger.xml",
                                source_folder() + "/diagrams/tdpa_full.xml",
                                source_folder() + "/diagrams/force_torque_control.xml",
                                source_folder() + "/diagrams/cartesian_control.xml",
                                source_folder() + "/diagrams/hybrid_contact.xml",
                                source_folder() + "/diagrams/switching_compensation.xml",
                                source_folder() + "/diagrams/normalized_passivity.xml"};
constexpr std::int64_t change_at = 400, compared = 300; // ticks

/// Other values for a parameter, written as one writes them; the first that its block takes is tried.
std::vector<std::string> candidates(const SystemBlock& block, const ParameterValue& parameter) {
  const Slot& slot = block.type->slots[parameter.slot];
  const SignalType& type = block.slot_types[parameter.slot];
  const std::string unit = type.unit && !type.unit->dimensionless() ? " " + type.unit->text() : "";
  if (slot.element == HILDA_U8) return {parameter.value.numbers[0] != 0 ? "false" : "true"};
  std::vector<std::string> texts;
  const auto all = [&](auto&& other) {
    std::string text;
    for (int row = 0; row < parameter.value.extent.rows; ++row) {
      for (int col = 0; col < parameter.value.extent.cols; ++col)
        text +=
            decimal(other(parameter.value.numbers[static_cast<std::size_t>(row + col * parameter.value.extent.rows)])) +
            " ";
      if (row + 1 < parameter.value.extent.rows && parameter.value.extent.cols > 1) text += "; ";
    }
    texts.push_back(text + unit);
  };
  all([](double v) { return 1.25 * v; });
  all([](double v) { return 0.8 * v; });
  for (const double fixed : {0.3, 0.05, -0.3, -0.05, 2.0, -2.0}) all([fixed](double) { return fixed; });
  return texts;
}

struct Tried {
  bool same = true, differs = false;
  std::string text;
};

/// Changed at a tick; loaded with the new value and given the states; not changed.
Tried try_one(const std::string& file, const std::string& path, const std::string& text) {
  const Live changed(file), fresh(file, {path + "=" + text}), plain(file);
  EXPECT_TRUE(changed.ok() && fresh.ok() && plain.ok()) << path << "=" << text << "\n"
                                                        << fresh.diagram.diagnostics().text();
  Tried tried;
  tried.text = text;
  if (!changed.ok() || !fresh.ok() || !plain.ok()) return tried;
  changed.run_to(change_at);
  plain.run_to(change_at);
  EXPECT_TRUE(fresh.runtime->restore(changed.runtime->checkpoint())) << path;
  EXPECT_EQ(changed.set({{path, text}}), "");
  for (std::int64_t tick = 0; tick < compared; ++tick) {
    const bool going = changed.runtime->step();
    EXPECT_EQ(fresh.runtime->step(), going);
    plain.runtime->step();
    tried.same = tried.same && changed.outputs() == fresh.outputs();
    tried.differs = tried.differs || changed.outputs() != plain.outputs();
    if (!going) break; // the new value may end the run
  }
  return tried;
}

/// Those that are tried, of all; which of them show in an output.
struct Account {
  std::set<std::string> tested;
  std::size_t seen = 0;
};

void try_parameter(const std::string& file, const Live& asked, const SystemBlock& block,
                   const ParameterValue& parameter, Account& account) {
  const Slot& slot = block.type->slots[parameter.slot];
  const std::string path = block.path + "." + slot.name, name = block.type->name + "." + slot.name;
  std::string refusals;
  for (const std::string& text : candidates(block, parameter)) {
    Diagnostics diagnostics;
    const auto looked = asked.tuning->look({{path, text}}, diagnostics);
    refusals += diagnostics.text();
    if (!looked || same_numbers(looked->change.blocks.front().value, parameter.value)) continue;
    const Tried tried = try_one(file, path, text);
    EXPECT_TRUE(tried.same) << path << " = " << text;
    account.tested.insert(name);
    account.seen += tried.differs ? 1 : 0;
    if (tried.differs) break;
  }
  EXPECT_TRUE(account.tested.contains(name)) << path << "\n" << refusals;
}

TEST(LiveParameter, EachOfTheCatalogueGivesTheBitsOfADiagramLoadedWithIt) {
  std::set<std::string> wanted;
  for (const BlockType* type : all_plugins().catalogue().all())
    for (const Slot& slot : type->slots)
      if (slot.role == HILDA_PARAMETER && slot.is(HILDA_LIVE)) wanted.insert(type->name + "." + slot.name);
  EXPECT_GE(wanted.size(), 58u);
  Account account;
  for (const std::string& file : diagrams) {
    const Live asked(file);
    ASSERT_TRUE(asked.ok()) << asked.diagram.diagnostics().text();
    asked.run_to(change_at);
    ASSERT_EQ(asked.runtime->tick(), change_at) << file;
    for (const SystemBlock& block : asked.runtime->system().blocks)
      for (const ParameterValue& parameter : block.parameters) {
        const Slot& slot = block.type->slots[parameter.slot];
        if (slot.is(HILDA_LIVE) && !account.tested.contains(block.type->name + "." + slot.name))
          try_parameter(file, asked, block, parameter, account);
      }
  }
  std::set<std::string> missing;
  std::set_difference(wanted.begin(), wanted.end(), account.tested.begin(), account.tested.end(),
                      std::inserter(missing, missing.end()));
  EXPECT_EQ(missing, std::set<std::string>()) << "no diagram has them, or no other value was taken";
  RecordProperty("shown_in_an_output", static_cast<int>(account.seen));
  EXPECT_GE(account.seen, 44u) << "too few of the changes show in an output";
}

const std::string pida = source_folder() + "/diagrams/pida.xml";

TEST(LiveParameter, WhatIsFixedSaysSoAndNothingChanges) {
  const Live live(pida);
  ASSERT_TRUE(live.ok()) << live.diagram.diagnostics().text();
  live.run_to(100);
  const auto before = live.outputs();
  const std::string said = live.set({{"response_delay", "10 ms"}});
  EXPECT_THAT(said, testing::HasSubstr("error[live-fixed]"));
  EXPECT_THAT(said, testing::HasSubstr("restart with --set response_delay='10 ms'"));
  EXPECT_EQ(live.outputs(), before);
  EXPECT_EQ(live.tuning->taken().size(), 0u);
}

const DiagramText chain{"chain.xml", R"(<diagram format="1" name="chain" period="1 ms">
  <parameter name="level" value="2"/>
  <parameter name="twice" value="${level*2}"/>
  <parameter name="idle" value="3"/>
  <parameter name="rate" value="2 ms"/>
  <block name="source" type="sources/Constant" value="${twice}"/>
  <block name="gain" type="math/Gain" gain="3"/>
  <block name="sum" type="discrete/DiscreteIntegrator" sample_time="${rate}"/>
  <block name="line" type="discrete/Delay" delay="5 ms"/>
  <block name="clip" type="math/Saturation" lower="-100" upper="100"/>
  <connect from="source.y" to="gain.u"/>
  <connect from="gain.y" to="sum.u"/>
  <connect from="gain.y" to="line.u"/>
  <connect from="gain.y" to="clip.u"/>
</diagram>)"};

TEST(LiveParameter, AnInfinityThatIsSetIsFoundWhereItStaysThoughNothingMarksIt) {
  const Live live(chain);
  ASSERT_TRUE(live.ok()) << live.diagram.diagnostics().text();
  live.run_to(10);
  EXPECT_EQ(live.set({{"source.value", "inf"}}), "");
  live.run_to(20);
  EXPECT_EQ(live.runtime->ending().kind, Ending::Kind::failed);
  EXPECT_EQ(live.runtime->ending().block, "sum") << live.runtime->ending().text;
  EXPECT_EQ(live.runtime->ending().tick, 10);
}

TEST(LiveParameter, OfTheDiagramReachesAllThatHangsOnIt) {
  const Live live(chain);
  ASSERT_TRUE(live.ok()) << live.diagram.diagnostics().text();
  live.run_to(10);
  EXPECT_EQ(live.number("gain.y"), 12);
  EXPECT_EQ(live.set({{"level", "5"}, {"gain.gain", "0.5"}}), "");
  live.run_to(11);
  EXPECT_EQ(live.number("gain.y"), 5);
  EXPECT_EQ(live.tuning->text_of("twice"), "10");
  EXPECT_EQ(live.set({{"gain.gain", "${level}"}}), "");
  EXPECT_EQ(live.set({{"level", "1"}}), "") << "what was set hangs on it from now on";
  live.run_to(12);
  EXPECT_EQ(live.number("gain.y"), 2);
  const std::vector<TakenChange> taken = live.tuning->taken();
  ASSERT_EQ(taken.size(), 3u);
  EXPECT_EQ(taken[0].tick, 10);
  EXPECT_EQ(taken[2].tick, 11);
}

} // namespace
} // namespace hilda::test
