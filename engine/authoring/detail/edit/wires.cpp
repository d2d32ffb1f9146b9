// SPDX-License-Identifier: BSD-3-Clause
#include "engine/authoring/named.h"
#include "engine/authoring/operations.h"
#include "engine/base/error.h"
#include "engine/catalogue/signal_path.h"

#include <algorithm>
#include <set>

namespace hilda::authoring {
namespace {

/// The two ends of a wire, as the body that contains it calls them.
struct Ends {
  Body body;
  std::string from, to;
  std::vector<std::pair<std::string, std::string>> more; ///< mode, shape, doc
  std::string mode;
};

std::string first_of(const std::string& path) { return path.substr(0, path.find_first_of(".[")); }

bool has_port(const XmlNode& subsystem, NameKind kind, std::string_view rest) {
  const auto ports = all_of(subsystem, kind);
  return std::any_of(ports.begin(), ports.end(),
                     [rest](const XmlNode* port) { return begins_with_name(rest, port->value("name")); });
}

/// Both ends lie in one inline subsystem, "rig" or "rig@sim", and are not two of its ports: the wire is in there.
void go_inside(Ends& ends) {
  while (true) {
    const std::string word = first_of(ends.from);
    if (word.size() + 1 >= ends.from.size() || first_of(ends.to) != word || word.size() + 1 >= ends.to.size()) return;
    const auto meant = without_mode(word);
    auto there = called(*ends.body.back(), NameKind::element, meant.first);
    if (!meant.second.empty())
      std::erase_if(there, [&meant](const XmlNode* each) { return each->value("mode") != meant.second; });
    if (there.size() != 1 || !is_inline(*there.front())) return;
    const std::string from = ends.from.substr(word.size() + 1), to = ends.to.substr(word.size() + 1);
    if (has_port(*there.front(), NameKind::output, from) && has_port(*there.front(), NameKind::input, to)) return;
    ends.body.push_back(there.front());
    ends.from = from;
    ends.to = to;
  }
}

/// True, and reported, where nothing in the body is called so. A port of a block is the catalogue's matter.
bool refuse_end(EditContext& context, const XmlNode& body, const std::string& path, bool source) {
  const NameKind port = source ? NameKind::input : NameKind::output;
  const std::vector<const XmlNode*> elements = called(body, NameKind::element, first_of(path));
  if (!SignalPath::parse(path)) {
    misused(context, hilda::base::in_quotes(path) + " is not a path of a signal", "write BLOCK.PORT, such as lead.led");
    return true;
  }
  if (has_port(body, port, path)) return false;
  std::vector<std::string> candidates;
  std::string what = hilda::base::in_quotes(first_of(path));
  if (elements.empty()) {
    for (const XmlNode* each : all_of(body, NameKind::element)) candidates.emplace_back(each->value("name"));
    for (const XmlNode* each : all_of(body, port)) candidates.emplace_back(each->value("name"));
    context.diagnostics.error("edit-unknown", context.at(body), "there is nothing called " + what + " here",
                              context.suggestions.help(first_of(path), candidates, "there are"));
    return true;
  }
  const XmlNode& element = *elements.front();
  if (!is_inline(element)) return false;
  const std::string rest = path.size() > first_of(path).size() ? path.substr(first_of(path).size() + 1) : std::string();
  const NameKind inside = source ? NameKind::output : NameKind::input;
  if (has_port(element, inside, rest)) return false;
  for (const XmlNode* each : all_of(element, inside)) candidates.emplace_back(each->value("name"));
  context.diagnostics.error("edit-unknown", context.at(element),
                            "the subsystem " + what + " has no " + std::string(kind_name(inside)) + " " +
                                hilda::base::in_quotes(rest),
                            candidates.empty() ? "add " + std::string(kind_name(inside)) + " " + path + " first"
                                               : context.suggestions.help(rest, candidates, "it has"));
  return true;
}

/// The modes in which a wire exists; empty: in all.
std::set<std::string> modes_of(const XmlNode& body, std::string_view mode, const std::string& from) {
  if (!mode.empty()) return {std::string(mode)};
  std::set<std::string> modes;
  for (const XmlNode* each : called(body, NameKind::element, first_of(from))) {
    if (each->find("mode") == nullptr) return {};
    modes.emplace(each->value("mode"));
  }
  return modes;
}

bool may_meet(const std::set<std::string>& a, const std::set<std::string>& b) {
  return a.empty() || b.empty() ||
         std::any_of(a.begin(), a.end(), [&b](const std::string& mode) { return b.contains(mode); });
}

std::vector<const XmlNode*> wires_to(const XmlNode& body, std::string_view to) {
  std::vector<const XmlNode*> found;
  for (const XmlNode& child : body.children)
    if (child.is(elements::connect.tag) && child.value("to") == to) found.push_back(&child);
  return found;
}

std::optional<Ends> read_ends(EditContext& context, const Words& words, std::size_t most_ends) {
  Ends ends{{&context.spans.root()}, {}, {}, {}, {}};
  std::vector<std::string> paths;
  for (const std::string& word : words) {
    if (word.find('=') == std::string::npos) {
      paths.push_back(word);
      continue;
    }
    const auto given = assignment(context, word);
    if (!given) return std::nullopt;
    if (given->first != "mode" && given->first != "doc" && given->first != "shape" && !given->first.starts_with("ui."))
      return misused(context, "a wire has no attribute " + hilda::base::in_quotes(given->first),
                     "it may have mode, shape and doc");
    if (given->first == "mode") ends.mode = given->second;
    ends.more.push_back(*given);
  }
  if (paths.empty() || paths.size() > 2 || paths.size() < 3 - most_ends)
    return misused(context, "a wire has two ends", "write connect a.y b.u");
  ends.to = paths.back();
  if (paths.size() == 2) ends.from = paths.front();
  return ends;
}

} // namespace

std::vector<const XmlNode*> find_wires(EditContext& context, const std::string& path) {
  const bool of_mode = path.find('@') != std::string::npos && path.find_first_of(".[", path.rfind('@')) == path.npos;
  const std::string mode = of_mode ? path.substr(path.rfind('@') + 1) : std::string();
  std::string to = of_mode ? path.substr(0, path.rfind('@')) : path;
  std::vector<const XmlNode*> found;
  for (const XmlNode* body = &context.spans.root(); body != nullptr;) {
    found = wires_to(*body, to);
    if (of_mode) std::erase_if(found, [&mode](const XmlNode* each) { return each->value("mode") != mode; });
    const std::string word = first_of(to);
    if (!found.empty() || word.size() + 1 >= to.size()) break;
    const auto meant = without_mode(word);
    std::vector<const XmlNode*> there = called(*body, NameKind::element, meant.first);
    if (!meant.second.empty())
      std::erase_if(there, [&meant](const XmlNode* each) { return each->value("mode") != meant.second; });
    body = there.size() == 1 && is_inline(*there.front()) ? there.front() : nullptr;
    to.erase(0, word.size() + 1);
  }
  if (found.empty())
    context.diagnostics.error("edit-not-connected", context.at(context.spans.root()),
                              "no wire goes to " + hilda::base::in_quotes(path),
                              "name the input at which the wire ends, as its <connect> does: connect:lead.u");
  return found;
}

std::optional<Change> connect_ports(EditContext& context, const Words& words) {
  std::optional<Ends> ends = read_ends(context, words, 1);
  if (!ends) return std::nullopt;
  go_inside(*ends);
  const XmlNode& body = *ends->body.back();
  const bool wrong_source = refuse_end(context, body, ends->from, true);
  if (refuse_end(context, body, ends->to, false) || wrong_source) return std::nullopt;
  for (const XmlNode* wire : wires_to(body, ends->to)) {
    const std::string there(wire->value("from"));
    if (!may_meet(modes_of(body, ends->mode, ends->from), modes_of(body, wire->value("mode"), there))) continue;
    context.diagnostics.error(
        "edit-driven", context.at(*wire),
        hilda::base::in_quotes(ends->to) + " is driven already, by " + hilda::base::in_quotes(there),
        there == ends->from ? "there is nothing to do" : "disconnect " + ends->to + " first, or give each wire a mode");
    return std::nullopt;
  }
  NewElement made{"connect", {{"from", ends->from}, {"to", ends->to}}};
  made.attributes.insert(made.attributes.end(), ends->more.begin(), ends->more.end());
  InsertionPoint spot = spot_for(body, "connect");
  const XmlNode* like = model_for(context, body, "connect");
  for (const XmlNode& child : body.children) // next to the other wires to that block
    if (child.is(elements::connect.tag) && first_of(std::string(child.value("to"))) == first_of(ends->to))
      spot.behind = like = &child;
  Change change;
  context.layout.insert(body, spot.behind, {context.layout.written(made, like)}, spot.gap, change.edit);
  return change;
}

std::optional<Change> disconnect_ports(EditContext& context, const Words& words) {
  std::optional<Ends> ends = read_ends(context, words, 2);
  if (!ends) return std::nullopt;
  std::vector<Body> bodies;
  if (!ends->from.empty()) {
    go_inside(*ends);
  } else { // the innermost body that has such a wire
    Ends inner = *ends;
    inner.from = inner.to;
    go_inside(inner);
    if (!wires_to(*inner.body.back(), inner.to).empty()) ends->body = inner.body, ends->to = inner.to;
  }
  const XmlNode& body = *ends->body.back();
  Change change;
  std::vector<std::string> drivers;
  for (const XmlNode* wire : wires_to(body, ends->to)) {
    drivers.emplace_back(wire->value("from"));
    const bool from = ends->from.empty() || wire->value("from") == ends->from;
    if (from && (ends->mode.empty() || wire->value("mode") == ends->mode)) context.layout.remove(*wire, change.edit);
  }
  if (!change.edit.empty()) return change;
  if (refuse_end(context, body, ends->to, false)) return std::nullopt;
  context.diagnostics.error("edit-not-connected", context.at(body),
                            ends->from.empty() ? "nothing drives " + hilda::base::in_quotes(ends->to)
                                               : "no wire goes from " + hilda::base::in_quotes(ends->from) + " to " +
                                                     hilda::base::in_quotes(ends->to),
                            drivers.empty() ? "there is nothing to do"
                                            : hilda::base::in_quotes(ends->to) + " is driven by " + listed(drivers));
  return std::nullopt;
}

} // namespace hilda::authoring
