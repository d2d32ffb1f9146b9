// SPDX-License-Identifier: BSD-3-Clause
// Limits, qualities, lists of signals: elements that have no name are found by what they are for.
#include "tests/edit/edited.h"

namespace hilda::test {
namespace {

constexpr const char* nameless_text = R"(<diagram format="1">
  <block name="a" type="math/Gain" gain="1"/>
  <limits on="peer.values" mode="sim" speed="1 m/s"/>
  <limits on="peer.values" mode="hardware" speed="2 m/s"/>
  <quality on="peer.place" noise="1 mm"/>
  <live path="a.gain" rate="1 1/s"/>
  <log signals="a.* b" every="1 s"/>
  <figure title="Forces and so on" signals="a.y"/>
  <realtime priority="70"/>
  <subsystem name="part">
    <block name="inner" type="math/Gain" gain="1"/>
    <live path="inner.gain" rate="3 1/s"/>
  </subsystem>
</diagram>
)";

/// The line that differs.
std::string changed_line(const std::string& operation) {
  std::istringstream before(nameless_text), after(edited(nameless_text, operation));
  for (std::string old, now; std::getline(before, old);)
    if (!std::getline(after, now) || now != old) return now;
  return "nothing";
}

TEST(EditNameless, ElementsWithoutANameAreFoundByWhatTheyAreFor) {
  EXPECT_EQ(changed_line("set limits:peer.values@hardware.speed=3\\_m/s"),
            R"(  <limits on="peer.values" mode="hardware" speed="3 m/s"/>)");
  EXPECT_EQ(changed_line("set quality:peer.place.noise=2\\_mm"), R"(  <quality on="peer.place" noise="2 mm"/>)");
  EXPECT_EQ(changed_line("set live:a.gain.rate=2\\_1/s"), R"(  <live path="a.gain" rate="2 1/s"/>)");
  EXPECT_EQ(changed_line("set live:inner.gain.rate=2\\_1/s"), R"(    <live path="inner.gain" rate="2 1/s"/>)");
  EXPECT_EQ(changed_line("set log:a.*\\_b.every=2\\_s"), R"(  <log signals="a.* b" every="2 s"/>)");
  EXPECT_EQ(changed_line("unset log:a.*\\_b.every"), R"(  <log signals="a.* b"/>)");
  EXPECT_EQ(changed_line("set figure:Forces\\_and\\_so\\_on.signals=a.u"),
            R"(  <figure title="Forces and so on" signals="a.u"/>)");
  EXPECT_EQ(changed_line("set realtime:priority=80"), R"(  <realtime priority="80"/>)");
  EXPECT_EQ(changed_line("remove limits:peer.values@sim"),
            R"(  <limits on="peer.values" mode="hardware" speed="2 m/s"/>)");
  EXPECT_EQ(changed_line("remove realtime:"), R"(  <subsystem name="part">)");
}

TEST(EditNameless, AnElementWithoutANameThatIsNotThereOrTwiceIsRefused) {
  EXPECT_EQ(refusal(nameless_text, "set limits:peer.values.speed=3\\_m/s"),
            "test.xml:3: error[edit-ambiguous]: 'limits:peer.values' names more than one thing\n"
            "  test.xml:3: one of them is here\n"
            "  test.xml:4: one of them is here\n"
            "  help: write limits:peer.values@sim or limits:peer.values@hardware\n");
  EXPECT_EQ(refusal(nameless_text, "set live:a.gian.rate=2"),
            "test.xml:1: error[edit-unknown]: no <live> is called 'live:a.gian'\n"
            "  help: did you mean 'a.gain'?\n");
  EXPECT_EQ(refusal("<diagram format=\"1\"/>", "remove quality:a.y"),
            "test.xml:1: error[edit-unknown]: no <quality> is called 'quality:a.y'\n"
            "  help: add quality adds one\n");
  EXPECT_EQ(refusal(nameless_text, "set figure:signals=a.y"),
            "command line: error[edit-usage]: 'figure:signals' names no attribute\n"
            "  help: write figure:KEY.ATTRIBUTE, where KEY is what its title says\n");
  EXPECT_EQ(refusal(nameless_text, "set live:a.gain.ra!te=2"),
            "test.xml:1: error[edit-bad-name]: 'ra!te' is not a name of an attribute\n"
            "  help: it is letters, digits and '_', and does not begin with a digit\n");
}

} // namespace
} // namespace hilda::test
