// SPDX-License-Identifier: BSD-3-Clause
#include "engine/authoring/named.h"

#include "engine/base/error.h"
#include "engine/diagram/names.h"

#include <algorithm>
#include <array>

namespace hilda::authoring {
namespace {

std::string_view first_name(std::string_view name) { return name.substr(0, name.find('.')); }

/// "block:lead": takes the word before the colon.
std::vector<NameKind> wanted_kinds(std::string& path, const std::vector<NameKind>& kinds) {
  const std::size_t colon = path.find(':');
  if (colon == std::string::npos) return kinds;
  const std::string word = path.substr(0, colon);
  std::vector<NameKind> left;
  for (const NameKind kind : kinds)
    if (word == kind_name(kind) ||
        (kind == NameKind::element && (word == elements::block.tag || word == elements::subsystem.tag)))
      left.push_back(kind);
  path.erase(0, colon + 1);
  return left;
}

class LookUp {
public:
  LookUp(std::vector<NameKind> kinds, std::vector<Named>& found) : kinds_(std::move(kinds)), found_(found) {}

  void in(const Body& body, const std::string& rest) {
    const auto [name, mode] = without_mode(rest);
    for (const NameKind kind : kinds_) take(body, kind, name, mode);
    const std::size_t dot = rest.find('.');
    if (dot == std::string::npos) return;
    const auto [outer, outer_mode] = without_mode(rest.substr(0, dot));
    for (const XmlNode* const child : called(*body.back(), NameKind::element, outer)) {
      if (!is_inline(*child) || (!outer_mode.empty() && child->value("mode") != outer_mode)) continue;
      Body inner = body;
      inner.push_back(child);
      in(inner, rest.substr(dot + 1));
    }
  }

private:
  void take(const Body& body, NameKind kind, const std::string& name, const std::string& mode) {
    const std::vector<const XmlNode*> there = called(*body.back(), kind, name);
    Named made{.kind = kind, .name = name, .body = body, .twins = there};
    if (!mode.empty()) std::erase_if(made.twins, [&mode](const XmlNode* each) { return each->value("mode") != mode; });
    made.all = made.twins.size() == there.size();
    if (!made.twins.empty()) found_.push_back(std::move(made));
  }

