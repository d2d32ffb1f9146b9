// SPDX-License-Identifier: BSD-3-Clause
#include "tools/graphics/detail/draw/sketch/chart.h"

#include "engine/diagram/plain_document.h"

#include <algorithm>

namespace hilda::graphics::draw {
namespace {

/// The block that begins on a line.
const PlainElement* block_on(const PlainElement& in, const std::string& name, int line) {
  for (const PlainElement* each : in.below("block"))
    if (each->line == line && each->attribute("name") == name) return each;
  return nullptr;
}

void add_states(const PlainElement& in, int parent, ChartSketch& to) {
  for (const PlainElement& each : in.children) {
    if (each.name != "state") continue;
    ChartState made;
    made.name = each.attribute("name");
    made.parent = parent;
    made.start = each.attribute("start") == "true", made.ends = each.attribute("final") == "true";
    for (const char* action : {"entry", "during", "exit"})
      if (const std::string_view text = each.attribute(action); !text.empty())
        made.actions.push_back(std::string(action) + ": " + std::string(text));
    to.states.push_back(std::move(made));
    if (parent < 0) add_states(each, static_cast<int>(to.states.size()) - 1, to);
  }
}

std::optional<std::size_t> state_named(const ChartSketch& chart, std::string_view name) {
  for (std::size_t i = 0; i < chart.states.size(); ++i)
    if (chart.states[i].name == name) return i;
  return std::nullopt;
}

void add_transitions(const PlainElement& in, ChartSketch& to) {
  std::vector<std::size_t> count(to.states.size(), 0), next(to.states.size(), 0);
  for (const PlainElement& each : in.children)
    if (const auto from = state_named(to, each.attribute("from")); each.name == "transition" && from) ++count[*from];
  for (const PlainElement& each : in.children) {
    const auto from = state_named(to, each.attribute("from")), end = state_named(to, each.attribute("to"));
    if (each.name != "transition" || !from || !end) continue;
    std::string text;
    const std::string when(each.attribute("when")), action(each.attribute("do"));
    if (count[*from] > 1) text = std::to_string(++next[*from]) + ": ";
    if (!when.empty()) text += "[" + when + "]";
    if (!action.empty()) text += (when.empty() ? "/ " : " / ") + action;
    to.transitions.push_back({*from, *end, text});
  }
}

} // namespace

bool is_chart(const SystemBlock& block) { return block.type != nullptr && block.type->name == "math/Chart"; }

std::optional<ChartSketch> chart_of(const SystemBlock& block, const Sources& sources) {
  for (const auto& file : sources.files()) {
    if (block.where.file == nullptr || file->name != *block.where.file) continue;
    std::string unread;
    const auto root = plain_xml(file->text, file->name, unread);
    const PlainElement* element =
        root ? block_on(*root, block.path.substr(block.path.rfind('.') + 1), block.where.line) : nullptr;
    if (element == nullptr) continue;
    ChartSketch made;
    made.title = block.path, made.description = *block.doc;
    add_states(*element, -1, made);
    add_transitions(*element, made);
    return made;
  }
  return std::nullopt;
}

} // namespace hilda::graphics::draw
