// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "tests/edit/edited.h"
#include "tests/folder.h"
#include "tests/modules.h"
#include "tests/standard_plugins.h"
#include "tests/studio/served.h"
#include "tools/studio/editing.h"

#include <chrono>
#include <memory>
#include <string>
#include <thread>

namespace hilda::test {

using studio::Editing;
using studio::Json;

/// "remove a then set b.gain=2\\_N/m" as a request has it; "\\_" is a blank within a word.
inline Json operations(const std::string& text) {
  Json all = Json::array({Json::array()});
  for (const std::string& word : words(text)) {
    if (word == "then")
      all.push_back(Json::array());
    else
      all.back().push_back(word);
  }
  return all;
}

/// A folder with a diagram, and who edits it.
struct EditBench {
  explicit EditBench(const std::string& text = tuned_loop) {
    folder.write("loop.xml", text);
    open();
  }
  void open() {
    editing.reset();
    Editing::Options options;
    options.file = folder.path("loop.xml");
    options.tell = [this](const Json& message) { told = message; };
    editing = std::make_unique<Editing>(all_plugins().catalogue(), std::move(options));
  }
  Json ask(const std::string& op, Json request = Json::object()) { return *editing->answer(op, request); }
  int revision(const std::string& document = "") {
    const Json reply = ask("documents");
    for (const Json& each : reply["documents"])
      if (document.empty() || each["document"] == document) return each["revision"];
    return 0;
  }
  Json edit(const std::string& text, const std::string& document = "") { return edit_by(operations(text), document); }
  Json edit_by(const Json& list, const std::string& document = "") {
    return ask("edit", {{"document", document}, {"revision", revision(document)}, {"operations", list}});
  }
  Json element(const std::string& name) {
    const Json view = ask("view");
    for (const Json& each : view["elements"])
      if (each["name"] == name) return each;
    return nullptr;
  }
  bool journal() const { return folder.size(".loop.xml.edits") > 0; }

  Folder folder;
  Json told;
  std::unique_ptr<Editing> editing;
};

/// Behind it is looked at the disk again.
inline constexpr std::chrono::milliseconds a_while{320};

inline void look_after_a_while(EditBench& bench) {
  std::this_thread::sleep_for(a_while);
  bench.editing->look();
}

/// A change counts once two looks have seen the same.
inline void look_twice(EditBench& bench) {
  look_after_a_while(bench);
  look_after_a_while(bench);
}

inline std::string replaced(std::string text, const std::string& what, const std::string& by) {
  return text.replace(text.find(what), what.size(), by);
}

} // namespace hilda::test