  std::vector<NameKind> kinds_;
  std::vector<Named>& found_;
};

std::string path_of(const Body& body) {
  std::string path;
  for (std::size_t i = 1; i < body.size(); ++i) path += std::string(body[i]->value("name")) + ".";
  return path;
}

/// Says what is there, in the innermost body that the path reaches.
void report_unknown(EditContext& context, const std::string& path, const std::vector<NameKind>& kinds) {
  const XmlNode* body = &context.spans.root();
  std::string rest = path, reached;
  for (std::size_t dot = rest.find('.'); dot != std::string::npos; dot = rest.find('.')) {
    const auto [name, mode] = without_mode(rest.substr(0, dot));
    const std::vector<const XmlNode*> there = called(*body, NameKind::element, name);
    if (there.empty()) break;
    if (there.front()->find("src") != nullptr) {
      context.diagnostics.error(
          "edit-elsewhere", context.at(*there.front()),
          hilda::base::in_quotes(path) + " is in another file, " + hilda::base::in_quotes(there.front()->value("src")),
          "edit that file; " + hilda::base::in_quotes(rest.substr(dot + 1)) + " is its name there");
      return;
    }
    if (!is_inline(*there.front())) break;
    body = there.front();
    reached += name + ".";
    rest.erase(0, dot + 1);
  }
  std::vector<std::string> candidates;
  for (const NameKind kind : kinds)
    for (const XmlNode* each : all_of(*body, kind)) candidates.emplace_back(each->value("name"));
  const std::string wanted = hilda::base::in_quotes(reached + rest);
  std::string help = context.suggestions.help(without_mode(rest).first, candidates, "here are");
  if (help.empty()) help = "hilda describe FILE lists what a diagram has";
  context.diagnostics.error("edit-unknown", context.at(*body),
                            kinds.size() > 1 ? "nothing is called " + wanted + " here"
                                             : "there is no " + std::string(kind_name(kinds.front())) + " " + wanted,
                            help);
}

} // namespace

std::string_view kind_name(NameKind kind) {
  switch (kind) {
  case NameKind::element: return "block or subsystem";
  case NameKind::input: return elements::input.tag;
  case NameKind::output: return elements::output.tag;
  case NameKind::parameter: return elements::parameter.tag;
  case NameKind::power_port: return elements::power_port.tag;
  case NameKind::note: return elements::note.tag;
  case NameKind::area: return elements::area.tag;
  }
  return "";
}

std::pair<std::string, std::string> without_mode(const std::string& text) {
  const std::size_t at = text.find('@');
  return at == std::string::npos ? std::pair(text, std::string()) : std::pair(text.substr(0, at), text.substr(at + 1));
}

std::optional<NameKind> kind_of(const XmlNode& node) {
  if (is_element(node)) return NameKind::element;
  for (const NameKind kind : all_name_kinds)
    if (node.is(kind_name(kind))) return kind;
  return std::nullopt;
}

bool is_element(const XmlNode& node) { return node.is(elements::block.tag) || node.is(elements::subsystem.tag); }

bool is_inline(const XmlNode& node) { return node.is(elements::subsystem.tag) && node.find("src") == nullptr; }

std::vector<const XmlNode*> all_of(const XmlNode& body, NameKind kind) {
  std::vector<const XmlNode*> found;
  for (const XmlNode& child : body.children)
    if (kind_of(child) == kind && child.find("name") != nullptr) found.push_back(&child);
  return found;
}

std::vector<const XmlNode*> called(const XmlNode& body, NameKind kind, std::string_view name) {
  std::vector<const XmlNode*> found = all_of(body, kind);
  std::erase_if(found, [name](const XmlNode* each) { return each->value("name") != name; });
  return found;
}

bool modes_meet(std::string_view one, std::string_view other) { return one.empty() || other.empty() || one == other; }

std::vector<Named> look_up(const XmlSpans& spans, const std::string& path, const std::vector<NameKind>& kinds) {
  std::vector<Named> found;
  std::string rest = path;
  std::vector<NameKind> wanted = wanted_kinds(rest, kinds);
  LookUp(std::move(wanted), found).in({&spans.root()}, rest);
  return found;
}

std::optional<Named> find_named(EditContext& context, const std::string& path, const std::vector<NameKind>& kinds) {
  std::vector<Named> found = look_up(context.spans, path, kinds);
  if (found.size() == 1) return std::move(found.front());
  if (found.empty()) {
    std::string rest = path;
    const std::vector<NameKind> wanted = wanted_kinds(rest, kinds);
    report_unknown(context, rest, wanted.empty() ? kinds : wanted);
    return std::nullopt;
  }
  std::vector<Note> notes;
  std::string ways;
  for (const Named& each : found) {
    const std::string mode(each.body.size() > 1 ? each.body.back()->value("mode") : std::string_view());
    std::string way = path_of(each.body);
    if (!mode.empty()) way.insert(way.size() - 1, "@" + mode);
    const std::string kind(each.kind == NameKind::element ? std::string_view(each.twins.front()->tag)
                                                          : kind_name(each.kind));
    way = kind + ":" + way + each.name;
    notes.push_back({context.at(*each.twins.front()), hilda::base::in_quotes(way)});
    ways += (ways.empty() ? "" : " or ") + way;
  }
  context.diagnostics.error("edit-ambiguous", context.at(*found.front().twins.front()),
                            hilda::base::in_quotes(path) + " names more than one thing", "write " + ways,
                            std::move(notes));
  return std::nullopt;
}

const ElementKind* nameless_kind(std::string_view path) {
  const std::size_t colon = path.find(':');
  if (colon == std::string_view::npos) return nullptr;
  const ElementKind* const kind = elements::find(path.substr(0, colon));
  return kind != nullptr && elements::is_nameless(*kind) ? kind : nullptr;
}

const XmlNode* find_nameless(EditContext& context, const std::string& path) {
  const ElementKind& kind = *nameless_kind(path);
  const auto name = without_mode(path.substr(kind.tag.size() + 1));
  const auto &key = name.first, &mode = name.second; // no binding: a lambda may not hold one
  std::vector<const XmlNode*> found;
  std::vector<std::string> there;
  const auto look = [&](const auto& self, const XmlNode& body) -> void {
    for (const XmlNode& child : body.children) {
      if (is_inline(child)) self(self, child);
      if (!child.is(kind.tag)) continue;
      if (!kind.key.empty()) there.emplace_back(child.value(kind.key));
      const bool meant = kind.key.empty() || child.value(kind.key) == key;
      if (meant && (mode.empty() || child.value("mode") == mode)) found.push_back(&child);
    }
  };
  look(look, context.spans.root());
  if (found.size() == 1) return found.front();
  const std::string tag = "<" + std::string(kind.tag) + ">", what = hilda::base::in_quotes(path);
  if (found.empty()) {
    context.diagnostics.error("edit-unknown", context.at(context.spans.root()), "no " + tag + " is called " + what,
                              there.empty() ? "add " + std::string(kind.tag) + " adds one"
                                            : context.suggestions.help(key, there, "here are"));
    return nullptr;
  }
  std::vector<Note> notes;
  std::string ways;
  for (const XmlNode* each : found) {
    notes.push_back({context.at(*each), "one of them is here"});
    if (each->find("mode") != nullptr)
      ways += (ways.empty() ? "" : " or ") + std::string(kind.tag) + ":" + key + "@" + std::string(each->value("mode"));
  }
  context.diagnostics.error("edit-ambiguous", context.at(*found.front()), what + " names more than one thing",
                            mode.empty() && !ways.empty() ? "write " + ways : "change the file itself",
                            std::move(notes));
  return nullptr;
}

std::optional<std::pair<Body, std::string>> place_for(EditContext& context, const std::string& path) {
  // Ports may have dots in their names: the text before the last inline subsystem is its place.
  Body body{&context.spans.root()};
  std::string rest = path;
  for (std::size_t dot = rest.find('.'); dot != std::string::npos; dot = rest.find('.')) {
    const auto [name, mode] = without_mode(rest.substr(0, dot));
    std::vector<const XmlNode*> there = called(*body.back(), NameKind::element, name);
    if (there.empty()) break;
    if (!mode.empty()) std::erase_if(there, [&m = mode](const XmlNode* each) { return each->value("mode") != m; });
    if (there.size() != 1 || !is_inline(*there.front())) {
      if (!find_named(context, path, {NameKind::element})) return std::nullopt; // says why
      break;
    }
    body.push_back(there.front());
    rest.erase(0, dot + 1);
  }
  return std::pair(std::move(body), rest);
}

bool refuse_name(EditContext& context, const XmlNode& body, NameKind kind, const std::string& name,
                 std::string_view mode) {
  const bool dotted = kind == NameKind::input || kind == NameKind::output;
  if (!is_element_name(name, dotted)) {
    context.diagnostics.error("edit-bad-name", context.at(body), hilda::base::in_quotes(name) + " is not a name",
                              name_help(name, dotted));
    return true;
  }
  if (kind == NameKind::parameter && is_reserved(name)) {
    context.diagnostics.error("edit-bad-name", context.at(body),
                              hilda::base::in_quotes(name) + " cannot be the name of a parameter",
                              "it is an attribute that every subsystem or diagram has; choose another");
    return true;
  }
  const auto of_paths = [](NameKind each) {
    return each == NameKind::element || each == NameKind::input || each == NameKind::note || each == NameKind::area;
  };
  for (const NameKind other : all_name_kinds) {
    const bool one_space = of_paths(kind) && of_paths(other);
    if (other != kind && !one_space) continue;
    for (const XmlNode* each : all_of(body, other)) {
      const std::string_view theirs = each->value("name");
      // Two inputs may share the text before the first dot.
      const bool same = other == kind ? theirs == name : first_name(theirs) == first_name(name);
      if (!same || !modes_meet(mode, each->value("mode"))) continue;
      context.diagnostics.error("edit-name-taken", context.at(*each),
                                "the name " + hilda::base::in_quotes(name) + " is that of the <" + each->tag + "> here",
                                "choose another name");
      return true;
    }
  }
  return false;
}

} // namespace hilda::authoring
