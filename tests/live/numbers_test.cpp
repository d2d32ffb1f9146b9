// SPDX-License-Identifier: BSD-3-Clause
// Numbers from outside, by handles: the bits of a run are those of the same run set by texts.
#include "engine/session/run_log.h"
#include "tests/folder.h"
#include "tests/live/numbers_diagram.h"
#include "tests/modules.h"

#include <cmath>
#include <fstream>
#include <gmock/gmock.h>
#include <map>

namespace hilda::test {
namespace {

using testing::HasSubstr;

const DiagramText pushed{"pushed.xml", R"(<diagram format="1" name="pushed" period="1 ms">
  <input name="push" unit="N" default="5 N"/>
  <block name="double" type="math/Gain" gain="2"/>
  <block name="sum" type="discrete/DiscreteIntegrator"/>
  <connect from="push" to="double.u"/>
  <connect from="double.y" to="sum.u"/>
</diagram>)"};

std::shared_ptr<Input> handle(const Live& live, const std::string& path) {
  Diagnostics diagnostics;
  std::shared_ptr<Input> input = live.tuning->input(path, diagnostics);
  EXPECT_NE(input, nullptr) << diagnostics.text();
  return input;
}

std::string refused(const Live& live, const std::string& path) {
  Diagnostics diagnostics;
  EXPECT_EQ(live.tuning->input(path, diagnostics), nullptr) << path;
  return diagnostics.text();
}

/// The bytes of every output.
std::map<std::string, std::string> by_name(const Live& live) {
  std::map<std::string, std::string> all;
  for (const SystemSignal& each : live.runtime->signals())
    all[each.path] = {static_cast<const char*>(each.span.data), each.span.bytes()};
  return all;
}

void tick(const Live& live) {
  live.tuning->take(nullptr);
  live.runtime->step();
}

TEST(Numbers, AreInTheNextTickAndInWhatIsTold) {
  const Live live(pushed);
  ASSERT_TRUE(live.ok()) << live.diagram.diagnostics().text();
  const auto push = handle(live, "push");
  ASSERT_NE(push, nullptr);
  EXPECT_EQ(push->unit(), "N");
  EXPECT_EQ(push->size(), 1u);
  Diagnostics diagnostics;
  const std::optional<Output> doubled = find_output(*live.runtime, "double.y", diagnostics);
  ASSERT_TRUE(doubled);
  tick(live);
  EXPECT_EQ(doubled->number(), 10);
  EXPECT_EQ(push->write(3), Written::taken);
  EXPECT_EQ(push->write(4), Written::taken) << "the last one before a tick counts";
  tick(live);
  EXPECT_EQ(doubled->number(), 8);
  EXPECT_EQ(doubled->numbers()[0], 8);
  EXPECT_EQ(live.tuning->text_of("push"), "4 N");
  EXPECT_EQ(live.set({{"push", "6 N"}}), "");
  tick(live);
  EXPECT_EQ(doubled->number(), 12);
  EXPECT_EQ(live.tuning->text_of("push"), "6 N");
  EXPECT_EQ(push->write(7), Written::taken);
  EXPECT_EQ(live.set({{"push", "1 N"}}), "") << "what was written before it is taken first";
  tick(live);
  EXPECT_EQ(doubled->number(), 2);
  EXPECT_EQ(push->write(4), Written::taken);
  EXPECT_EQ(live.set({{"double.gain", "3"}}), "");
  tick(live);
  EXPECT_EQ(doubled->number(), 12);
}

TEST(Numbers, OfAThousandDiagramsHaveTheBitsOfTexts) {
  for (unsigned seed = 0; seed < 1000; ++seed) {
    const NumbersDiagram diagram(seed);
    const Live numbers(diagram.text()), texts(diagram.text());
    ASSERT_TRUE(numbers.ok() && texts.ok()) << diagram.xml() << numbers.diagram.diagnostics().text();
    const auto inputs = handles(*numbers.tuning, diagram.entries());
    Outside outside(seed);
    for (int k = 0; k < 25; ++k) {
      std::vector<LiveSetting> settings;
      for (const Outside::Change& each : outside.next(diagram.entries())) {
        const NumbersDiagram::Entry& entry = diagram.entries()[each.entry];
        ASSERT_EQ(inputs[each.entry]->write(each.numbers), Written::taken);
        settings.push_back(as_text(entry, each.numbers));
      }
      if (!settings.empty()) { ASSERT_EQ(texts.set(settings), ""); }
      tick(numbers), tick(texts);
      ASSERT_EQ(numbers.runtime->checkpoint().bytes, texts.runtime->checkpoint().bytes)
          << "seed " << seed << ", tick " << k << "\n"
          << diagram.xml();
    }
    for (const NumbersDiagram::Entry& each : diagram.entries())
      EXPECT_EQ(numbers.tuning->text_of(each.path), texts.tuning->text_of(each.path)) << each.path;
  }
}

TEST(Numbers, HaveTheBitsOfTextsWithEverySolver) {
  for (const std::string solver : {"dopri5", "rosenbrock", "rk4"})
    for (unsigned seed = 0; seed < 20; ++seed) {
      const NumbersDiagram diagram(seed, " solver=\"" + solver + "\"");
      const Live numbers(diagram.text()), texts(diagram.text());
      ASSERT_TRUE(numbers.ok() && texts.ok()) << numbers.diagram.diagnostics().text();
      const auto inputs = handles(*numbers.tuning, diagram.entries());
      Outside outside(seed);
      std::vector<std::vector<double>> last(diagram.entries().size());
      for (int k = 0; k < 60; ++k) {
        for (const Outside::Change& each : outside.next(diagram.entries())) last[each.entry] = each.numbers;
        for (std::size_t i = 0; i < last.size(); ++i) { // the same again is not a change
          if (last[i].empty()) continue;
          ASSERT_EQ(inputs[i]->write(last[i]), Written::taken);
          ASSERT_EQ(texts.set({as_text(diagram.entries()[i], last[i])}), "");
        }
        tick(numbers), tick(texts);
        ASSERT_EQ(numbers.runtime->checkpoint().bytes, texts.runtime->checkpoint().bytes)
            << solver << ", seed " << seed << ", tick " << k << "\n"
            << diagram.xml();
      }
    }
}

TEST(Numbers, ACheckpointInBetweenGoesOnWithTheSameBits) {
  const Live one(pushed), other(pushed);
  const auto first = handle(one, "push"), second = handle(other, "push");
  ASSERT_TRUE(first && second);
  const auto at = [](int k) { return std::sin(0.3 * k); };
  for (int k = 0; k < 50; ++k) {
    ASSERT_EQ(first->write(at(k)), Written::taken);
    tick(one);
  }
  ASSERT_TRUE(other.runtime->restore(one.runtime->checkpoint()));
  for (int k = 50; k < 90; ++k) {
    ASSERT_EQ(first->write(at(k)), Written::taken);
    ASSERT_EQ(second->write(at(k)), Written::taken);
    tick(one), tick(other);
    ASSERT_EQ(one.runtime->checkpoint().bytes, other.runtime->checkpoint().bytes) << k;
  }
}

TEST(Numbers, OfTheLogPlayedByRecordedSignalGiveTheSameBits) {
  const Folder folder;
  for (unsigned seed = 0; seed < 20; ++seed) {
    const NumbersDiagram diagram(seed);
    const Live numbers(diagram.text());
    ASSERT_TRUE(numbers.ok());
    RunLogOptions options;
    options.everything = true;
    std::string error;
    const auto log = RunLog::create(*numbers.runtime, {}, folder.path("run.mcap"), options, error);
    ASSERT_NE(log, nullptr) << error;
    const auto inputs = handles(*numbers.tuning, diagram.inputs());
    Outside outside(seed);
    std::vector<std::map<std::string, std::string>> bits;
    for (int k = 0; k < 50; ++k) {
      for (const Outside::Change& each : outside.next(diagram.inputs()))
        ASSERT_EQ(inputs[each.entry]->write(each.numbers), Written::taken);
      log->recorder().wait_for_room();
      numbers.tuning->take(&log->recorder());
      const std::int64_t now = numbers.runtime->tick();
      numbers.runtime->compute();
      log->recorder().record(now);
      numbers.runtime->advance();
      bits.push_back(by_name(numbers));
    }
    ASSERT_TRUE(log->close({}, error)) << error;
    std::string played = diagram.xml();
    for (const NumbersDiagram::Entry& each : diagram.inputs()) {
      const std::size_t begin = played.find("<input name=\"" + each.path + "\""), end = played.find("/>", begin);
      played.replace(begin, end - begin,
                     "<block name=\"" + each.path +
                         "\" type=\"sources/RecordedSignal\" sample_time=\"1 ms\" file=\"run.mcap\" signal=\"" +
                         each.path + ".y\"");
      for (const std::string from = "from=\"" + each.path + "\""; played.find(from) != std::string::npos;)
        played.replace(played.find(from), from.size(), "from=\"" + each.path + ".y\"");
    }
    folder.write("played.xml", played);
    const Live again(folder.path("played.xml"));
    ASSERT_TRUE(again.ok()) << played << again.diagram.diagnostics().text();
    for (int k = 0; k < 50; ++k) {
      tick(again);
      ASSERT_EQ(by_name(again), bits[static_cast<std::size_t>(k)]) << "seed " << seed << ", tick " << k << played;
    }
  }
}

TEST(Numbers, ThatDoNotFitAreRefusedInWordsAndChangeNothing) {
  const Live live(DiagramText{"refused.xml", R"(<diagram format="1" name="refused" period="1 ms">
  <input name="push" default="1 2 3 N"/>
  <block name="gain" type="math/Gain" gain="2"/>
  <block name="lag" type="discrete/LowPass" cutoff="20 rad/s"/>
  <connect from="push" to="gain.u"/>
  <connect from="gain.y" to="lag.u"/>
</diagram>)"});
  ASSERT_TRUE(live.ok()) << live.diagram.diagnostics().text();
  const auto push = handle(live, "push");
  ASSERT_NE(push, nullptr);
  const auto said = [&](const Input& input, std::vector<double> numbers) {
    return input.refusal(const_cast<Input&>(input).write(numbers), numbers);
  };
  EXPECT_EQ(said(*push, {1, 2}), "input 'push' has 3 numbers, and 2 numbers came: its shape was settled when the "
                                 "diagram was loaded");
  EXPECT_EQ(said(*push, {1, NAN, 2}), "element 1 of input 'push' would be nan: write a finite number");
  EXPECT_EQ(said(*push, {1, 2, HUGE_VAL}), "element 2 of input 'push' would be inf: write a finite number");
  const auto lag = handle(live, "lag.cutoff");
  ASSERT_NE(lag, nullptr);
  EXPECT_EQ(said(*lag, {0}), "input 'lag.cutoff' would be 0 rad/s, but must be above 0 rad/s");
  EXPECT_EQ(said(*lag, {-1}), "input 'lag.cutoff' would be -1 rad/s, but must be above 0 rad/s");
  EXPECT_EQ(said(*lag, {5e-324}), "");
  tick(live);
  EXPECT_EQ(live.number("gain.y", 1), 4);
}

TEST(Numbers, AHandleOfWhatIsNoInputIsRefused) {
  const Live live(DiagramText{"others.xml", R"(<diagram format="1" name="others" period="1 ms">
  <parameter name="twice" value="2"/>
  <parameter name="unused" value="2"/>
  <parameter name="two" value="1"/>
  <input name="push" default="1 N"/>
  <block name="hand" type="sources/Constant" value="${twice * 3}"/>
  <block name="fixed" type="discrete/Delay" delay="3 ms"/>
  <block name="both" type="math/Gain" gain="${two}"/>
  <block name="slow" type="discrete/LowPass" cutoff="${two}"/>
  <connect from="hand.y" to="both.u"/>
  <connect from="hand.y" to="slow.u"/>
  <connect from="push" to="fixed.u"/>
</diagram>)"});
  ASSERT_TRUE(live.ok()) << live.diagram.diagnostics().text();
  EXPECT_THAT(refused(live, "pish"), HasSubstr("error[unknown-setting]"));
  EXPECT_THAT(refused(live, "pish"), HasSubstr("did you mean 'push'?"));
  EXPECT_THAT(refused(live, "twice"), HasSubstr("error[input-computed]"));
  EXPECT_THAT(refused(live, "twice"), HasSubstr("'hand.value' is computed of 'twice': ${twice * 3}"));
  EXPECT_THAT(refused(live, "unused"), HasSubstr("error[live-unused]"));
  EXPECT_THAT(refused(live, "fixed.delay"), HasSubstr("error[live-fixed]"));
  EXPECT_THAT(refused(live, "two"), HasSubstr("error[input-apart]: 'both.gain' takes 1 number without a unit, and "
                                              "'slow.cutoff' takes 1 number in rad/s: both are 'two'"));
  const auto push = handle(live, "push");
  ASSERT_NE(push, nullptr);
  EXPECT_EQ(handle(live, "push"), push) << "one path has one handle";
  EXPECT_THAT(refused(live, "push.value"), HasSubstr("error[input-shared]"));
  EXPECT_THAT(live.set({{"push.value", "3 N"}}), HasSubstr("error[input-shared]"));
}

TEST(Numbers, AHandleOfAnotherRunOrOfOneThatIsOverIsRefused) {
  const Live live(pushed);
  auto other = std::make_unique<Live>(pushed);
  const auto mine = handle(live, "push"), theirs = handle(*other, "push");
  ASSERT_TRUE(mine && theirs);
  const double one = 1;
  const std::vector<InputNumbers> both{{mine.get(), {&one, 1}}, {theirs.get(), {&one, 1}}};
  std::size_t which = 0;
  EXPECT_EQ(live.tuning->write(both, &which), Written::other_run);
  EXPECT_EQ(which, 1u);
  EXPECT_EQ(live.tuning->post(both, &which), Written::other_run);
  EXPECT_THAT(theirs->refusal(Written::other_run, {}), HasSubstr("belongs to another run"));
  tick(live);
  EXPECT_EQ(live.number("double.y"), 10) << "all or none";
  other.reset();
  EXPECT_EQ(theirs->write(3), Written::gone);
  EXPECT_EQ(live.tuning->write(both, &which), Written::gone);
  EXPECT_THAT(theirs->refusal(Written::gone, {}), HasSubstr("reloaded or has ended"));
  EXPECT_EQ(mine->write(3), Written::taken);
  const std::vector<InputNumbers> alone{{mine.get(), {&one, 1}}};
  EXPECT_EQ(live.tuning->post(alone, &which), Written::taken);
  live.runtime->request_stop("enough");
  EXPECT_EQ(mine->write(3), Written::gone);
  live.tuning->take(nullptr);
  EXPECT_EQ(live.tuning->text_of("push"), "5 N") << "on the way to rest nothing is taken, as of texts";
  Diagnostics diagnostics;
  EXPECT_EQ(live.tuning->input("double.gain", diagnostics), nullptr);
  EXPECT_THAT(diagnostics.text(), HasSubstr("error[live-ended]"));
}

TEST(Numbers, OutputsAreSignalsAndPartsOfThem) {
  const Live live(DiagramText{"parts.xml", R"(<diagram format="1" name="parts" period="1 ms">
  <subsystem name="rig"><output name="y"/>
    <block name="hand" type="sources/Constant" value="1 2 3 m"/>
    <connect from="hand.y" to="y"/>
  </subsystem>
  <block name="g" type="math/Gain" gain="2"/>
  <connect from="rig.y" to="g.u"/>
</diagram>)"});
  ASSERT_TRUE(live.ok()) << live.diagram.diagnostics().text();
  tick(live);
  Diagnostics diagnostics;
  const auto read = [&](const std::string& path) {
    const std::optional<Output> found = find_output(*live.runtime, path, diagnostics);
    EXPECT_TRUE(found) << path << diagnostics.text();
    return found ? found->number() : NAN;
  };
  EXPECT_EQ(read("g.y[1]"), 4);
  EXPECT_EQ(read("rig.y.z"), 3);
  EXPECT_EQ(find_output(*live.runtime, "g.y", diagnostics)->unit(), "m");
  EXPECT_FALSE(find_output(*live.runtime, "g.z", diagnostics));
  EXPECT_FALSE(find_output(*live.runtime, "g.y[7]", diagnostics));
  EXPECT_THAT(diagnostics.text(), HasSubstr("error[unknown-signal]: there is no signal 'g.z'"));
  EXPECT_THAT(diagnostics.text(), HasSubstr("there is no signal 'g.y[7]': "));
}

} // namespace
} // namespace hilda::test
