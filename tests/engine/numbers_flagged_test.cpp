// SPDX-License-Identifier: BSD-3-Clause
// NaN is found by the processor's marks. The value and the tick must be those that a look at every value finds:
// here by diagrams into which a machine puts blocks that spoil a signal, each in one of many ways.

#include "tests/engine/loop.h"
#include "tests/project_folders.h"
#include "tests/standard_plugins.h"

#include <fstream>
#include <gtest/gtest.h>
#include <iterator>
#include <random>
#include <regex>

namespace hilda::test {
namespace {

const Catalogue& blocks_and_probes() {
  return standard_plugins({"sources", "math", "discrete", "continuous", "routing", "sinks", "contact", "dynamics",
                           "estimation", "kinematics", "passivity", "emulation", "tests/engine/plugins/probes.so"})
      .catalogue();
}

std::string read(const std::string& file) {
  std::ifstream stream(file);
  return {std::istreambuf_iterator<char>(stream), {}};
}

/// A diagram as text, and the file in whose folder it is loaded.
struct Source {
  std::string file, text;
};

Source shipped(const std::string& name) {
  const std::string file = source_folder() + "/diagrams/" + name + ".xml";
  return {file, read(file)};
}
Source every_block() {
  const std::string file = source_folder() + "/tests/blocks/every_block.xml";
  return {file, read(file)};
}
Source with_guards() {
  return {"test.xml", "<diagram format=\"1\" name=\"test\" period=\"1 ms\">\n" + everything() + "</diagram>\n"};
}

/// How a run went, all that must not depend on where NaN is looked for.
struct FlaggedRun {
  bool loaded = false;
  Ending ending;
  std::int64_t ticks = 0;
  std::vector<unsigned char> outputs;
  std::int64_t whole_looks = 0;
};

FlaggedRun run(const Source& source, bool every_value, std::int64_t ticks) {
  FlaggedRun course;
  LoadOptions options;
  options.mode = "sim";
  options.library_path = {source_folder() + "/diagrams"};
  LoadedDiagram diagram(blocks_and_probes(), DiagramText{source.file, source.text}, options);
  if (!diagram.has_system()) return course;
  RuntimeOptions how;
  how.every_value = every_value;
  const std::unique_ptr<Runtime> runtime = start_runtime(diagram, how);
  if (runtime == nullptr) return course;
  course.loaded = true;
  while (runtime->tick() < ticks && runtime->step()) {}
  course.ending = runtime->ending();
  course.ticks = runtime->tick();
  course.whole_looks = runtime->watch().whole_looks();
  for (const SystemSignal& signal : runtime->signals()) {
    const auto* data = static_cast<const unsigned char*>(signal.span.data);
    course.outputs.insert(course.outputs.end(), data, data + signal.span.bytes());
  }
  runtime->stop();
  return course;
}

void expect_alike(const FlaggedRun& by_marks, const FlaggedRun& by_values, const std::string& what) {
  EXPECT_EQ(by_marks.ending.kind, by_values.ending.kind) << what;
  EXPECT_EQ(by_marks.ending.tick, by_values.ending.tick) << what;
  EXPECT_EQ(by_marks.ending.block, by_values.ending.block) << what;
  EXPECT_EQ(by_marks.ending.signal, by_values.ending.signal) << what;
  EXPECT_EQ(by_marks.ending.text, by_values.ending.text) << what;
  EXPECT_EQ(by_marks.ticks, by_values.ticks) << what;
  EXPECT_EQ(by_marks.outputs, by_values.outputs) << what;
}

/// Puts blocks of tests/engine/probes into wires of a diagram, drawn by chance.
class Spoiler {
public:
  Spoiler(Source source, std::int64_t ticks, unsigned seed)
      : source_(std::move(source)), ticks_(static_cast<std::size_t>(ticks)), random_(seed), what_(source_.file) {
    if (pick(5) == 0)
      replace_wire("<block name='spoiler' type='probes/SpoiltDevice'" + tick("from") + "/>", "");
    else
      replace_wire(spoiler(), "<connect from='SOURCE' to='spoiler.u'/>");
    if (pick(3) == 0)
      replace_wire("<block name='clearer' type='probes/Spoil' clears='true'/>",
                   "<connect from='SOURCE' to='clearer.u'/>", "clearer");
  }
  const Source& source() const { return source_; }
  /// For the message of a failure.
  const std::string& what() const { return what_; }

private:
  std::size_t pick(std::size_t count) { return std::uniform_int_distribution<std::size_t>(0, count - 1)(random_); }
  std::string tick(const std::string& name) { return " " + name + "='" + std::to_string(pick(ticks_)) + "'"; }

