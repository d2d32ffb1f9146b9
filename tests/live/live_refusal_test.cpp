// SPDX-License-Identifier: BSD-3-Clause
// Changes that a running diagram refuses, with the reason; and those that it takes while it is paused.
#include "tests/live/live_diagram.h"

#include <gmock/gmock.h>

namespace hilda::test {
namespace {

const DiagramText chain{"chain.xml", R"(<diagram format="1" name="chain" period="1 ms">
  <parameter name="level" value="2"/>
  <parameter name="twice" value="${level*2}"/>
  <parameter name="idle" value="3"/>
  <parameter name="rate" value="2 ms"/>
  <parameter name="dead_time" value="5 ms"/>
  <block name="source" type="sources/Constant" value="${twice}"/>
  <block name="gain" type="math/Gain" gain="3"/>
  <block name="sum" type="discrete/DiscreteIntegrator" sample_time="${rate}"/>
  <block name="line" type="discrete/Delay" delay="${dead_time}"/>
  <block name="clip" type="math/Saturation" lower="-100" upper="100"/>
  <block name="tuned" type="tunable/Tunable"/>
  <connect from="source.y" to="gain.u"/>
  <connect from="gain.y" to="sum.u"/>
  <connect from="gain.y" to="line.u"/>
  <connect from="gain.y" to="clip.u"/>
  <connect from="gain.y" to="tuned.u"/>
</diagram>)"};

const Host& tunable_plugins() {
  return standard_plugins({"math", "sources", "discrete", "tests/live/plugins/tunable.so"});
}

class LiveRefusal : public testing::Test {
protected:
  Live live{chain, tunable_plugins().catalogue()};

  void SetUp() override {
    ASSERT_TRUE(live.ok()) << live.diagram.diagnostics().text();
    live.run_to(10);
  }
};

TEST_F(LiveRefusal, ARefusedRequestChangesNothing) {
  const struct {
    std::vector<LiveSetting> settings;
    const char* code;
  } cases[] = {
      {{{"gain.gain", "1"}, {"level", "3 m"}}, "parameter-units"},
      {{{"gain.gain", "1 2"}}, "live-shape"},
      {{{"gain.gain", "1 2"}}, "value-shape"},
      {{{"gain.gain", "soon"}}, "value-kind"},
      {{{"gian.gain", "1"}}, "unknown-setting"},
      {{{"gain.gain", "1"}, {"gain.gain", "2"}}, "duplicate-setting"},
      {{{"gain.gain", "1"}, {"idle", "1"}}, "live-unused"},
      {{{"gain.gain", "1"}, {"rate", "4 ms"}}, "live-settled"},
      {{{"period", "2 ms"}}, "live-"},
      {{{"gain.gain", "1"}, {"line.delay", "4 ms"}}, "live-fixed"},
      {{{"gain.gain", "1"}, {"clip.lower", "101"}}, "block-"},
      {{{"gain.gain", "${nothing}"}}, "expression-name"},
      {{{"gain.gain", std::string(3000, '1')}}, "value-"},
      {{{"gain.gain", "0." + std::string(3000, '1')}}, "live-size"},
      {{{"gain.gain", "1"}, {"tuned.stages", "2"}}, "live-paused"},
      {{{"tuned.label", "other"}}, "live-text"},
      {{{"tuned.step", "-1"}}, "block-prepare"},
      {{{"tuned.step", "101"}}, "block-prepare"},
      {{{"gain.gain", ""}}, "value-"},
  };
  const auto before = live.outputs();
  for (const auto& each : cases) {
    const std::string said = live.set(each.settings);
    EXPECT_THAT(said, testing::HasSubstr(each.code)) << each.settings.back().path << "=" << each.settings.back().text;
    EXPECT_EQ(live.tuning->text_of("gain.gain"), "3");
    EXPECT_EQ(live.tuning->text_of("level"), "2");
    EXPECT_EQ(live.outputs(), before);
  }
  EXPECT_TRUE(live.tuning->taken().empty());
  live.run_to(11);
  EXPECT_EQ(live.number("gain.y"), 12);
}

TEST_F(LiveRefusal, MessagesSayWhatStandsInTheWayAndWhatToDo) {
  EXPECT_EQ(live.set({{"line.delay", "4 ms"}}),
            "live: error[live-fixed]: 'line.delay' is fixed while the diagram runs\n"
            "  help: restart with --set line.delay='4 ms'; it is: Dead time; or give samples\n");
  EXPECT_EQ(live.set({{"dead_time", "4 ms"}}),
            "live: error[live-fixed]: 'line.delay' is fixed while the diagram runs\n"
            "  chain.xml:10: 'line.delay' depends on it\n"
            "  help: restart with --set dead_time='4 ms'; it is: Dead time; or give samples\n");
  EXPECT_EQ(live.set({{"rate", "4 ms"}}),
            "live: error[live-settled]: what depends on 'rate' counts once, before the first tick\n"
            "  chain.xml:9: it is used here\n"
            "  help: restart with --set rate='4 ms'\n");
  EXPECT_EQ(live.set({{"idle", "1"}}), "live: error[live-unused]: no running block depends on 'idle'\n"
                                       "  help: it counts before the first tick, or not at all: restart with --set\n");
  EXPECT_EQ(live.set({{"gain.gain", "1 2"}}),
            "live: error[value-shape]: parameter 'gain' of 'gain': '1 2' is 2 numbers, but a vector of one number is "
            "expected\n"
            "  help: write a vector of one number\n"
            "live: error[live-shape]: the shapes of 'gain.gain' were settled when the diagram was loaded\n"
            "  help: another shape needs another plan: restart with --set gain.gain='1 2'\n");
  EXPECT_EQ(live.set({{"tuned.stages", "2"}}),
            "live: error[live-paused]: a setting can only be changed while the loop is paused\n"
            "  help: in a simulation: pause it first; the diagram is then rebuilt and keeps its states\n");
  EXPECT_EQ(live.set({{"tuned.label", "other"}}),
            "live: error[live-text]: 'tuned.label' is a text, and texts stay while the diagram runs\n"
            "  help: restart with --set tuned.label='other'\n");
  EXPECT_EQ(live.set({{"gain.gain", "0." + std::string(3000, '1')}}),
            "live: error[live-size]: the request has 3020 bytes, and an event of the log 2048\n"
            "  help: set fewer parameters at once, or write fewer digits\n");
  live.tuning->close();
  EXPECT_EQ(live.set({{"gain.gain", "1"}}), "live: error[live-ended]: the run is over, or on its way to rest\n"
                                            "  help: start another one\n");
}

TEST_F(LiveRefusal, ABlockThatRefusesInTheLoopEndsTheRunAndIsNamed) {
  // past the trial: as a block that changes its mind
  const auto found = find_parameter(live.runtime->system(), "tuned.step");
  ASSERT_TRUE(found);
  Diagnostics diagnostics;
  const auto change =
      change_parameters(live.runtime->system(), {{{}, {"tuned.step", "-1", {}}, found->in_block}}, diagnostics);
  ASSERT_TRUE(change) << diagnostics.text();
  live.runtime->change(make_patch(live.runtime->system(), live.runtime->memory(), *change));
  live.run_to(20);
  const Ending ending = live.runtime->ending();
  EXPECT_EQ(ending.kind, Ending::Kind::failed);
  EXPECT_EQ(ending.block, "tuned");
  EXPECT_EQ(ending.text, "refuses prepare: step: is below 0");
}

} // namespace
} // namespace hilda::test
