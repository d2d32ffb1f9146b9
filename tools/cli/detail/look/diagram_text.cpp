// SPDX-License-Identifier: BSD-3-Clause
#include "tools/cli/detail/look/diagram_text.h"

#include "engine/base/word_list.h"

#include <algorithm>
#include <fmt/format.h>
#include <vector>

namespace hilda::cli {
namespace {

struct Line {
  std::string name, facts, doc;
};

std::string of_mode(const std::string& mode) { return mode.empty() ? "" : "in mode " + mode; }

std::string section(const std::string& title, const std::vector<Line>& lines) {
  if (lines.empty()) return {};
  std::size_t names = 0;
  for (const Line& line : lines) names = std::max(names, line.name.size());
  std::string text = "\n" + title + "\n";
  for (const Line& line : lines) {
    std::string first = fmt::format("  {:<{}}  {}", line.name, names, line.facts);
    first.erase(first.find_last_not_of(' ') + 1);
    text += first + "\n" + (line.doc.empty() ? "" : "      " + line.doc + "\n");
  }
  return text;
}

std::vector<Line> parameters(const DiagramDecl& diagram, const std::string& group) {
  std::vector<Line> lines;
  for (const ParameterDecl& each : diagram.parameters) {
    if (each.group != group) continue;
    std::string facts = each.required ? "must be given" : each.text.empty() ? "default: empty" : "default " + each.text;
    add_word(facts, of_mode(each.mode));
    lines.push_back({each.name, facts, each.doc});
  }
  return lines;
}

/// Without a group first; then each group, in the order of the file.
std::string grouped_parameters(const DiagramDecl& diagram,
                               const std::function<std::string(const std::string&)>& title) {
  std::vector<std::string> groups{""};
  for (const ParameterDecl& each : diagram.parameters)
    if (std::find(groups.begin(), groups.end(), each.group) == groups.end()) groups.push_back(each.group);
  std::string text;
  for (const std::string& group : groups)
    text += section(title(group.empty() ? "Parameters" : "Parameters: " + group), parameters(diagram, group));
  return text;
}

std::vector<Line> ports(const std::vector<PortDecl>& declared) {
  std::vector<Line> lines;
  for (const PortDecl& each : declared) {
    std::string facts = each.shape;
    add_word(facts, each.unit);
    add_word(facts, of_mode(each.mode));
    lines.push_back({each.name, facts, each.doc});
  }
  return lines;
}

/// Of `<limits>` or `<quality>`: on what, and its attributes as written.
template <typename Decl> std::vector<Line> bounds(const std::vector<Decl>& declared) {
  std::vector<Line> lines;
  for (const Decl& each : declared) {
    std::string facts;
    for (const Attribute& value : each.values) add_word(facts, value.name + " " + value.text);
    add_word(facts, of_mode(each.mode));
    lines.push_back({each.on, facts, each.doc});
  }
  return lines;
}

} // namespace

std::string diagram_text(const DiagramDecl& diagram, const std::function<std::string(const std::string&)>& title) {
  std::string text = title(diagram.name) + "\n";
  if (!diagram.doc.empty()) text += "  " + diagram.doc + "\n";
  if (!diagram.period.empty()) text += "  period " + diagram.period + "\n";
  text += section(title("Inputs"), ports(diagram.inputs));
  text += section(title("Outputs"), ports(diagram.outputs));
  text += grouped_parameters(diagram, title);
  text += section(title("Limits of motion"), bounds(diagram.limits));
  text += section(title("Quality of measurements, before anything is armed"), bounds(diagram.quality));
  return text;
}

} // namespace hilda::cli
