// SPDX-License-Identifier: BSD-3-Clause
// Layouts next to a diagram: kept and dropped one by one, also if another program writes the file, and in no other
// place.
#include "tools/studio/layout_file.h"

#include "tests/folder.h"
#include "tests/modules.h"

#include <filesystem>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace hilda::test {
namespace {

using studio::LayoutFile;
using OrderedJson = studio::Json;
using ::testing::HasSubstr;

const OrderedJson scopes = OrderedJson::parse(R"([{"names": ["a.y"], "limits": [], "span": 5, "view": "time"}])");
constexpr const char* kept = ".hilda/loop.layouts.json";

class Layouts : public ::testing::Test {
protected:
  OrderedJson ask(const std::string& op, const OrderedJson& request = OrderedJson::object(),
                  bool writable = true) const {
    return *LayoutFile(folder.path("loop.xml"), writable).answer(op, request);
  }
  OrderedJson keep(const std::string& name) const { return ask("keep_layout", {{"name", name}, {"scopes", scopes}}); }

  Folder folder;
};

TEST_F(Layouts, AreKeptInAFileNextToTheDiagramOneByOne) {
  EXPECT_EQ(ask("layouts")["layouts"], OrderedJson::object());
  EXPECT_FALSE(std::filesystem::exists(folder.path(".hilda")));
  EXPECT_EQ(keep("error")["ok"], true);
  EXPECT_EQ(keep("\xc3\xa4rger")["ok"], true);
  const OrderedJson all = ask("layouts");
  EXPECT_EQ(all["file"], kept);
  EXPECT_EQ(all["writable"], true);
  EXPECT_EQ(all["layouts"]["error"], scopes);
  EXPECT_EQ(OrderedJson::parse(folder.read(kept))["format"], 1);
  EXPECT_EQ(ask("drop_layout", {{"name", "error"}})["layouts"].size(), 1);
  EXPECT_EQ(ask("drop_layout", {{"name", "error"}})["error"], "there is no layout 'error'");
  EXPECT_EQ(LayoutFile("loop.xml", true).answer("edit", {}), std::nullopt);
}

TEST_F(Layouts, OfAnotherProgramStay) {
  keep("mine");
  OrderedJson all = OrderedJson::parse(folder.read(kept));
  all["layouts"]["theirs"] = scopes;
  folder.write(kept, all.dump());
  EXPECT_EQ(keep("mine")["layouts"].size(), 2);
}

TEST_F(Layouts, AFileThatIsNoneIsReportedAndStays) {
  folder.write(kept, "{\"format\": 1,\n \"layouts\": {,}}");
  for (const OrderedJson& reply : {ask("layouts"), keep("mine"), ask("drop_layout", {{"name", "mine"}})}) {
    EXPECT_EQ(reply["ok"], false);
    EXPECT_EQ(reply["error"], std::string(kept) + ":2: it is not JSON");
    EXPECT_EQ(reply["help"], "mend the file, or remove it; nothing is written before that");
  }
  EXPECT_EQ(folder.read(kept), "{\"format\": 1,\n \"layouts\": {,}}");
  for (const char* text : {"[]", "{}", R"({"format": 2, "layouts": {}})", R"({"format": 1, "layouts": []})"}) {
    folder.write(kept, text);
    EXPECT_EQ(keep("mine")["error"], std::string(kept) + R"(: it is not {"format": 1, "layouts": {"NAME": [..]}})");
    EXPECT_EQ(folder.read(kept), text);
  }
}

TEST_F(Layouts, NothingOutsideOfTheFolderIsReadOrWritten) {
  const Folder other;
  other.write("loop.layouts.json", R"({"format": 1, "layouts": {"secret": []}})");
  std::filesystem::create_directory_symlink(other.path(), folder.path(".hilda"));
  for (const OrderedJson& reply : {ask("layouts"), keep("mine")})
    EXPECT_THAT(reply["error"].get<std::string>(), HasSubstr("leads out of the diagram's folder"));
  std::filesystem::remove(folder.path(".hilda"));
  std::filesystem::create_directory(folder.path(".hilda"));
  std::filesystem::create_symlink(other.path("loop.layouts.json"), folder.path(kept));
  EXPECT_EQ(ask("layouts")["ok"], false);
  EXPECT_EQ(keep("mine")["ok"], false);
  EXPECT_THAT(other.read("loop.layouts.json"), HasSubstr("secret"));
  std::filesystem::remove(folder.path(kept));
  EXPECT_EQ(keep("../../evil")["ok"], true); // a name, and no path
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder.path(".hilda")), {}), 1);
}

TEST_F(Layouts, MoreThanThereIsRoomForAreRefusedAndTheFileStays) {
  constexpr std::size_t most = 200, most_bytes = std::size_t{4} << 20;
  OrderedJson all{{"format", 1}, {"layouts", OrderedJson::object()}};
  for (std::size_t i = 0; i < most; ++i) all["layouts"]["layout " + std::to_string(i)] = scopes;
  folder.write(kept, all.dump());
  const OrderedJson many = keep("one more");
  ASSERT_EQ(many["ok"], false);
  EXPECT_EQ(many["error"], std::string(kept) + " has 200 layouts, and 200 is the most");
  EXPECT_EQ(many["help"], "remove one");
  EXPECT_EQ(keep("layout 7")["ok"], true) << "it is there already";
  const std::string before = folder.read(kept);
  const OrderedJson large{{"name", "layout 7"}, {"scopes", OrderedJson::array({std::string(most_bytes, 'a')})}};
  const OrderedJson refused = ask("keep_layout", large);
  ASSERT_EQ(refused.count("error"), 1) << "it was written";
  EXPECT_EQ(refused["error"], std::string(kept) + " would have more than 4 MB");
  EXPECT_EQ(folder.read(kept), before);
}

TEST_F(Layouts, WhatCannotBeMeantIsRefused) {
  EXPECT_EQ(ask("keep_layout", {{"name", ""}, {"scopes", scopes}})["error"],
            "a layout has a name of 200 bytes at most");
  EXPECT_EQ(ask("keep_layout", {{"name", "a"}, {"scopes", 1}})["error"], "'scopes' is a list");
  EXPECT_EQ(ask("keep_layout", {{"name", "a"}, {"scopes", scopes}}, false)["error"], "this run keeps no layouts");
  EXPECT_EQ(ask("drop_layout", {{"name", "a"}}, false)["error"], "this run keeps no layouts");
  EXPECT_EQ(ask("layouts", {}, false)["writable"], false);
  EXPECT_FALSE(std::filesystem::exists(folder.path(".hilda")));
}

} // namespace
} // namespace hilda::test
