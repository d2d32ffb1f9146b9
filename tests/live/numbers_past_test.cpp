// SPDX-License-Identifier: BSD-3-Clause
// Numbers from outside, written down: logs replay them, the way back knows them, threads bring them, nothing grows.
#include "engine/log/log.h"
#include "engine/session/find_input.h"
#include "engine/session/run_log.h"
#include "tests/drivers_kuka/allocations.h"
#include "tests/folder.h"
#include "tests/live/numbers_diagram.h"
#include "tests/live/random_session.h"
#include "tests/modules.h"

#include <atomic>
#include <cmath>
#include <thread>

namespace hilda::test {
namespace {

/// A run with its log, driven by the test.
struct LoggedNumbers {
  LoggedNumbers(const std::string& xml, const std::string& log_name = "run.mcap")
      : live((here.write("numbers.xml", xml), here.path("numbers.xml"))) {
    EXPECT_TRUE(live.ok()) << xml << live.diagram.diagnostics().text();
    if (live.ok()) begin(log_name);
  }
  void begin(const std::string& name) {
    RunOrigin origin;
    origin.diagram = here.path("numbers.xml");
    origin.plugins = &all_plugins();
    origin.sources = &live.diagram.sources();
    RunLogOptions options;
    options.everything = true;
    options.live = live.tuning->taken();
    std::string error;
    log = RunLog::create(*live.runtime, origin, here.path(name), options, error);
    EXPECT_NE(log, nullptr) << error;
  }
  void tick() const {
    log->recorder().wait_for_room();
    live.tuning->take(&log->recorder());
    const std::int64_t now = live.runtime->tick();
    live.runtime->compute();
    log->recorder().record(now);
    live.runtime->advance();
  }
  void end() {
    SimulationResult result;
    result.steps = live.runtime->tick();
    std::string error;
    EXPECT_TRUE(log->close(result, error)) << error;
    log.reset();
  }
  std::vector<LogEvent> events(const std::string& name = "run.mcap") const {
    std::string error;
    auto opened = Log::open(here.path(name), error);
    EXPECT_TRUE(opened) << error;
    return opened ? opened->events() : std::vector<LogEvent>();
  }