  std::string spoiler() {
    static const std::vector<std::string> marked{"zero_by_zero", "difference", "root", "pole",       "overflow",
                                                 "huge",         "zero",       "huge", "false_alarm"};
    static const std::vector<std::string> unmarked{"literal", "infinity", "cleared", "restored"};
    const bool flagged = pick(2) == 0;
    const std::vector<std::string>& ways = flagged || pick(3) == 0 ? marked : unmarked;
    std::string block = std::string("<block name='spoiler' type='probes/") + (flagged ? "FlaggedSpoil" : "Spoil") + "'";
    block += tick("from") + " how='" + ways[pick(ways.size())] + "' element='" + std::to_string(pick(7)) + "'";
    if (pick(3) == 0) block += " inside='true'";
    if (pick(3) == 0) block += tick("until");
    return block + "/>";
  }

  /// One of the wires comes from block `name` instead; `feed` drives that block from the wire's SOURCE.
  void replace_wire(const std::string& block, std::string feed, const std::string& name = "spoiler") {
    static const std::regex wire("<connect from=[\"']([^\"']*)[\"'] to=[\"']([^\"']*)[\"']/>");
    const auto begin = std::sregex_iterator(source_.text.begin(), source_.text.end(), wire);
    const auto count = static_cast<std::size_t>(std::distance(begin, std::sregex_iterator()));
    const std::smatch match = *std::next(begin, static_cast<std::ptrdiff_t>(pick(count)));
    if (const std::size_t at = feed.find("SOURCE"); at != feed.npos) feed.replace(at, 6, match[1].str());
    const std::string instead = block + feed + "<connect from='" + name + ".y' to='" + match[2].str() + "'/>";
    what_ += "\n" + instead;
    source_.text.replace(static_cast<std::size_t>(match.position(0)), static_cast<std::size_t>(match.length(0)),
                         instead);
  }

  Source source_;
  std::size_t ticks_;
  std::mt19937 random_;
  std::string what_;
};

struct Counted {
  int loaded = 0, failed = 0;
};

Counted compare(const Source& source, int rounds, std::int64_t ticks, unsigned seed) {
  Counted counted;
  for (int round = 0; round < rounds; ++round) {
    const Spoiler spoiler(source, ticks, seed * 10'000 + static_cast<unsigned>(round));
    const FlaggedRun by_marks = run(spoiler.source(), false, ticks);
    if (!by_marks.loaded) continue; // a boolean wire, a shape that is not given
    ++counted.loaded;
    const FlaggedRun by_values = run(spoiler.source(), true, ticks);
    if (by_values.ending.kind == Ending::Kind::failed) ++counted.failed;
    expect_alike(by_marks, by_values, "round " + std::to_string(round) + " of " + spoiler.what());
  }
  return counted;
}

TEST(NumbersFlagged, HaveTheCulpritAndTheTickThatALookAtEveryValueFinds) {
  const Counted all = compare(every_block(), 160, 60, 1);
  EXPECT_GT(all.loaded, 60);
  EXPECT_GT(all.failed, 30);
}

TEST(NumbersFlagged, AlsoUnderGuardsAtSeveralRatesAndInContinuousBlocks) {
  const Counted all = compare(with_guards(), 160, 60, 2);
  EXPECT_GT(all.loaded, 60);
  EXPECT_GT(all.failed, 30);
}

TEST(NumbersFlagged, AlsoInTheShippedDiagrams) {
  unsigned seed = 3;
  Counted sum;
  for (const char* name : {"pida", "tdpa_full", "dac_ledger", "emulation_two_link", "acc"}) {
    const Counted some = compare(shipped(name), 16, 80, seed++);
    EXPECT_GT(some.loaded, 3) << name;
    sum.loaded += some.loaded, sum.failed += some.failed;
  }
  EXPECT_GT(sum.failed, 15);
}

/// What comes out of the line is copied: no mark shows it.
TEST(NumbersFlagged, FindAnInfinityThatHasWaitedInADelayLineAlsoOfACheckpoint) {
  const std::string body = R"(<block name="clock" type="sources/Clock"/>
<block name="spoil" type="probes/FlaggedSpoil" how="pole" from="5" until="6"/>
<block name="line" type="discrete/Delay" samples="10"/>
<block name="held" type="discrete/UnitDelay"/>
<connect from="clock.time" to="spoil.u"/>
<connect from="spoil.y" to="line.u"/>
<connect from="line.y" to="held.u"/>
)";
  Loop first(body), fresh(body);
  first.run(10);
  ASSERT_TRUE(fresh.runtime().restore(first.runtime().checkpoint()));
  for (Loop* loop : {&first, &fresh}) {
    loop->run(40);
    EXPECT_EQ(loop->runtime().ending().block, "held");
    EXPECT_EQ(loop->runtime().ending().tick, 15);
  }
}

/// Or all of the above would hold of a look at every value.
TEST(NumbersFlagged, AreNotLookedAtWithoutAMark) {
  for (const char* name : {"pida", "acc"}) {
    const FlaggedRun course = run(shipped(name), false, 400);
    ASSERT_TRUE(course.loaded) << name;
    EXPECT_LT(course.whole_looks, 40) << name;
  }
  EXPECT_EQ(run(shipped("pida"), true, 100).whole_looks, 100);
}

} // namespace
} // namespace hilda::test
