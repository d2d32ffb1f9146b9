// What a program wrote as numbers, saved and played again: `<play path= file= signal=>` of an overlay.
#include "engine/log/log.h"
#include "engine/modes/live/live_simulation.h"
#include "tests/cli/program.h"
#include "tests/folder.h"
#include "tests/live/numbers_diagram.h"

#include <cmath>
#include <filesystem>
#include <gmock/gmock.h>

namespace hilda::test {
namespace {

using testing::HasSubstr;

/// A simulation of a file, with overlays or without.
struct Session {
  explicit Session(const std::string& file, std::vector<std::string> overlays = {})
      : loaded(all_plugins().catalogue()) {
    LoadOptions options;
    options.overlays = std::move(overlays);
    loaded.take_times();
    loaded.load(file, options);
    std::unique_ptr<Runtime> runtime = start_runtime(loaded);
    EXPECT_NE(runtime, nullptr) << loaded.diagnostics().text();
    if (runtime != nullptr)
      simulation = std::make_unique<LiveSimulation>(BuiltDiagram{std::move(runtime), loaded.timed()}, nullptr, 10.0,
                                                    nullptr, LiveSimulation::Hooks{});
  }
  std::string run_to(std::int64_t tick) const {
    Diagnostics diagnostics;
    simulation->run_to(tick, diagnostics);
    return diagnostics.text();
  }
  std::shared_ptr<Input> input(const std::string& path) const {
    Diagnostics diagnostics;
    auto found = simulation->tuning().input(path, diagnostics);
    EXPECT_NE(found, nullptr) << diagnostics.text();
    return found;
  }
  std::vector<unsigned char> bytes() const { return simulation->runtime().checkpoint().bytes; }
  std::string save(const std::string& overlay) const {
    OutputFiles files;
    std::string error;
    return save_run(overlay, simulation->repeat({}), files, error) ? "" : error;
  }

  LoadedDiagram loaded;
  std::unique_ptr<LiveSimulation> simulation;
};

TEST(Played, ARunOfTheSavedOverlayHasTheBitsOfTheRunByHandles) {
  const std::vector<std::string> solvers{"", " solver=\"dopri5\"", " solver=\"rosenbrock\""};
  for (unsigned seed = 0; seed < 60; ++seed) {
    const NumbersDiagram diagram(seed, solvers[seed % 3]);
    const Folder folder;
    folder.write("numbers.xml", diagram.xml());
    const Session one(folder.path("numbers.xml"));
    ASSERT_NE(one.simulation, nullptr);
    Outside outside(seed);
    std::vector<std::shared_ptr<Input>> inputs(diagram.entries().size());
    for (std::int64_t k = 0; k < 120; ++k) {
      // some are first written late, and some are set by texts in between
      for (const Outside::Change& each : outside.next(diagram.entries())) {
        const NumbersDiagram::Entry& entry = diagram.entries()[each.entry];
        Diagnostics diagnostics;
        std::vector<std::string> anew;
        if (k % 20 == 13) {
          ASSERT_TRUE(one.simulation->set({as_text(entry, each.numbers)}, diagnostics, anew)) << diagnostics.text();
        } else if (k > static_cast<std::int64_t>(each.entry) * 25) {
          if (inputs[each.entry] == nullptr) inputs[each.entry] = one.input(entry.path);
          ASSERT_EQ(inputs[each.entry]->write(each.numbers), Written::taken);
        }
      }
      ASSERT_EQ(one.run_to(k + 1), "");
    }
    ASSERT_EQ(one.save(folder.path("again.xml")), "");
    const Session again(folder.path("numbers.xml"), {folder.path("again.xml")});
    ASSERT_NE(again.simulation, nullptr);
    ASSERT_EQ(again.run_to(120), "");
    ASSERT_EQ(again.bytes(), one.bytes()) << "seed " << seed << diagram.xml();
    if (!one.simulation->runtime().without_checkpoint().empty()) continue;
    ASSERT_EQ(again.simulation->back_to(60), "") << "and back, where it was played";
    ASSERT_EQ(one.simulation->back_to(60), "");
    ASSERT_EQ(again.bytes(), one.bytes()) << "seed " << seed;
  }
}

constexpr const char* pushed = R"(<diagram format="1" name="pushed" period="1 ms">
  <input name="push" default="1 2 3 N"/>
  <block name="gain" type="math/Gain" gain="2"/>
  <block name="sum" type="discrete/DiscreteIntegrator"/>
  <connect from="push" to="gain.u"/>
  <connect from="gain.y" to="sum.u"/>
</diagram>)";

constexpr const char* played = R"(<diagram format="1" name="pushed" period="1 ms">
  <block name="push" type="sources/RecordedSignal" file="tuned.inputs.mcap" signal="push.y" between="hold"/>
  <block name="gain" type="math/Gain" gain="2"/>
  <block name="sum" type="discrete/DiscreteIntegrator"/>
  <connect from="push.y" to="gain.u"/>
  <connect from="gain.y" to="sum.u"/>
</diagram>)";