  Folder here;
  Live live;
  std::unique_ptr<RunLog> log;
};

void write(const std::vector<std::shared_ptr<Input>>& inputs, const std::vector<Outside::Change>& changes) {
  for (const Outside::Change& each : changes) ASSERT_EQ(inputs[each.entry]->write(each.numbers), Written::taken);
}

TEST(NumbersLog, ReplaysToTheBitWithTextsInBetween) {
  for (unsigned seed = 0; seed < 60; ++seed) {
    const NumbersDiagram diagram(seed);
    LoggedNumbers run(diagram.xml());
    ASSERT_NE(run.log, nullptr);
    const auto inputs = handles(*run.live.tuning, diagram.entries());
    Outside outside(seed);
    for (int k = 0; k < 40; ++k) {
      write(inputs, outside.next(diagram.entries()));
      if (k % 7 == 3) {
        Diagnostics diagnostics;
        const NumbersDiagram::Entry& entry = diagram.entries()[static_cast<std::size_t>(k) % diagram.entries().size()];
        const LiveSetting setting = as_text(entry, std::vector<double>(entry.size, 0.25 * k));
        ASSERT_TRUE(run.live.tuning->set({setting}, &run.log->recorder(), diagnostics)) << diagnostics.text();
        write(inputs, outside.next(diagram.entries()));
      }
      run.tick();
    }
    run.end();
    EXPECT_EQ(replayed_otherwise(run.here.path("run.mcap")), "") << "seed " << seed << diagram.xml();
  }
}

TEST(NumbersLog, HasOneEventATickForAllThatChanged) {
  LoggedNumbers run(R"(<diagram format="1" name="two" period="1 ms">
  <input name="a" default="0"/><input name="b" default="0 0"/>
  <block name="g" type="math/Gain" gain="2"/><block name="h" type="math/Gain" gain="2"/>
  <connect from="a" to="g.u"/><connect from="b" to="h.u"/>
</diagram>)");
  Diagnostics diagnostics;
  const auto a = run.live.tuning->input("a", diagnostics), b = run.live.tuning->input("b", diagnostics);
  ASSERT_TRUE(a && b) << diagnostics.text();
  const std::vector<double> two{1, -2};
  run.tick();
  ASSERT_EQ(a->write(1), Written::taken);
  ASSERT_EQ(b->write(two), Written::taken);
  ASSERT_EQ(a->write(0.5), Written::taken);
  run.tick();
  ASSERT_EQ(a->write(0.5), Written::taken); // no change
  run.tick();
  run.end();
  const std::vector<LogEvent> events = run.events();
  ASSERT_EQ(events.size(), 1u);
  EXPECT_EQ(events[0].tick, 1);
  EXPECT_EQ(events[0].kind, "numbers");
  EXPECT_EQ(events[0].text, "a=0.5 b=1,-2");
  EXPECT_EQ(events[0].inputs, (std::vector<WrittenNumbers>{{"a", {0.5}}, {"b", {1, -2}}}));
  EXPECT_EQ(replayed_otherwise(run.here.path("run.mcap")), "");
}

TEST(NumbersLog, WideInputsAreOneEventATickToo) {
  std::string zeros;
  for (int i = 0; i < 400; ++i) zeros += "0 ";
  LoggedNumbers run("<diagram format=\"1\" name=\"wide\" period=\"1 ms\">\n<input name=\"wide\" default=\"" + zeros +
                    "\"/><input name=\"more\" default=\"0\"/>"
                    R"(<block name="g" type="math/Gain" gain="2"/><block name="h" type="math/Gain" gain="2"/>
  <connect from="wide" to="g.u"/><connect from="more" to="h.u"/>
</diagram>)");
  ASSERT_NE(run.log, nullptr);
  Diagnostics diagnostics;
  const auto wide = run.live.tuning->input("wide", diagnostics), more = run.live.tuning->input("more", diagnostics);
  ASSERT_TRUE(wide && more) << diagnostics.text();
  for (int k = 0; k < 30; ++k) {
    std::vector<double> numbers;
    for (int i = 0; i < 400; ++i) numbers.push_back(std::sin(i + k));
    ASSERT_EQ(more->write(k), Written::taken);
    ASSERT_EQ(wide->write(numbers), Written::taken);
    run.tick();
  }
  run.end();
  const std::vector<LogEvent> events = run.events();
  ASSERT_EQ(events.size(), 30u);
  for (const LogEvent& each : events) EXPECT_EQ(each.inputs.back().numbers.size(), 400u);
  EXPECT_EQ(replayed_otherwise(run.here.path("run.mcap")), "");
}

TEST(NumbersLog, ThatBeginsWithinARunReplaysAlone) {
  const NumbersDiagram diagram(7);
  LoggedNumbers run(diagram.xml());
  ASSERT_NE(run.log, nullptr);
  const auto inputs = handles(*run.live.tuning, diagram.entries());
  Outside outside(7);
  for (int part = 0; part < 3; ++part) {
    for (int k = 0; k < 20; ++k) {
      write(inputs, outside.next(diagram.entries()));
      run.tick();
    }
    run.end();
    run.begin("part" + std::to_string(part) + ".mcap");
  }
  run.end();
  for (const char* name : {"run.mcap", "part0.mcap", "part1.mcap"})
    EXPECT_EQ(replayed_otherwise(run.here.path(name)), "") << name;
}

TEST(NumbersLog, WholeNumbersAndBooleansKeepTheirValues) {
  LoggedNumbers run(R"(<diagram format="1" name="kinds" period="1 ms">
  <block name="hand" type="sources/BooleanConstant" value="false"/>
  <block name="one" type="sources/Constant" value="1"/>
  <block name="other" type="sources/Constant" value="2"/>
  <block name="either" type="routing/Switch"/>
  <connect from="hand.y" to="either.condition"/>
  <connect from="one.y" to="either.when_true"/>
  <connect from="other.y" to="either.when_false"/>
</diagram>)");
  ASSERT_NE(run.log, nullptr);
  Diagnostics diagnostics;
  const auto hand = run.live.tuning->input("hand.value", diagnostics);
  ASSERT_NE(hand, nullptr) << diagnostics.text();
  for (int k = 0; k < 10; ++k) {
    ASSERT_EQ(hand->write(k % 3 == 0 ? 1 : 0), Written::taken);
    run.tick();
  }
  run.end();
  const std::vector<LogEvent> events = run.events();
  ASSERT_EQ(events.size(), 7u);
  EXPECT_EQ(events[0].text, "hand.value=1");
  EXPECT_EQ(events[1].text, "hand.value=0");
  EXPECT_EQ(replayed_otherwise(run.here.path("run.mcap")), "");
}

TEST(NumbersLog, WholeNumbersOfRecordsAreReadWithTheirSign) {
  for (const double number : {0.0, 1.0, -1.0, -3.0, 9007199254740992.0, -9007199254740992.0})
    EXPECT_EQ(number_of(HILDA_I64, word_of(HILDA_I64, number)), number);
  for (const double number : {0.0, 1.0, 9007199254740992.0})
    EXPECT_EQ(number_of(HILDA_U64, word_of(HILDA_U64, number)), number);
}

TEST(NumbersLog, OfEarlierVersionsHasThemAsTextAndReplays) {
  LoggedNumbers run(R"(<diagram format="1" name="earlier" period="1 ms">
  <input name="a" default="0"/><input name="b" default="0 0"/>
  <block name="g" type="math/Gain" gain="2"/><block name="h" type="math/Gain" gain="2"/>
  <connect from="a" to="g.u"/><connect from="b" to="h.u"/>
</diagram>)");
  ASSERT_NE(run.log, nullptr);
  const std::vector<std::vector<std::string>> texts{{"a=3fe0000000000000 b=3ff0000000000000c000000000000000"},
                                                    {"b=3ff0000000000000", "b@1=4000000000000000 a=bff0000000000000"}};
  for (int k = 0; k < 6; ++k) {
    if (k % 2 == 0)
      for (const std::string& text : texts[static_cast<std::size_t>(k) / 2 % 2]) {
        ASSERT_TRUE(run.log->recorder().event(k, "numbers", text));
        ASSERT_EQ(run.live.tuning->write_recorded(text), "");
      }
    run.live.tuning->take(nullptr); // the log has it already
    run.tick();
  }
  EXPECT_EQ(run.live.number("h.y", 0), 2);
  EXPECT_EQ(run.live.number("g.y"), 1);
  run.end();
  EXPECT_EQ(replayed_otherwise(run.here.path("run.mcap")), "");
}

TEST(NumbersLog, ADamagedEventIsSaidAndEndsTheReplay) {
  const Live live(NumbersDiagram(3).text());
  ASSERT_TRUE(live.ok());
  Tuning& tuning = *live.tuning;
  const auto said = [&tuning](std::vector<WrittenNumbers> inputs) { return tuning.write_recorded(inputs); };
  EXPECT_EQ(tuning.write_recorded(numbers_note), "the log's text for it is not a list of numbers of inputs")
      << "so an earlier hilda refuses a log that has them elsewhere";
  EXPECT_NE(said({{"n9", {1}}}).find("unknown-setting"), std::string::npos);
  EXPECT_NE(said({{"n0", std::vector<double>(21)}}).find("input 'n0' has"), std::string::npos);
  Diagnostics diagnostics;
  const auto input = tuning.input("n0", diagnostics);
  ASSERT_NE(input, nullptr) << diagnostics.text();
  EXPECT_NE(said({{"n0", std::vector<double>(input->size(), NAN)}}).find("write a finite number"), std::string::npos);
  EXPECT_EQ(tuning.write_recorded("n0"), "the log's text for it is not a list of numbers of inputs");
  EXPECT_EQ(tuning.write_recorded("n0=12"), "the log's text for it is not a list of numbers of inputs");
  EXPECT_NE(tuning.write_recorded("n9=3ff0000000000000").find("unknown-setting"), std::string::npos);
  EXPECT_NE(tuning.write_recorded("n0@7000=3ff0000000000000").find("does not take its 1 numbers from element 7000 on"),
            std::string::npos);
  EXPECT_NE(tuning.write_recorded("n0=7ff8000000000000").find("does not take"), std::string::npos) << "NaN";
}

TEST(NumbersLog, WithNumbersThatAreRefusedEndsTheReplay) {
  for (const WrittenNumbers& wrong : std::vector<WrittenNumbers>{{"a", {1, 2}}, {"c", {1}}, {"a", {NAN}}}) {
    LoggedNumbers run(R"(<diagram format="1" name="wrong" period="1 ms">
  <input name="a" default="0"/>
  <block name="g" type="math/Gain" gain="0"/>
  <connect from="a" to="g.u"/>
</diagram>)");
    ASSERT_NE(run.log, nullptr);
    run.tick();
    const std::vector<std::uint64_t> head = input_head(wrong.path, wrong.numbers.size());
    const std::size_t head_bytes = head.size() * sizeof head[0], bytes = wrong.numbers.size() * sizeof(double);
    std::byte* const to = run.log->recorder().begin_numbers(1, head_bytes + bytes);
    ASSERT_NE(to, nullptr);
    std::memcpy(to, head.data(), head_bytes);
    std::memcpy(to + head_bytes, wrong.numbers.data(), bytes);
    run.log->recorder().end_numbers();
    run.tick();
    run.end();
    EXPECT_EQ(replayed_otherwise(run.here.path("run.mcap")).find("what was written before tick 1 is refused now: "), 0u)
        << "though no signal differs";
  }
}

TEST(NumbersLog, HoldsSoManyNumbersATickOfAllInputsTogether) {
  std::string zeros;
  for (int i = 0; i < 20'000; ++i) zeros += "0 ";
  const Live live(
      DiagramText{"wide.xml", "<diagram format=\"1\" name=\"wide\" period=\"1 ms\">\n<input name=\"a\" default=\"" +
                                  zeros + "\"/><input name=\"b\" default=\"" + zeros + R"("/>
  <block name="g" type="math/Gain" gain="2"/><block name="h" type="math/Gain" gain="2"/>
  <connect from="a" to="g.u"/><connect from="b" to="h.u"/>
</diagram>)"});
  ASSERT_TRUE(live.ok()) << live.diagram.diagnostics().text();
  Diagnostics diagnostics;
  ASSERT_NE(live.tuning->input("a", diagnostics), nullptr) << diagnostics.text();
  EXPECT_EQ(live.tuning->input("b", diagnostics), nullptr);
  EXPECT_NE(diagnostics.text().find("error[live-size]: all inputs together take 320032 bytes"), std::string::npos)
      << diagnostics.text();
  EXPECT_NE(live.tuning->input("g.gain", diagnostics), nullptr) << "there is room for it";
}

TEST(NumbersLog, WithoutRoomTheyWaitAndAreInTheEventOfALaterTick) {
  const Live live(DiagramText{"full.xml", R"(<diagram format="1" name="full" period="1 ms">
  <input name="a" default="0"/>
  <block name="g" type="math/Gain" gain="2"/>
  <connect from="a" to="g.u"/>
</diagram>)"});
  ASSERT_TRUE(live.ok()) << live.diagram.diagnostics().text();
  FrameRing ring(1 << 16);
  std::string error;
  LogSchema schema;
  schema.period = Rational(1, 1000);
  std::optional<Recorder> recorder = Recorder::create(schema, {}, ring, WhenFull::wait, error);
  ASSERT_TRUE(recorder) << error;
  Diagnostics diagnostics;
  const auto a = live.tuning->input("a", diagnostics);
  ASSERT_NE(a, nullptr) << diagnostics.text();
  while (recorder->event(0, "", "")) {}
  ASSERT_EQ(a->write(3), Written::taken);
  live.tuning->take(&*recorder);
  EXPECT_TRUE(live.tuning->numbers_wait());
  ASSERT_TRUE(live.runtime->step());
  EXPECT_EQ(live.number("g.y"), 0) << "what no log has is not taken";
  std::span<const std::byte> frame;
  while (ring.front(frame)) ring.pop();
  live.tuning->take(&*recorder);
  EXPECT_FALSE(live.tuning->numbers_wait());
  ASSERT_TRUE(live.runtime->step());
  EXPECT_EQ(live.number("g.y"), 6);
  ASSERT_TRUE(ring.front(frame));
  FrameHeader header;
  std::memcpy(&header, frame.data(), sizeof header);
  EXPECT_EQ(header.tick, 1);
  EXPECT_EQ(written_numbers(event_parts(header, frame.subspan(sizeof header))),
            (std::vector<WrittenNumbers>{{"a", {3}}}));
}

TEST(NumbersTimeline, AWalkBackAndForthHasTheBitsOfAStraightRun) {
  const std::vector<std::string> solvers{"", " solver=\"dopri5\"", " solver=\"rosenbrock\""};
  for (unsigned seed = 0; seed < 30; ++seed) {
    const NumbersDiagram diagram(seed, solvers[seed % 3]);
    const Live live(diagram.text()), straight(diagram.text());
    ASSERT_TRUE(live.ok() && straight.ok());
    constexpr std::int64_t ticks = 700;
    std::vector<std::vector<Outside::Change>> changes;
    std::vector<std::vector<unsigned char>> expected;
    Outside outside(seed);
    // some entries are first written late, and some are set by texts in between
    const auto act = [&](const Live& to, std::vector<std::shared_ptr<Input>>& inputs, std::int64_t k) {
      for (const Outside::Change& each : changes[static_cast<std::size_t>(k)]) {
        const NumbersDiagram::Entry& entry = diagram.entries()[each.entry];
        if (k % 50 == 13) {
          ASSERT_EQ(to.set({as_text(entry, each.numbers)}), "");
        } else if (k > static_cast<std::int64_t>(each.entry) * 90) {
          Diagnostics diagnostics;
          if (inputs[each.entry] == nullptr) inputs[each.entry] = to.tuning->input(entry.path, diagnostics);
          ASSERT_NE(inputs[each.entry], nullptr) << diagnostics.text();
          ASSERT_EQ(inputs[each.entry]->write(each.numbers), Written::taken);
        }
      }
      to.tuning->take(nullptr);
      ASSERT_TRUE(to.runtime->step());
    };
    std::vector<std::shared_ptr<Input>> of_straight(diagram.entries().size()), of_live(diagram.entries().size());
    for (std::int64_t k = 0; k < ticks; ++k) {
      changes.push_back(outside.next(diagram.entries()));
      act(straight, of_straight, k);
      expected.push_back(straight.runtime->checkpoint().bytes);
    }
    Timeline timeline(*live.runtime, *live.tuning, 20'000); // little: it has to thin out
    std::mt19937 random(seed);
    for (int turn = 0; turn < 12; ++turn) {
      const std::int64_t target = std::uniform_int_distribution<std::int64_t>(1, ticks)(random);
      if (target <= live.runtime->tick()) { ASSERT_TRUE(timeline.go_to(target)) << target; }
      while (live.runtime->tick() < target) {
        timeline.note();
        act(live, of_live, live.runtime->tick());
      }
      ASSERT_EQ(live.runtime->checkpoint().bytes, expected[static_cast<std::size_t>(target - 1)])
          << "seed " << seed << ", turn " << turn << ", tick " << target << diagram.xml();
    }
    if (live.runtime->tick() > 1) { ASSERT_TRUE(timeline.go_to(0)); }
    for (const NumbersDiagram::Entry& each : diagram.entries()) {
      const Live fresh(diagram.text());
      EXPECT_EQ(live.tuning->text_of(each.path), fresh.tuning->text_of(each.path)) << "seed " << seed << each.path;
    }
  }
}

TEST(NumbersTimeline, OnTheWayBackTheTextsAreThoseOfTheirTick) {
  const Live live(DiagramText{"texts.xml", R"(<diagram format="1" name="texts" period="1 ms">
  <input name="a" default="0"/>
  <block name="g" type="math/Gain" gain="2"/>
  <connect from="a" to="g.u"/>
</diagram>)"});
  ASSERT_TRUE(live.ok()) << live.diagram.diagnostics().text();
  Timeline timeline(*live.runtime, *live.tuning);
  Diagnostics diagnostics;
  const auto a = live.tuning->input("a", diagnostics);
  ASSERT_NE(a, nullptr) << diagnostics.text();
  for (int tick = 0; tick < 600; ++tick) {
    timeline.note();
    if (tick % 7 == 0) { ASSERT_EQ(a->write(tick), Written::taken); }
    live.tuning->take(nullptr);
    ASSERT_TRUE(live.runtime->step());
  }
  EXPECT_EQ(live.tuning->text_of("a"), "595");
  for (int tick = 599; tick > 7; tick -= 1 + tick % 3) {
    ASSERT_TRUE(timeline.go_to(tick)) << tick;
    EXPECT_EQ(live.tuning->text_of("a"), std::to_string((tick - 1) / 7 * 7)) << tick;
  }
}

TEST(NumbersTimeline, WhereTheMemoryIsFullTheWayBackBeginsLater) {
  InputPast past;
  past.make_room(64);
  const std::vector<std::uint64_t> words{1, 2};
  for (std::int64_t tick = 0; tick < 100; ++tick) past.add(tick, 0, 0, words);
  EXPECT_GE(past.begin(), 85);
  EXPECT_LE(past.begin(), 92);
  const auto kept = past.between(past.begin(), 100);
  EXPECT_EQ(kept.size(), static_cast<std::size_t>(100 - past.begin()));
  EXPECT_EQ(kept.front().tick, past.begin());
  EXPECT_EQ(kept.back().words, words);
  past.cut(95);
  EXPECT_EQ(past.between(0, 1000).back().tick, 94);
}

TEST(NumbersMemory, NothingIsAllocatedAndNothingIsKept) {
  LoggedNumbers run(R"(<diagram format="1" name="six" period="1 ms">
  <input name="a" default="0"/><input name="b" default="0 0 0 0 0"/>
  <block name="g" type="math/Gain" gain="2"/><block name="h" type="math/Gain" gain="2"/>
  <connect from="a" to="g.u"/><connect from="b" to="h.u"/>
</diagram>)");
  ASSERT_NE(run.log, nullptr);
  Diagnostics diagnostics;
  const auto a = run.live.tuning->input("a", diagnostics), b = run.live.tuning->input("b", diagnostics);
  const auto gain = run.live.tuning->input("g.gain", diagnostics);
  ASSERT_TRUE(a && b && gain) << diagnostics.text();
  std::vector<double> five(5);
  run.tick();
  const kuka::test::Allocations allocations;
  for (int k = 0; k < 2000; ++k) {
    five[static_cast<std::size_t>(k) % 5] = k;
    a->write(0.1 * k);
    b->write(five);
    gain->write(1 + 0.001 * k);
    run.tick();
  }
  EXPECT_EQ(allocations.count(), 0);
  EXPECT_EQ(run.live.tuning->taken().size(), 3u) << "one entry stands for all that was written to an input";
  for (int k = 0; k < 100; ++k) {
    a->write(k);
    run.tick();
    EXPECT_EQ(run.live.tuning->text_of("a"), decimal(k));
  }
  EXPECT_EQ(run.live.tuning->taken().size(), 3u);
  run.end();
}

/// Sums up over all ticks how far two vectors are from each other that each post sets to one value.
constexpr const char* twins = R"(<diagram format="1" name="twins" period="1 ms">
  <block name="one" type="sources/Constant" value="0 0 0 0 0 0 0 0"/>
  <block name="other" type="sources/Constant" value="0 0 0 0 0 0 0 0"/>
  <block name="level" type="sources/Constant" value="0"/>
  <block name="apart" type="math/Sum" signs="+-"/>
  <block name="size" type="math/Abs"/>
  <block name="torn" type="discrete/DiscreteIntegrator"/>
  <connect from="one.y" to="apart.u[0]"/>
  <connect from="other.y" to="apart.u[1]"/>
  <connect from="apart.y" to="size.u"/>
  <connect from="size.y" to="torn.u"/>
  <log signals="*" every="10 ms"/>
</diagram>)";

TEST(NumbersThreads, PostsAndTextsOfSeveralThreadsAreTakenWholeLoggedAndReplayed) {
  LoggedNumbers run(twins);
  ASSERT_NE(run.log, nullptr);
  Tuning& tuning = *run.live.tuning;
  std::atomic<int> posted{0};
  const auto post = [&](int first) {
    Diagnostics diagnostics;
    const auto one = tuning.input("one.value", diagnostics), other = tuning.input("other.value", diagnostics);
    if (one == nullptr || other == nullptr) {
      ADD_FAILURE() << diagnostics.text();
      return;
    }
    for (int i = 0; i < 300;) {
      const std::vector<double> numbers(8, first + i);
      const std::vector<InputNumbers> both{{one.get(), numbers}, {other.get(), numbers}};
      const Written written = tuning.post(both);
      if (written == Written::taken)
        ++i, ++posted;
      else if (written == Written::no_room)
        std::this_thread::yield();
      else
        return void(ADD_FAILURE() << one->refusal(written, numbers));
    }
  };
  const auto set = [&] {
    for (int i = 0; i < 100;) {
      Diagnostics diagnostics;
      std::string text;
      for (int k = 0; k < 8; ++k) text += std::to_string(7000 + i) + " ";
      if (tuning.post({{"one.value", text}, {"other.value", text}, {"level.value", std::to_string(i)}}, diagnostics))
        ++i;
      else if (diagnostics.text().find("live-queue") == std::string::npos)
        return void(ADD_FAILURE() << diagnostics.text());
      tuning.text_of("one.value");
    }
  };
  std::atomic<bool> over{false};
  std::thread ends([&] {
    std::thread first(post, 0), second(post, 1000), third(post, 2000), texts(set);
    for (std::thread* each : {&first, &second, &third, &texts}) each->join();
    over = true;
  });
  SimulationOptions options;
  options.interrupt = &over;
  options.tuning = &tuning;
  const SimulationResult result = simulate(*run.live.runtime, &run.log->recorder(), options);
  ends.join();
  EXPECT_EQ(posted, 900);
  std::string error;
  ASSERT_TRUE(run.log->close(result, error)) << error;
  for (std::size_t i = 0; i < 8; ++i) EXPECT_EQ(run.live.number("torn.y", i), 0) << i;
  EXPECT_EQ(replayed_otherwise(run.here.path("run.mcap")), "");
}

} // namespace
} // namespace hilda::test
