// SPDX-License-Identifier: BSD-3-Clause
#include "tools/studio/detail/edit/checked_diagram.h"

#include "engine/authoring/findings.h"
#include "engine/authoring/spans.h"
#include "engine/compile/infer.h"
#include "engine/compile/live_rates.h"
#include "engine/compile/timed_settings.h"
#include "engine/plugin/parameter_questions.h"
#include "engine/run/plan.h"

#include <algorithm>
#include <map>
#include <string_view>

namespace hilda::studio {
namespace {

/// The start tag that begins in this line, of a block with this name.
const XmlNode* block_at(const std::vector<XmlNode>& nodes, int line, std::string_view name) {
  for (const XmlNode& node : nodes) {
    if (node.is("block") && node.line == line && node.value("name") == name) return &node;
    if (const XmlNode* inside = block_at(node.children, line, name)) return inside;
  }
  return nullptr;
}

/// Loading takes the type from blocks that are not whole; it is given back, for they are drawn.
void complete_types(CheckedDiagram& made, const Catalogue& catalogue) {
  std::map<const std::string*, std::optional<XmlSpans>> files;
  const auto spans_of = [&](const std::string* name) -> const XmlSpans* {
    const auto [known, fresh] = files.try_emplace(name);
    Diagnostics unheard;
    if (fresh)
      for (const auto& each : made.sources.files())
        if (&each->name == name) known->second = scan_spans(*each, unheard);
    return known->second ? &*known->second : nullptr;
  };
  for (SystemBlock& block : made.system->blocks) {
    if (block.type != nullptr) continue;
    const XmlSpans* spans = block.where.file != nullptr ? spans_of(block.where.file) : nullptr;
    const XmlNode* node = spans != nullptr
                              ? block_at(spans->nodes, block.where.line, block.path.substr(block.path.rfind('.') + 1))
                              : nullptr;
    const std::string type(node != nullptr ? node->value("type") : "");
    block.parameters.clear();
    block.ports.clear();
    block.type = catalogue.find(type);
    if (block.type != nullptr) continue;
    made.unknown.emplace_back().name = type.empty() ? "?" : type;
    block.type = &made.unknown.back();
  }
}

} // namespace

std::unique_ptr<CheckedDiagram> check_diagram(const std::string& file, const LoadOptions& options,
                                              const Catalogue& catalogue) {
  auto made = std::make_unique<CheckedDiagram>();
  Diagnostics& found = made->diagnostics;
  LoadOptions with_times = options;
  LateSettings late;
  with_times.late = &late;
  made->system = load(file, with_times, catalogue, made->sources, found, made->remarks);
  if (!made->system) return made;
  System& system = *made->system;
  for (std::string& remark : infer(system, found, ask_shapes)) made->remarks.push_back(std::move(remark));
  if (found.ok()) ask_feedthrough(system, found);
  if (found.ok()) settle_live_rates(system, found);
  if (found.ok()) (void)settle_late(system, std::move(late), PlayedFiles::unread, found);
  if (found.ok()) (void)make_plan(system, found);
  made->sound = found.ok();
  complete_types(*made, catalogue);
  return made;
}

std::vector<Diagnostic> new_errors(const std::vector<Diagnostic>& before, const std::vector<Diagnostic>& after) {
  std::vector<Diagnostic> fresh;
  for (const Diagnostic& each : after) {
    const auto same = [&each](const Diagnostic& other) { return same_finding(each, other); };
    if (!is_unfinished(each) && std::none_of(before.begin(), before.end(), same)) fresh.push_back(each);
  }
  return fresh;
}

} // namespace hilda::studio