/// Writes at some ticks numbers of which no digit may get lost, and saves.
void save_pushes(const Folder& folder) {
  folder.write("pushed.xml", pushed);
  const Session one(folder.path("pushed.xml"));
  ASSERT_NE(one.simulation, nullptr);
  const auto push = one.input("push"), gain = one.input("gain.gain");
  ASSERT_TRUE(push && gain);
  for (const std::int64_t tick : {3, 4, 9, 27}) {
    ASSERT_EQ(one.run_to(tick), "");
    const std::vector<double> numbers{0x1.921fb54442d18p+1 * static_cast<double>(tick), 5e-324, -0.0};
    ASSERT_EQ(push->write(numbers), Written::taken);
  }
  ASSERT_EQ(one.run_to(40), "");
  ASSERT_EQ(one.save(folder.path("tuned.xml")), "");
}

TEST(Played, TheFileHasSamplesWhereSomethingChangedAndFromTheBegin) {
  const Folder folder;
  save_pushes(folder);
  EXPECT_EQ(folder.read("tuned.xml"), R"(<overlay format="1">
    <play path="push" file="tuned.inputs.mcap" signal="push.y"/>
</overlay>
)");
  std::string error;
  std::optional<Log> log = Log::open(folder.path("tuned.inputs.mcap"), error);
  ASSERT_TRUE(log) << error;
  log->verify();
  EXPECT_TRUE(log->complete() && !log->damaged());
  const std::optional<Signal> signal = log->signal("push.y", error);
  ASSERT_TRUE(signal) << error;
  EXPECT_EQ(signal->ticks(), (std::vector<std::int64_t>{0, 3, 4, 9, 27}));
  EXPECT_EQ(signal->field.unit, "N");
  EXPECT_EQ(signal->value(0, 2), 3);
  EXPECT_EQ(signal->value(3, 0), 0x1.921fb54442d18p+1 * 9);
  EXPECT_EQ(signal->value(4, 1), 5e-324);
  EXPECT_TRUE(std::signbit(signal->value(4, 2)));
}

TEST(Played, RecordedSignalPlaysTheFileWithTheSameBits) {
  const Folder folder;
  save_pushes(folder);
  folder.write("played.xml", played);
  const Session overlay(folder.path("pushed.xml"), {folder.path("tuned.xml")}), block(folder.path("played.xml"));
  ASSERT_TRUE(overlay.simulation && block.simulation);
  for (std::int64_t tick = 1; tick <= 40; ++tick) {
    ASSERT_EQ(overlay.run_to(tick), "");
    ASSERT_EQ(block.run_to(tick), "");
    for (const char* name : {"push.y", "gain.y", "sum.y"}) {
      const SystemSignal* a = overlay.simulation->runtime().find_signal(name);
      const SystemSignal* b = block.simulation->runtime().find_signal(name);
      ASSERT_TRUE(a && b) << name;
      ASSERT_EQ(std::memcmp(a->span.data, b->span.data, a->span.bytes()), 0) << name << " at " << tick;
    }
  }
}

