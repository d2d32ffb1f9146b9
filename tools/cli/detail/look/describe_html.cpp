// SPDX-License-Identifier: BSD-3-Clause
#include "tools/cli/detail/look/describe_html.h"

#include "tools/cli/block_text.h"
#include "tools/cli/version.h"
#include "tools/graphics/content_policy.h"

#include <algorithm>
#include <fmt/format.h>

namespace hilda::cli {
namespace {

constexpr const char* style = R"css(
:root { color-scheme: light dark; --ink: #1c2024; --soft: #5b6570; --line: #d9dee3; --fill: #f5f7f9; --link: #0b5394;
  --ground: #fff; --border: #9aa5b1; }
@media screen and (prefers-color-scheme: dark) {
  :root { --ink: #e6e9ee; --soft: #a3adba; --line: #3d4653; --fill: #1d232b; --link: #7db8ef; --ground: #14181d;
    --border: #77828f; }
}
* { box-sizing: border-box; }
html { scroll-padding-top: 1rem; }
body { margin: 0; color: var(--ink); background: var(--ground); font: 15px/1.45 "DejaVu Sans", Arial, sans-serif; }
a { color: var(--link); text-decoration: none; }
a:hover { text-decoration: underline; }
code, .type, td.name, td.unit, td.shape { font-family: "DejaVu Sans Mono", Consolas, monospace; font-size: .92em; }
nav { position: fixed; top: 0; bottom: 0; left: 0; width: 19rem; overflow-y: auto; padding: 1rem;
  background: var(--fill); border-right: 1px solid var(--line); }
nav h2 { font-size: 1rem; margin: 1rem 0 .2rem; }
nav ul { list-style: none; margin: 0; padding: 0 0 0 .6rem; }
nav input { width: 100%; padding: .4rem; font: inherit; color: inherit; background: var(--ground);
  border: 1px solid var(--border); border-radius: 4px; }
nav p { margin: .3rem 0; color: var(--soft); font-size: .87em; }
main { margin-left: 19rem; padding: 1rem 2rem 4rem; max-width: 72rem; }
h1 { font-size: 1.7rem; margin: .3rem 0; }
main > section > h2 { font-size: 1.35rem; border-bottom: 2px solid var(--ink); margin: 2.2rem 0 .4rem; }
article { padding: .9rem 0 1.1rem; border-bottom: 1px solid var(--line); }
article h3 { font-size: 1.1rem; margin: 0 0 .3rem; }
article h4 { font-size: .95rem; margin: .9rem 0 .2rem; }
p { margin: .3rem 0; }
.doc { white-space: pre-line; max-width: 60rem; }
.soft { color: var(--soft); font-size: .9em; }
table { border-collapse: collapse; width: 100%; table-layout: fixed; }
th:nth-child(1) { width: 21%; } th:nth-child(2) { width: 13%; } th:nth-child(3) { width: 9%; } th:nth-child(5) { width: 23%; }
th, td { text-align: left; vertical-align: top; padding: .25rem .8rem .25rem 0; border-top: 1px solid var(--line); }
th { color: var(--soft); font-weight: normal; font-size: .87em; border-top: none; padding-bottom: 0; }
td { overflow-wrap: anywhere; }
td.name { font-weight: bold; }
pre { background: var(--fill); border: 1px solid var(--line); border-radius: 4px; padding: .5rem .7rem; margin: .6rem 0 0;
  white-space: pre-wrap; font: .87em/1.4 "DejaVu Sans Mono", Consolas, monospace; }
[hidden] { display: none; }
.needs-script { display: none; }
@media (max-width: 55rem) {
  nav { position: static; width: auto; border-right: none; border-bottom: 1px solid var(--line); }
  main { margin-left: 0; padding: 1rem; }
}
@media print {
  nav { display: none; }
  main { margin: 0; padding: 0; max-width: none; }
  body { font-size: 9.5pt; }
  article { break-inside: avoid; }
  h2, h3, h4 { break-after: avoid; }
  a { color: inherit; }
}
)css";

constexpr const char* script = R"js(
const field = document.getElementById("search"), count = document.getElementById("count");
document.querySelectorAll(".needs-script").forEach((e) => e.classList.remove("needs-script"));
const blocks = [...document.querySelectorAll("article")].map((article) => ({
  article, entry: document.getElementById("to-" + article.id), text: article.textContent.toLowerCase(),
}));
const groups = [...document.querySelectorAll("main > section, nav section")];
function search() {
  const words = field.value.toLowerCase().split(/\s+/).filter(Boolean);
  let found = 0;
  for (const block of blocks) {
    const hit = words.every((word) => block.text.includes(word));
    block.article.hidden = block.entry.hidden = !hit;
    found += hit;
  }
  for (const group of groups) group.hidden = !group.querySelector("article:not([hidden]), li:not([hidden])");
  count.textContent = words.length ? found + " of " + blocks.length + " blocks" : "";
}
field.addEventListener("input", search);
addEventListener("keydown", (event) => {
  if (event.key === "/" && document.activeElement !== field) { event.preventDefault(); field.focus(); }
  if (event.key === "Escape") { field.value = ""; search(); }
});
search();
)js";

std::string escaped(const std::string& text) {
  std::string made;
  for (const char c : text) {
    switch (c) {
    case '&': made += "&amp;"; break;
    case '<': made += "&lt;"; break;
    case '>': made += "&gt;"; break;
    case '"': made += "&quot;"; break;
    default: made += c;
    }
  }
  return made;
}

std::string anchor(const BlockType& type) {
  std::string made = type.name;
  std::replace(made.begin(), made.end(), '/', '.');
  return made;
}

std::string bare_name(const BlockType& type) { return type.name.substr(type.name.find('/') + 1); }

std::string table(const BlockType& type, const char* title, hilda_role role, const char* traits) {
  std::string rows;
  for (const Slot& slot : type.slots) {
    if (slot.role != role) continue;
    const SlotText text = slot_text(type, slot);
    rows += fmt::format("<tr><td class=\"name\">{}</td><td class=\"shape\">{}</td><td "
                        "class=\"unit\">{}</td><td>{}</td><td>{}</td></tr>\n",
                        escaped(text.name), escaped(text.shape), escaped(text.unit), escaped(slot.doc),
                        escaped(text.traits));
  }
  if (rows.empty()) return {};
  return fmt::format(
      "<h4>{}</h4>\n<table>\n<tr><th>Name</th><th>Shape</th><th>Unit</th><th>Meaning</th><th>{}</th></tr>"
      "\n{}</table>\n",
      title, traits, rows);
}

/// What must be given, as one writes it.
std::string example(const BlockType& type) {
  std::string name = bare_name(type), text;
  for (std::size_t i = 0; i < name.size(); ++i) {
    const bool upper = name[i] >= 'A' && name[i] <= 'Z';
    if (upper && i > 0 && (name[i - 1] < 'A' || name[i - 1] > 'Z')) text += '_';
    text += upper ? static_cast<char>(name[i] - 'A' + 'a') : name[i];
  }
  text = "<block name=\"" + text + "\" type=\"" + type.name + "\"";
  for (const Slot& slot : type.slots)
    if (slot.role == HILDA_PARAMETER && !slot.initial) text += " " + slot.name + "=\"...\"";
  return text + "/>";
}

std::string article(const BlockType& type) {
  std::string text =
      fmt::format("<article id=\"{}\">\n<h3 class=\"type\"><a href=\"#{}\">{}</a></h3>\n<p class=\"doc\">{}</p>\n",
                  anchor(type), anchor(type), escaped(type.name), escaped(type.doc));
  text += table(type, "Inputs", HILDA_INPUT, "Behaviour");
  text += table(type, "Outputs", HILDA_OUTPUT, "Behaviour");
  text += table(type, "Parameters", HILDA_PARAMETER, "Value");
  text += table(type, "States", HILDA_STATE, "Kind");
  for (const std::string& line : parted_port_texts(type)) text += "<p class=\"soft\">" + escaped(line) + "</p>\n";
  if ((type.abi->flags & HILDA_REALTIME_UNSAFE) != 0)
    text += "<p class=\"soft\">Not for real time: it may allocate or wait in the loop.</p>\n";
  if ((type.abi->flags & HILDA_EXTERNAL_STATE) != 0)
    text += "<p class=\"soft\">Keeps state outside of the engine's memory.</p>\n";
  return text + "<pre>" + escaped(example(type)) + "</pre>\n</article>\n";
}

constexpr const char* legend =
    "<p class=\"soft\">A letter in a shape is any size, the same wherever it is in a block; wires and parameters "
    "decide it. <code>@u</code> is any unit; it is the same wherever the name occurs in the block. <code>name[]</code> "
    "is "
    "wired as <code>name[0]</code>, <code>name[1]</code> and so on. An input that feeds through is needed for the "
    "outputs of the same tick; one that breaks loops is not. A number that is given without a unit "
    "is in the unit of its row.</p>\n";

} // namespace

std::string reference_page(const std::vector<const BlockType*>& types) {
  std::string index, body;
  for (std::size_t i = 0; i < types.size();) {
    const std::string subject = subject_of(*types[i]);
    std::string entries, articles;
    for (; i < types.size() && subject_of(*types[i]) == subject; ++i) {
      entries += fmt::format("<li id=\"to-{}\"><a href=\"#{}\">{}</a></li>\n", anchor(*types[i]), anchor(*types[i]),
                             escaped(bare_name(*types[i])));
      articles += article(*types[i]);
    }
    index += fmt::format("<section><h2><a href=\"#{0}\">{0}</a></h2>\n<ul>\n{1}</ul></section>\n", escaped(subject),
                         entries);
    body += fmt::format("<section>\n<h2 id=\"{0}\">{0}</h2>\n{1}</section>\n", escaped(subject), articles);
  }
  return fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n{}"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<title>hilda: blocks</title>\n<style>{}</style>\n</head>\n<body>\n<nav>\n"
      "<div class=\"needs-script\"><input id=\"search\" type=\"search\" placeholder=\"Search\" "
      "aria-label=\"Search blocks\">\n<p id=\"count\" role=\"status\"></p></div>\n{}</nav>\n<main>\n"
      "<h1>Blocks</h1>\n<p>{} block{} of hilda {}.</p>\n{}{}</main>\n<script>{}</script>\n</body>\n</html>\n",
      svg::content_policy({script}), style, index, types.size(), types.size() == 1 ? "" : "s", version, legend, body,
      script);
}

} // namespace hilda::cli
