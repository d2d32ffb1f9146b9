// SPDX-License-Identifier: BSD-3-Clause
// Views that are sent as changes: a client that applies them has the whole view.
#include "tests/modules.h"
#include "tests/studio/edit_bench.h"
#include "tests/studio/told_changes.h"
#include "tools/studio/detail/desks/list_changes.h"
#include "tools/studio/detail/edit/seen_views.h"

#include <gmock/gmock.h>

namespace hilda::test {
namespace {

/// What a page has of a view.
struct SeenPage {
  Json view = Json::object();
  bool told_changes = false;

  void look(EditBench& bench) {
    Json reply = bench.ask("view", {{"since", view.value("number", 0LL)}});
    told_changes = reply.contains("changes");
    if (!told_changes) {
      view = std::move(reply);
      return;
    }
    const Json changes = reply["changes"];
    view["number"] = reply["number"];
    for (const char* list : {"elements", "wires"})
      if (changes.contains(list)) change(view[list], changes[list]);
    if (changes.contains("scene")) change_scene(view["scene"], changes["scene"]);
  }
};

void expect_whole(EditBench& bench, const SeenPage& page, const std::string& after) {
  const Json whole = bench.ask("view");
  for (const char* key : {"elements", "wires", "scene"}) EXPECT_EQ(page.view[key], whole[key]) << after << ": " << key;
}

TEST(SeenViews, AreKeptUpByWhatHasChanged) {
  const std::vector<std::string> edits{"set spring.gain=41\\_N/m",
                                       "disconnect damper.y sum.u[2]",
                                       "connect damper.y sum.u[2]",
                                       "add math/Gain more gain=2 then connect position.y more.u",
                                       "rename more other",
                                       "remove slow",
                                       "set damper.ui.x=60 then set damper.ui.y=300",
                                       "group velocity position as motion",
                                       "set force.value=2\\_m",
                                       "remove other"};
  EditBench bench;
  SeenPage always, late;
  always.look(bench);
  EXPECT_FALSE(always.told_changes);
  late.look(bench);
  std::size_t told = 0, step = 0;
  for (const std::string& edit : edits) {
    ASSERT_TRUE(bench.edit(edit)["ok"]) << edit;
    always.look(bench);
    told += always.told_changes ? 1 : 0;
    expect_whole(bench, always, edit);
    if (++step % 3 != 0) continue;
    late.look(bench);
    EXPECT_FALSE(late.told_changes) << "three edits behind";
    expect_whole(bench, late, edit);
  }
  EXPECT_EQ(told, edits.size());
}

TEST(SeenViews, OfASecondPageAreToldByChangesToo) {
  EditBench bench;
  SeenPage one, other;
  one.look(bench);
  other.look(bench);
  for (const char* edit : {"set spring.gain=41\\_N/m", "set spring.gain=42\\_N/m", "remove slow"}) {
    ASSERT_TRUE(bench.edit(edit)["ok"]);
    for (SeenPage* page : {&one, &other}) {
      page->look(bench);
      EXPECT_TRUE(page->told_changes) << edit;
      expect_whole(bench, *page, edit);
    }
  }
  one.look(bench);
  EXPECT_TRUE(one.told_changes) << "nothing has changed";
}

TEST(SeenViews, OfAValueAmongManyBlocksAreShort) {
  std::string many = R"(<diagram format="1" name="many" period="1 ms">)";
  for (int i = 0; i < 200; ++i)
    many += "\n  <block name=\"b" + std::to_string(i) + "\" type=\"sources/Constant\" value=\"1\"/>";
  EditBench bench(many + "\n</diagram>\n");
  SeenPage page;
  page.look(bench);
  ASSERT_TRUE(bench.edit("set b7.value=2")["ok"]);
  const Json reply = bench.ask("view", {{"since", page.view["number"]}});
  ASSERT_TRUE(reply.contains("changes"));
  EXPECT_LT(reply.dump().size(), 4000U);
  const Json stale = bench.ask("view", {{"since", 1}});
  EXPECT_FALSE(stale.contains("changes")) << "a number of another server";
}

TEST(SeenViews, ListsAreMadeOutOfThoseOfBefore) {
  const Json lists = Json::parse(
      R"([[], [{"a":1,"net":0}], [{"a":1,"net":4,"line":9},{"a":2,"net":5,"line":7},{"a":3,"net":9,"line":8}],
    [{"a":1,"net":2,"line":10},{"a":2,"net":3,"line":8},{"a":3,"net":9,"line":3}], [{"a":2,"net":3,"line":8}], [{"a":1,"net":null}], [{"a":1,"net":0},{"a":2,"net":1}], [{"a":2,"net":0}],
    [{"a":3,"net":0},{"a":1,"net":1},{"a":2,"net":2},{"a":4,"net":3}], [{"a":3,"net":0},{"a":4,"net":1}], [{"a":4},{"a":3}]])");
  for (const Json& from : lists)
    for (const Json& to : lists) {
      Json kept = from, page = from;
      change(page, studio::list_changes(kept, to));
      EXPECT_EQ(page, to) << from;
      EXPECT_EQ(kept, to) << from;
    }
}

} // namespace
} // namespace hilda::test
