// SPDX-License-Identifier: BSD-3-Clause
// No command writes over a file that is of another kind than what it writes.
#include "program.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace hilda::test {
namespace {

using testing::HasSubstr;

constexpr const char* falling = R"(<diagram format="1" name="falling" period="1 ms">
  <block name="push" type="sources/Sine" amplitude="1 N" frequency="5 Hz"/>
  <block name="spring" type="math/Gain" gain="2 m/N"/>
  <block name="way" type="discrete/LowPass" cutoff="3 Hz"/>
  <connect from="push.y" to="spring.u"/>
  <connect from="spring.y" to="way.u"/>
</diagram>
)";

/// A command that writes `file`, and what it says that it would write.
struct Writer {
  std::string command, file, what;
};

TEST(Overwriting, OfADiagramIsRefusedByEveryCommand) {
  const Workplace here;
  here.write("falling.xml", falling);
  ASSERT_EQ(here.hilda("run falling.xml --for 0.1s --log w.mcap").exit, 0);
  const std::vector<Writer> writers = {
      {"export w.mcap --csv --out o.csv", "o.csv", "a table of comma-separated values"},
      {"export w.mcap --mat -o o.mat", "o.mat", "a MAT file"},
      {"plot w.mcap --signals way.y -o o.svg", "o.svg", "a picture"},
      {"draw falling.xml -o d.svg", "d.svg", "a picture"},
      {"report w.mcap -o o.html", "o.html", "an HTML page"},
      {"recover w.mcap -o o.mcap", "o.mcap", "a log"},
      {"describe --html -o blocks.html", "blocks.html", "an HTML page"},
      {"schema -o o.rng", "o.rng", "a schema"},
      {"schema --xsd -o o.xsd", "o.xsd", "a schema"},
      {"run falling.xml --for 0.1s --log l.mcap", "l.mcap", "a log"},
      {"run falling.xml --for 0.1s --no-log --summary s.json", "s.json", "JSON"},
      {"linearize falling.xml --from push.y --to way.y --out lin", "lin_B.csv", "a table of comma-separated values"},
      {"linearize falling.xml --from push.y --to way.y --out lin --bode b.svg", "b.svg", "a picture"}};
  for (const Writer& each : writers) {
    const Result first = here.hilda(each.command), again = here.hilda(each.command);
    EXPECT_EQ(first.exit, 0) << each.command << "\n" << first.err;
    EXPECT_EQ(again.exit, 0) << each.command << ": it replaces its own output\n" << again.err;
    here.write(each.file, falling);
    const Result refused = here.hilda(each.command);
    EXPECT_EQ(refused.exit, 64) << each.command;
    EXPECT_THAT(refused.err, HasSubstr(each.file + " is a diagram, and would be overwritten by " + each.what))
        << each.command;
    EXPECT_THAT(refused.err, HasSubstr("help: name another file, or remove that one first")) << each.command;
    EXPECT_EQ(here.read(each.file), falling) << each.command;
    std::filesystem::remove(here / each.file);
  }
}

TEST(Overwriting, OfADiagramByAnOverlayIsRefusedWhileItRuns) {
  const Workplace here;
  here.write("falling.xml", falling);
  here.write("other.xml", falling);
  here.write("script.txt", "step\nset spring.gain=3m/N\nsave other.xml\nquit\n");
  const Result run = here.hilda("run falling.xml --for 1s --console --no-log", "", "< script.txt");
  EXPECT_THAT(run.err, HasSubstr("other.xml is a diagram, and would be overwritten by an overlay"));
  EXPECT_EQ(here.read("other.xml"), falling);
  EXPECT_EQ(run.exit, 2) << run.out << run.err;
}

} // namespace
} // namespace hilda::test