TEST(Played, ARunOfTheOverlayReplaysWithoutTheFile) {
  const Workplace here;
  save_pushes(here);
  const Outcome run = here.hilda("run pushed.xml --overlay tuned.xml --for 50ms --log run.mcap --quiet");
  ASSERT_EQ(run.exit, 0) << run.err;
  const Outcome plain = here.hilda("run pushed.xml --for 50ms --log plain.mcap --quiet");
  EXPECT_EQ(here.hilda("compare run.mcap plain.mcap").exit, 1) << "it was played";
  EXPECT_EQ(here.hilda("run pushed.xml --overlay tuned.xml --for 50ms --log tuned.inputs.mcap").exit, 64)
      << "it is an input";
  std::filesystem::remove(here.path("tuned.inputs.mcap"));
  const Outcome replay = here.hilda("run --mode replay run.mcap");
  EXPECT_EQ(replay.exit, 0) << replay.err;
  EXPECT_THAT(replay.out + replay.err, HasSubstr("every bit is as recorded"));
  const Outcome other = here.hilda("run --mode replay run.mcap --overlay tuned.xml");
  EXPECT_NE(other.exit, 0);
  EXPECT_THAT(other.err, HasSubstr("tuned.xml plays a recording on 'push', and a replay sets at their times what the "
                                   "log has"));
}

TEST(Played, WhatDoesNotFitIsSaidWithFileAndLine) {
  const Folder folder;
  save_pushes(folder);
  const struct {
    const char* element;
    const char* said;
  } cases[] = {
      {R"(<play path="push" file="tuned.inputs.mcap" signal="push.y"/>)", ""},
      {R"(<play path="push" file="tuned.input.mcap" signal="push.y"/>)",
       "o.xml:2: error[path-not-found]: there is no file 'tuned.input.mcap'\n"
       "  help: did you mean 'tuned.inputs.mcap'?\n"},
      {R"(<play path="push" file="tuned.inputs.mcap" signal="pull.y"/>)",
       "o.xml:2: error[play-file]: signal: the log has no signal \"pull.y\"; the nearest is \"push.y\"; hilda info "
       "lists them\n  help: play a signal that the file has\n"},
      {R"(<play path="push" file="tuned.xml" signal="push.y"/>)",
       "o.xml:2: error[play-file]: file: it is neither an MCAP log nor a MAT file of version 5 or 7.3; "
       "sources/SignalFile plays a table of comma-separated values\n  help: play a signal that the file has\n"},
      {R"(<play path="pusch" file="tuned.inputs.mcap" signal="push.y"/>)",
       "o.xml:2: error[unknown-setting]: there is no parameter 'pusch'\n  help: did you mean 'push'?\n"},
      {R"(<play path="push" file="tuned.inputs.mcap" signal="push.y[1]"/>)",
       "o.xml:2: error[play-shape]: 'push' takes 3 numbers, and 'push.y[1]' of tuned.inputs.mcap has 1 number a "
       "sample\n  help: play a signal of that shape\n"},
      {R"(<play path="gain.gain" file="tuned.inputs.mcap" signal="push.y[1]"/>)",
       "o.xml:2: error[play-unit]: 'gain.gain' is a pure number, and 'push.y[1]' of tuned.inputs.mcap is in N\n"
       "  help: play a signal of that unit\n"},
      {R"(<play path="push" file="tuned.inputs.mcap" signal="push.y"/><play path="push" file="a" signal="b"/>)",
       "o.xml:2: error[duplicate-setting]: 'push' is played twice\n  o.xml:2: first set here\n  help: keep one\n"},
      {R"(<pray path="push" file="tuned.inputs.mcap" signal="push.y"/>)",
       "o.xml:2: error[unknown-element]: an overlay has no element <pray>\n  help: it may have: set, play\n"},
  };
  for (const auto& each : cases) {
    folder.write("o.xml", "<overlay format=\"1\">\n" + std::string(each.element) + "\n</overlay>\n");
    LoadedDiagram loaded(all_plugins().catalogue());
    LoadOptions options;
    options.overlays = {folder.path("o.xml")};
    loaded.take_times();
    loaded.load(folder.path("pushed.xml"), options);
    std::string text = loaded.diagnostics().text();
    for (std::size_t at = 0; (at = text.find(folder.path(""), at)) != std::string::npos;)
      text.erase(at, folder.path("").size());
    EXPECT_EQ(text.substr(0, std::string(each.said).size()), each.said) << each.element << text;
    EXPECT_EQ(text.empty(), *each.said == '\0') << text;
  }
}

