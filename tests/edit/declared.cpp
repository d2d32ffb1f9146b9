// SPDX-License-Identifier: BSD-3-Clause
#include "tests/edit/declared.h"

#include "engine/diagram/name_pattern.h"
#include "engine/diagram/reader.h"
#include "tests/modules.h"

namespace hilda::test {
namespace {

std::string joined(std::initializer_list<std::string> words) {
  std::string line;
  for (const std::string& word : words) line += word + "|";
  return line;
}

std::string values(const std::vector<Attribute>& list) {
  std::set<std::string> sorted;
  for (const Attribute& each : list) sorted.insert(each.name + "=" + each.text);
  std::string line;
  for (const std::string& each : sorted) line += each + "|";
  return line;
}

std::string words(const Attribute& list) {
  std::string line;
  for (const std::string& each : words_of_list(list.text)) line += each + " ";
  return line;
}

void collect(const DiagramDecl& d, const std::string& at, std::multiset<std::string>& out) {
  for (const auto& p : d.parameters) out.insert(joined({at, "parameter", p.name, p.text, p.doc, p.mode}));
  for (const auto& p : d.inputs)
    out.insert(joined(
        {at, "input", p.name, p.doc, p.mode, p.shape, p.unit, p.optional ? "optional" : "", p.default_value.text}));
  for (const auto& p : d.outputs) out.insert(joined({at, "output", p.name, p.doc, p.mode, p.shape, p.unit}));
  for (const auto& b : d.blocks)
    out.insert(joined({at, "block", b.name, b.type, b.mode, b.sample_time, b.enable, b.reset, b.outputs, b.doc,
                       values(b.parameters)}));
  for (const auto& s : d.subsystems) {
    out.insert(joined({at, "subsystem", s.name, s.src, s.mode, s.sample_time, s.enable, s.reset, s.outputs, s.doc,
                       values(s.parameters)}));
    if (s.src.empty() && s.body) collect(*s.body, at + s.name + "@" + s.mode + ".", out);
  }
  for (const auto& c : d.connects) out.insert(joined({at, "connect", c.from, c.to, c.mode}));
  for (const auto& p : d.power_ports)
    out.insert(joined({at, "power_port", p.name, p.effort, p.flow, p.rule, p.from, p.to, p.mode, p.doc}));
  for (const auto& l : d.limits) out.insert(joined({at, "limits", l.on, l.mode, l.doc, values(l.values)}));
  for (const auto& q : d.quality) out.insert(joined({at, "quality", q.on, q.mode, q.doc, values(q.values)}));
  for (const auto& r : d.realtime) out.insert(joined({at, "realtime", r.mode, r.doc, values(r.values)}));
  for (const auto& l : d.logs)
    out.insert(joined({at, "log", words(l.signals), l.every.text, l.when.text, l.mode, l.doc}));
  for (const auto& l : d.live) out.insert(joined({at, "live", l.path, l.rate.text, l.mode, l.doc}));
  for (const auto& f : d.figures) out.insert(joined({at, "figure", f.title, words(f.signals), f.mode, f.doc}));
}

} // namespace

std::multiset<std::string> facts(const DiagramDecl& diagram) {
  std::multiset<std::string> all{joined({"diagram", diagram.name, diagram.doc, diagram.period})};
  collect(diagram, "", all);
  return all;
}

Declared declared(const std::string& file, const std::string& text) {
  SearchRoots roots;
  Sources sources;
  Diagnostics diagnostics;
  auto diagram = DiagramReader(roots, sources, diagnostics).text(file, text);
  return {diagram, diagram != nullptr && diagnostics.ok()};
}

} // namespace hilda::test
