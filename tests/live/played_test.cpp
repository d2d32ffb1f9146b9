// SPDX-License-Identifier: BSD-3-Clause
// What a program wrote as numbers, saved and played again: `<play path= file= signal=>` of an overlay.
#include "engine/log/log.h"
#include "engine/session/live_simulation.h"
#include "tests/cli/program.h"
#include "tests/folder.h"
#include "tests/live/numbers_diagram.h"
#include "tests/modules.h"

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
void save_pushes(const Folder& folder, const std::string& overlay = "tuned.xml",
                 const std::vector<std::int64_t>& ticks = {3, 4, 9, 27}) {
  folder.write("pushed.xml", pushed);
  const Session one(folder.path("pushed.xml"));
  ASSERT_NE(one.simulation, nullptr);
  const auto push = one.input("push"), gain = one.input("gain.gain");
  ASSERT_TRUE(push && gain);
  for (const std::int64_t tick : ticks) {
    ASSERT_EQ(one.run_to(tick), "");
    const std::vector<double> numbers{0x1.921fb54442d18p+1 * static_cast<double>(tick), 5e-324, -0.0};
    ASSERT_EQ(push->write(numbers), Written::taken);
  }
  ASSERT_EQ(one.run_to(40), "");
  ASSERT_EQ(one.save(folder.path(overlay)), "");
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
  const Result run = here.hilda("run pushed.xml --overlay tuned.xml --for 50ms --log run.mcap --quiet");
  ASSERT_EQ(run.exit, 0) << run.err;
  const Result plain = here.hilda("run pushed.xml --for 50ms --log plain.mcap --quiet");
  EXPECT_EQ(here.hilda("compare run.mcap plain.mcap").exit, 1) << "it was played";
  EXPECT_EQ(here.hilda("run pushed.xml --overlay tuned.xml --for 50ms --log tuned.inputs.mcap").exit, 64)
      << "it is an input";
  std::filesystem::remove(here.path("tuned.inputs.mcap"));
  const Result replay = here.hilda("run --mode replay run.mcap");
  EXPECT_EQ(replay.exit, 0) << replay.err;
  EXPECT_THAT(replay.out + replay.err, HasSubstr("every bit is as recorded"));
  const Result other = here.hilda("run --mode replay run.mcap --overlay tuned.xml");
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
      {R"(<play path="push" file="tuned.inputs.mcap" signal="push.y" unit="N"/>)", ""},
      {R"(<play path="push" file="tuned.inputs.mcap" signal="push.y" unit="m"/>)",
       "o.xml:2: error[play-file]: unit: the file has 'push.y' in N, and unit is 'm'; leave unit out: what the file "
       "says "
       "counts\n"},
      {R"(<play path="push" file="tuned.inputs.mcap" signal="push.y" time="t"/>)",
       "o.xml:2: error[play-file]: time: a log knows the times of its signals; leave time out\n"},
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

TEST(Played, AnotherQuantityIsRefused) {
  const Folder folder;
  save_pushes(folder);
  folder.write("lifted.xml", R"(<diagram format="1" name="lifted" period="1 ms">
  <input name="lift" default="1 2 3 m"/>
  <block name="gain" type="math/Gain" gain="2"/>
  <connect from="lift" to="gain.u"/>
</diagram>)");
  folder.write("o.xml", "<overlay format=\"1\">\n<play path=\"lift\" file=\"tuned.inputs.mcap\" signal=\"push.y\"/>\n"
                        "</overlay>\n");
  LoadedDiagram loaded(all_plugins().catalogue());
  LoadOptions options;
  options.overlays = {folder.path("o.xml")};
  loaded.take_times();
  EXPECT_FALSE(loaded.load(folder.path("lifted.xml"), options));
  EXPECT_THAT(loaded.diagnostics().text(), HasSubstr("o.xml:2: error[play-unit]: 'lift' is in m, and 'push.y' of "
                                                     "tuned.inputs.mcap is in N\n"));
}

TEST(Played, ALaterOverlayReplacesWhatAnEarlierOnePlaysThere) {
  const Folder folder;
  save_pushes(folder);
  save_pushes(folder, "other.xml", {5, 20});
  const Session both(folder.path("pushed.xml"), {folder.path("tuned.xml"), folder.path("other.xml")});
  const Session last(folder.path("pushed.xml"), {folder.path("other.xml")});
  ASSERT_TRUE(both.simulation && last.simulation);
  for (std::int64_t tick = 1; tick <= 40; ++tick) {
    ASSERT_EQ(both.run_to(tick), "");
    ASSERT_EQ(last.run_to(tick), "");
    ASSERT_EQ(both.bytes(), last.bytes()) << tick;
  }
}

TEST(Played, IsPlayedAgainAfterTheWayBack) {
  const Folder folder;
  save_pushes(folder);
  const Session straight(folder.path("pushed.xml"), {folder.path("tuned.xml")});
  ASSERT_NE(straight.simulation, nullptr);
  ASSERT_EQ(straight.run_to(40), "");
  for (const std::int64_t back : {0, 2, 3, 4, 5, 8, 9, 26, 27, 28}) {
    const Session again(folder.path("pushed.xml"), {folder.path("tuned.xml")});
    ASSERT_NE(again.simulation, nullptr);
    ASSERT_EQ(again.run_to(30), "");
    ASSERT_EQ(again.simulation->back_to(back), "");
    ASSERT_EQ(again.run_to(40), "");
    EXPECT_EQ(again.bytes(), straight.bytes()) << "back to " << back;
  }
}

TEST(Played, NumbersThatAreRefusedBesideASettingHaveTheirOwnLine) {
  const Folder folder;
  folder.write("lag.xml", R"(<diagram format="1" name="lag" period="1 ms">
  <input name="push" default="1 rad/s"/>
  <block name="sink" type="math/Gain" gain="1"/>
  <block name="one" type="sources/Constant" value="1"/>
  <block name="lag" type="discrete/LowPass" cutoff="20 rad/s"/>
  <connect from="push" to="sink.u"/>
  <connect from="one.y" to="lag.u"/>
</diagram>)");
  {
    const Session one(folder.path("lag.xml"));
    ASSERT_NE(one.simulation, nullptr);
    ASSERT_EQ(one.run_to(5), "");
    ASSERT_EQ(one.input("push")->write(-1), Written::taken);
    ASSERT_EQ(one.run_to(6), "");
    ASSERT_EQ(one.save(folder.path("wild.xml")), "");
  }
  folder.write("o.xml", R"(<overlay format="1">
<set path="sink.gain" value="3" at="5 ms"/>
<play path="lag.cutoff" file="wild.inputs.mcap" signal="push.y"/>
</overlay>
)");
  const Session other(folder.path("lag.xml"), {folder.path("o.xml")});
  ASSERT_NE(other.simulation, nullptr);
  EXPECT_THAT(other.run_to(20), HasSubstr("o.xml:3: error[play-refused]: input 'lag.cutoff' would be -1 rad/s"));
}

TEST(Played, TheFirstSampleIsWhatATextOfTheFirstTickHasSet) {
  const Folder folder;
  folder.write("pushed.xml", pushed);
  const Session one(folder.path("pushed.xml"));
  ASSERT_NE(one.simulation, nullptr);
  Diagnostics diagnostics;
  std::vector<std::string> anew;
  ASSERT_TRUE(one.simulation->set({{"push", "4 5 6 N"}}, diagnostics, anew)) << diagnostics.text();
  ASSERT_EQ(one.run_to(5), "");
  ASSERT_EQ(one.input("push")->write(std::vector<double>{7, 8, 9}), Written::taken);
  ASSERT_EQ(one.run_to(10), "");
  ASSERT_EQ(one.save(folder.path("tuned.xml")), "");
  std::string error;
  std::optional<Log> log = Log::open(folder.path("tuned.inputs.mcap"), error);
  ASSERT_TRUE(log) << error;
  const std::optional<Signal> signal = log->signal("push.y", error);
  ASSERT_TRUE(signal) << error;
  EXPECT_EQ(signal->ticks(), (std::vector<std::int64_t>{0, 5}));
  EXPECT_EQ(signal->value(0, 0), 4);
  const Session again(folder.path("pushed.xml"), {folder.path("tuned.xml")});
  ASSERT_NE(again.simulation, nullptr);
  ASSERT_EQ(again.run_to(10), "");
  EXPECT_EQ(again.bytes(), one.bytes());
}

/// Before its first write a text may still take a block away from the parameter, as it could in the run itself.
TEST(Played, TheInputIsOpenedWhereItsNumbersFirstChange) {
  const Folder folder;
  folder.write("shared.xml", R"(<diagram format="1" name="shared" period="1 ms">
  <parameter name="level" value="1"/>
  <block name="one" type="sources/Constant" value="${level}"/>
  <block name="other" type="sources/Constant" value="${level}"/>
  <block name="both" type="math/Sum" signs="+-"/>
  <block name="sum" type="discrete/DiscreteIntegrator"/>
  <connect from="one.y" to="both.u[0]"/>
  <connect from="other.y" to="both.u[1]"/>
  <connect from="both.y" to="sum.u"/>
</diagram>)");
  const Session one(folder.path("shared.xml"));
  ASSERT_NE(one.simulation, nullptr);
  Diagnostics diagnostics;
  std::vector<std::string> anew;
  ASSERT_EQ(one.run_to(3), "");
  ASSERT_TRUE(one.simulation->set({{"one.value", "4"}}, diagnostics, anew)) << diagnostics.text();
  ASSERT_EQ(one.run_to(5), "");
  ASSERT_EQ(one.input("level")->write(7), Written::taken);
  ASSERT_EQ(one.run_to(10), "");
  ASSERT_EQ(one.save(folder.path("tuned.xml")), "");
  const Session again(folder.path("shared.xml"), {folder.path("tuned.xml")});
  ASSERT_NE(again.simulation, nullptr);
  ASSERT_EQ(again.run_to(10), "");
  EXPECT_EQ(again.bytes(), one.bytes());
}

TEST(Played, CountsMoreThanASettingOfItsTick) {
  const Folder folder;
  save_pushes(folder);
  folder.write("o.xml", R"(<overlay format="1">
<set path="push" value="1 1 1 N" at="9 ms"/>
<play path="push" file="tuned.inputs.mcap" signal="push.y"/>
</overlay>
)");
  const Session plain(folder.path("pushed.xml"), {folder.path("tuned.xml")});
  const Session both(folder.path("pushed.xml"), {folder.path("o.xml")});
  ASSERT_TRUE(plain.simulation && both.simulation);
  ASSERT_EQ(plain.run_to(12), "");
  ASSERT_EQ(both.run_to(12), "");
  EXPECT_EQ(both.bytes(), plain.bytes());
}

/// A column of a MAT file of version 5, which has no units.
std::string mat_column(const std::string& name, const std::vector<double>& numbers) {
  const auto words = [](std::initializer_list<std::uint32_t> all) {
    return std::string(reinterpret_cast<const char*>(std::data(all)), all.size() * sizeof(std::uint32_t));
  };
  const auto count = static_cast<std::uint32_t>(numbers.size());
  const auto letters = static_cast<std::uint32_t>(name.size());
  std::string body = words({6, 8, 6, 0, 5, 8, count, 1, 1, letters}) + name;
  body.resize((body.size() + 7) / 8 * 8);
  body += words({9, 8 * count});
  body.append(reinterpret_cast<const char*>(numbers.data()), numbers.size() * sizeof(double));
  return words({14, static_cast<std::uint32_t>(body.size())}) + body;
}
std::string mat_file(const std::string& columns) {
  std::string head = "MATLAB 5.0 MAT-file";
  head.resize(116, ' ');
  return head + std::string(9, '\0') + "\1IM" + columns;
}

TEST(Played, AMatFileIsPlayedAtItsTimesInTheUnitThatIsWritten) {
  const Folder folder;
  folder.write("push.xml", R"(<diagram format="1" name="push" period="1 ms">
  <input name="push" default="9 N"/>
  <block name="gain" type="math/Gain" gain="2"/>
  <connect from="push" to="gain.u"/>
</diagram>)");
  folder.write("o.xml", R"(<overlay format="1">
<play path="push" file="x.mat" signal="x" time="t" unit="mN"/>
</overlay>
)");
  folder.write("x.mat", mat_file(mat_column("t", {0, 0.002, 0.005}) + mat_column("x", {0, 250, 500})));
  const Session session(folder.path("push.xml"), {folder.path("o.xml")});
  ASSERT_NE(session.simulation, nullptr);
  for (const double expected : {0.0, 0.0, 0.5, 0.5, 0.5, 1.0, 1.0}) {
    ASSERT_EQ(session.run_to(session.simulation->tick() + 1), "");
    const SystemSignal* const gained = session.simulation->runtime().find_signal("gain.y");
    ASSERT_NE(gained, nullptr);
    EXPECT_EQ(*static_cast<const double*>(gained->span.data), expected) << session.simulation->tick();
  }
  folder.write("x.mat", mat_file(mat_column("t", {-0.001, 0.002, 0.005}) + mat_column("x", {0, 250, 500})));
  LoadedDiagram loaded(all_plugins().catalogue());
  LoadOptions options;
  options.overlays = {folder.path("o.xml")};
  loaded.take_times();
  EXPECT_FALSE(loaded.load(folder.path("push.xml"), options)) << "before the run";
  EXPECT_THAT(loaded.diagnostics().text(),
              HasSubstr("o.xml:2: error[play-time]: sample 0 of 'x' of x.mat is at -0.001 s, and that is not a tick"));
}

/// Viewers take two types of one name for the same.
TEST(Played, EachSavedSignalHasATypeOfItsOwnName) {
  const Folder folder;
  folder.write("pushed.xml", pushed);
  const Session one(folder.path("pushed.xml"));
  ASSERT_NE(one.simulation, nullptr);
  ASSERT_EQ(one.input("push")->write(std::vector<double>{4, 5, 6}), Written::taken);
  ASSERT_EQ(one.input("gain.gain")->write(3), Written::taken);
  ASSERT_EQ(one.run_to(3), "");
  ASSERT_EQ(one.save(folder.path("tuned.xml")), "");
  const std::string file = folder.read("tuned.inputs.mcap");
  EXPECT_THAT(file, HasSubstr("hilda_msgs/msg/Samples"));
  EXPECT_THAT(file, HasSubstr("hilda_msgs/msg/Samples2"));
}

TEST(Played, APacedRunTakesNoneAndNamesIt) {
  const Workplace here;
  save_pushes(here);
  const Result paced = here.hilda("run pushed.xml --overlay tuned.xml --for 10ms --realtime");
  EXPECT_EQ(paced.exit, 64) << paced.err;
  EXPECT_THAT(paced.err, HasSubstr("an overlay sets 'push' at a time, and a run that is paced"));
}

TEST(Played, WhatIsWrittenWithinASubsystemIsSavedUnderItsOwnName) {
  const Folder folder;
  folder.write("nested.xml", R"(<diagram format="1" name="nested" period="1 ms">
  <subsystem name="arm"><subsystem name="joint">
    <block name="one" type="sources/Constant" value="1"/>
    <block name="gain" type="math/Gain" gain="2"/>
    <connect from="one.y" to="gain.u"/>
  </subsystem></subsystem>
</diagram>)");
  const Session one(folder.path("nested.xml"));
  ASSERT_NE(one.simulation, nullptr);
  ASSERT_EQ(one.run_to(3), "");
  ASSERT_EQ(one.input("arm.joint.gain.gain")->write(7), Written::taken);
  ASSERT_EQ(one.run_to(10), "");
  ASSERT_EQ(one.save(folder.path("tuned.xml")), "");
  std::string error;
  const std::optional<Log> log = Log::open(folder.path("tuned.inputs.mcap"), error);
  ASSERT_TRUE(log) << error;
  ASSERT_EQ(log->schema().channels.size(), 1u);
  EXPECT_EQ(log->schema().channels[0].path, "arm.joint.gain");
  EXPECT_EQ(log->schema().channels[0].fields.front().name, "gain");
  const Session again(folder.path("nested.xml"), {folder.path("tuned.xml")});
  ASSERT_NE(again.simulation, nullptr);
  ASSERT_EQ(again.run_to(10), "");
  EXPECT_EQ(again.bytes(), one.bytes());
}

TEST(Played, ASaveToWhatIsNoFileIsRefused) {
  const Folder folder;
  folder.write("pushed.xml", pushed);
  const Session one(folder.path("pushed.xml"));
  ASSERT_NE(one.simulation, nullptr);
  std::filesystem::create_symlink("/dev/null", folder / "out.xml");
  EXPECT_EQ(one.save(folder.path("out.xml")), "") << "an overlay alone goes anywhere";
  ASSERT_EQ(one.input("push")->write(std::vector<double>{4, 5, 6}), Written::taken);
  ASSERT_EQ(one.run_to(3), "");
  EXPECT_THAT(one.save(folder.path("out.xml")),
              HasSubstr("programs wrote numbers, which an overlay has in a file next to it\nhelp: save to a file"));
  EXPECT_FALSE(std::filesystem::exists(folder / "out.inputs.mcap"));
}

TEST(Played, WhoTakesNothingAtSetTimesSaysSo) {
  const Folder folder;
  save_pushes(folder);
  LoadedDiagram loaded(all_plugins().catalogue());
  LoadOptions options;
  options.overlays = {folder.path("tuned.xml")};
  EXPECT_FALSE(loaded.load(folder.path("pushed.xml"), options));
  EXPECT_THAT(loaded.diagnostics().text(), HasSubstr("tuned.xml:2: error[setting-untaken]: this command runs with the "
                                                     "values of the first tick, and an overlay sets 'push'"));
}

} // namespace
} // namespace hilda::test