TEST(Played, SamplesThatAreNotAtTicksAndNumbersThatAreOutOfRangeAreSaid) {
  const Folder folder;
  save_pushes(folder);
  std::string slower = pushed;
  slower.replace(slower.find("1 ms"), 4, "2 ms");
  folder.write("slower.xml", slower);
  LoadedDiagram loaded(all_plugins().catalogue());
  LoadOptions options;
  options.overlays = {folder.path("tuned.xml")};
  loaded.take_times();
  EXPECT_FALSE(loaded.load(folder.path("slower.xml"), options));
  EXPECT_THAT(loaded.diagnostics().text(),
              HasSubstr("tuned.xml:2: error[play-time]: sample 1 of 'push.y' of tuned.inputs.mcap is at 0.003 s, and "
                        "that is not a tick of 1/500 s\n"));

  folder.write("limited.xml", R"(<diagram format="1" name="limited" period="1 ms">
  <block name="hand" type="sources/Constant" value="1 2 3 rad/s"/>
  <block name="lag" type="discrete/LowPass" cutoff="20 rad/s"/>
  <block name="one" type="sources/Constant" value="1"/>
  <connect from="one.y" to="lag.u"/>
  <block name="sink" type="math/Gain" gain="1"/>
  <connect from="hand.y" to="sink.u"/>
</diagram>)");
  {
    const Session one(folder.path("limited.xml"));
    ASSERT_NE(one.simulation, nullptr);
    const auto hand = one.input("hand.value");
    ASSERT_NE(hand, nullptr);
    ASSERT_EQ(one.run_to(5), "");
    ASSERT_EQ(hand->write(std::vector<double>{-1, 0, 1}), Written::taken);
    ASSERT_EQ(one.run_to(6), "");
    ASSERT_EQ(one.save(folder.path("wild.xml")), "");
  }
  folder.write("o.xml", "<overlay format=\"1\">\n<play path=\"lag.cutoff\" file=\"wild.inputs.mcap\" "
                        "signal=\"hand.value[0]\"/>\n</overlay>\n");
  const Session other(folder.path("limited.xml"), {folder.path("o.xml")});
  ASSERT_NE(other.simulation, nullptr);
  EXPECT_THAT(other.run_to(20),
              HasSubstr("o.xml:2: error[play-refused]: input 'lag.cutoff' would be -1 rad/s, but must "
                        "be above 0 rad/s\n"));
  EXPECT_EQ(other.simulation->tick(), 5);
}

TEST(Played, WhoTakesNothingAtSetTimesSaysSo) {
  const Folder folder;
  save_pushes(folder);
  LoadedDiagram loaded(all_plugins().catalogue());
  LoadOptions options;
  options.overlays = {folder.path("tuned.xml")};
  EXPECT_FALSE(loaded.load(folder.path("pushed.xml"), options));
  EXPECT_THAT(loaded.diagnostics().text(), HasSubstr("tuned.xml:2: error[setting-untaken]: what is asked for here runs "
                                                     "with the values of the first tick, and an overlay sets 'push'"));
}

} // namespace
} // namespace hilda::test
