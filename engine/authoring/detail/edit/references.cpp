// SPDX-License-Identifier: BSD-3-Clause
#include "engine/authoring/detail/edit/references.h"

#include "engine/base/characters.h"
#include "engine/catalogue/signal_path.h"
#include "engine/diagram/name_pattern.h"
#include "engine/quantity/expression.h"
#include "engine/quantity/expression_tokens.h"

#include <algorithm>
#include <array>

namespace hilda::authoring {
namespace {

/// What an attribute of an element names.
Names what_names(const XmlNode& element, std::string_view attribute) {
  const ElementKind* const kind = elements::find(element.tag);
  const AttributeKind* const known = kind != nullptr ? kind->find(attribute) : nullptr;
  return known != nullptr ? known->names : Names::nothing;
}

/// A search in one body: the path by which the thing is named there.
struct Query {
  std::string prefix = {}; ///< of the subsystems on the way to it, with a dot
  std::string name = {};
  bool sources = false, destinations = false, sides = false, lists = false;
  bool below = false;                   ///< in paths of settings what lies under it: "lead.kp"
  bool itself = false;                  ///< in paths of settings it alone: a parameter
  std::vector<std::string> others = {}; ///< longer names that win
  std::vector<std::string> whole = {};  ///< of outputs of the body: as a destination such a path is one of them

  std::string full() const { return prefix + name; }
};

class ReferenceSearch {
public:
  ReferenceSearch(const Query& query, std::vector<Reference>& found)
      : query_(query), full_(query.full()), found_(found) {}

  void in(const XmlNode& body) {
    for (const XmlNode& child : body.children)
      for (const auto& [name, attribute] : child.attributes) {
        const Names names = what_names(child, name);
        if (names == Names::list && query_.lists) {
          for (const TextSpan& word : words_in(attribute.value)) take(child, name, attribute, word);
          continue;
        }
        const bool asked = (names == Names::source && query_.sources) ||
                           (names == Names::destination && query_.destinations) ||
                           (names == Names::side && query_.sides);
        if (names == Names::setting && attribute.value == full_ ? query_.itself
                                                                : names == Names::setting && query_.below)
          take(child, name, attribute, {0, attribute.value.size()});
        const bool other = names == Names::destination && has(query_.whole, attribute.value);
        if (asked && !other) take(child, name, attribute, {0, attribute.value.size()});
      }
  }

  /// Whose tolerance it is: atol="1e-9, swing.x=1 um" of the diagram.
  void in_tolerances(const XmlNode& diagram) {
    for (const auto& [name, attribute] : diagram.attributes) {
      if (name != "atol") continue;
      const std::string_view text = attribute.value;
      for (std::size_t begin = 0; begin < text.size();) {
        const std::size_t end = std::min(text.find(',', begin), text.size());
        const std::string_view item = text.substr(begin, end - begin);
        const std::string_view path = trimmed(item.substr(0, std::min(item.find('='), item.size())));
        const auto at = static_cast<std::size_t>(path.data() - text.data());
        if (item.find('=') != std::string_view::npos) take(diagram, name, attribute, {at, at + path.size()});
        begin = end + 1;
      }
    }
  }

private:
  static bool has(const std::vector<std::string>& list, std::string_view text) {
    return std::find(list.begin(), list.end(), text) != list.end();
  }

  void take(const XmlNode& element, const std::string& name, const XmlAttribute& attribute, TextSpan word) {
    const std::string_view path = std::string_view(attribute.value).substr(word.begin, word.end - word.begin);
    if (!begins_with_name(path, full_)) return;
    for (const std::string& other : query_.others)
      if (begins_with_name(path, other)) return;
    found_.push_back({&element, &name, &attribute, what_names(element, name), word.begin + query_.prefix.size(),
                      query_.name.size(), word});
  }

  const Query& query_;
  std::string full_;
  std::vector<Reference>& found_;
};

std::vector<std::string> names_of(const XmlNode& body, NameKind kind) {
  std::vector<std::string> names;
  for (const XmlNode* each : all_of(body, kind)) names.emplace_back(each->value("name"));
  return names;
}

/// Those of `names` that begin with `name` and continue, with `prefix` before them.
std::vector<std::string> longer(const std::vector<std::string>& names, const std::string& name,
                                const std::string& prefix) {
  std::vector<std::string> found;
  for (const std::string& each : names)
    if (each.size() > name.size() && begins_with_name(each, name)) found.push_back(prefix + each);
  return found;
}

void find_element(const Named& named, std::vector<Reference>& found) {
  const XmlNode& own = *named.body.back();
  const std::vector<std::string> outputs = names_of(own, NameKind::output);
  ReferenceSearch({.name = named.name,
                   .sources = true,
                   .destinations = true,
                   .sides = true,
                   .lists = true,
                   .below = true,
                   .whole = outputs},
                  found)
      .in(own);
  std::string prefix;
  for (std::size_t i = named.body.size() - 1; i-- > 0;) {
    prefix.insert(0, std::string(named.body[i + 1]->value("name")) + ".");
    std::vector<std::string> ports; // "rig.led.force" is the subsystem's port, if it has one of that name
    for (const std::string& output : outputs)
      if (begins_with_name(output, named.name)) ports.push_back(prefix + output);
    ReferenceSearch(
        {.prefix = prefix, .name = named.name, .sides = true, .lists = true, .below = true, .others = ports}, found)
        .in(*named.body[i]);
  }
  ReferenceSearch({.prefix = prefix, .name = named.name}, found).in_tolerances(*named.body.front());
}

void find_port(const Named& named, std::vector<Reference>& found) {
  const bool input = named.kind == NameKind::input;
  const XmlNode& own = *named.body.back();
  const std::vector<std::string> rivals = names_of(own, named.kind);
  const bool lists = !input || called(own, NameKind::output, named.name).empty();
  ReferenceSearch({.name = named.name,
                   .sources = input,
                   .destinations = !input,
                   .lists = lists,
                   .itself = input && named.body.size() == 1,
                   .others = longer(rivals, named.name, "")},
                  found)
      .in(own);
  std::string prefix;
  for (std::size_t i = named.body.size() - 1; i-- > 0;) {
    prefix.insert(0, std::string(named.body[i + 1]->value("name")) + ".");
    const bool beside = i + 2 == named.body.size(); // the body that contains its subsystem
    ReferenceSearch({.prefix = prefix,
                     .name = named.name,
                     .sources = beside && !input,
                     .destinations = beside && input,
                     .lists = lists,
                     .others = longer(rivals, named.name, prefix)},
                    found)
        .in(*named.body[i]);
  }
}

void find_power_port(const Named& named, std::vector<Reference>& found) {
  std::string prefix = "ports.";
  for (std::size_t i = named.body.size(); i-- > 0;) {
    ReferenceSearch({.prefix = prefix, .name = named.name, .lists = true}, found).in(*named.body[i]);
    prefix.insert(6, std::string(named.body[i]->value("name")) + ".");
  }
}

bool is_drawn_only(const XmlNode& element) {
  const ElementKind* const kind = elements::find(element.tag);
  return kind != nullptr && kind->read == ElementKind::Read::by_drawings;
}

bool has_expressions(const XmlNode& element, std::string_view attribute) {
  static constexpr std::array<std::string_view, 6> plain = {"name", "doc", "title", "type", "mode", "src"};
  return !attribute.starts_with("ui.") && !is_drawn_only(element) &&
         std::find(plain.begin(), plain.end(), attribute) == plain.end() &&
         what_names(element, attribute) == Names::nothing;
}

/// Calls `note(element, attribute's name, attribute, at, name)` for each name within `${}` of an element's attributes.
template <class Note> void each_name(const XmlNode& element, const Note& note) {
  for (const auto& [name, attribute] : element.attributes) {
    if (!has_expressions(element, name)) continue;
    const std::string_view text = attribute.value;
    for (std::size_t open = text.find("${"); open != std::string_view::npos; open = text.find("${", open)) {
      open += 2;
      const std::size_t close = text.find('}', open);
      if (close == std::string_view::npos) break;
      const std::string_view expression = text.substr(open, close - open);
      const Result<std::vector<Token>> words = tokens(expression);
      if (words) {
        for (const Token& token : *words)
          if (token.kind == Token::Kind::name) note(element, name, attribute, open + token.at, token.text);
      }
      open = close;
    }
  }
  if (!element.is(elements::block.tag)) return;
  for (const XmlNode& inner : element.children)
    if (inner.kind == XmlNode::Kind::element) each_name(inner, note);
}

/// For the elements of a body, and for those of inline subsystems in it unless `hidden(subsystem)`.
template <class Note, class Hidden> void each_name_below(const XmlNode& body, const Note& note, const Hidden& hidden) {
  for (const XmlNode& child : body.children) {
    if (child.kind != XmlNode::Kind::element) continue;
    each_name(child, note);
    if (is_inline(child) && !hidden(child)) each_name_below(child, note, hidden);
  }
}

} // namespace

std::vector<Reference> references_to(const XmlSpans&, const Named& named) {
  std::vector<Reference> found;
  switch (named.kind) {
  case NameKind::element: find_element(named, found); break;
  case NameKind::input:
  case NameKind::output: find_port(named, found); break;
  case NameKind::power_port: find_power_port(named, found); break;
  case NameKind::parameter: break; // uses_of
  case NameKind::note:
  case NameKind::area: break; // nothing refers to them
  }
  return found;
}

std::vector<Reference> uses_of(const Named& parameter) {
  std::vector<Reference> found;
  const auto note = [&](const XmlNode& element, const std::string& name, const XmlAttribute& attribute, std::size_t at,
                        std::string_view word) {
    if (word == parameter.name)
      found.push_back({&element, &name, &attribute, Names::nothing, at, word.size(), {0, attribute.value.size()}});
  };
  const auto hidden = [&](const XmlNode& inner) { return !called(inner, NameKind::parameter, parameter.name).empty(); };
  const XmlNode& own = *parameter.body.back();
  if (parameter.body.size() == 1) each_name(own, note); // the period of the diagram itself
  each_name_below(own, note, hidden);
  std::string prefix;
  for (std::size_t i = parameter.body.size(); i-- > 0;) { // <live path="outer.gap">
    ReferenceSearch({.prefix = prefix, .name = parameter.name, .itself = true}, found).in(*parameter.body[i]);
    prefix.insert(0, std::string(parameter.body[i]->value("name")) + ".");
  }
  return found;
}

std::vector<std::string> free_names(const XmlNode& body) {
  std::vector<std::string> names;
  const auto declares = [](const XmlNode& in, std::string_view name) {
    return !called(in, NameKind::parameter, name).empty();
  };
  const auto visit = [&](const auto& self, std::vector<const XmlNode*> around) -> void {
    for (const XmlNode& child : around.back()->children) {
      if (child.kind != XmlNode::Kind::element) continue;
      each_name(child,
                [&](const XmlNode&, const std::string&, const XmlAttribute&, std::size_t, std::string_view word) {
                  const bool own =
                      std::any_of(around.begin(), around.end(), [&](const XmlNode* in) { return declares(*in, word); });
                  if (!own && word != "pi" && word != "inf" && word != "period" &&
                      std::find(names.begin(), names.end(), word) == names.end())
                    names.emplace_back(word);
                });
      if (!is_inline(child)) continue;
      std::vector<const XmlNode*> inner = around;
      inner.push_back(&child);
      self(self, std::move(inner));
    }
  };
  visit(visit, {&body});
  return names;
}

std::vector<TextSpan> words_in(std::string_view list) {
  std::vector<TextSpan> words;
  std::size_t begin = 0;
  int depth = 0;
  const auto end_word = [&](std::size_t end) {
    if (end > begin) words.push_back({begin, end});
    begin = end + 1;
  };
  for (std::size_t i = 0; i < list.size(); ++i) {
    if (list[i] == '[') ++depth;
    if (list[i] == ']') --depth;
    if (is_blank(list[i]) || (list[i] == ',' && depth <= 0)) end_word(i);
  }
  end_word(list.size());
  return words;
}

std::vector<Reference> patterns_near(const XmlSpans&, const Named& named) {
  std::vector<Reference> found;
  if (named.kind != NameKind::element && named.kind != NameKind::input && named.kind != NameKind::output) return found;
  std::string full = named.name;
  for (std::size_t i = named.body.size(); i-- > 0;) {
    for (const XmlNode& child : named.body[i]->children)
      for (const auto& [name, attribute] : child.attributes) {
        if (what_names(child, name) != Names::list) continue;
        for (const TextSpan& word : words_in(attribute.value)) {
          const std::string_view pattern = std::string_view(attribute.value).substr(word.begin, word.end - word.begin);
          const std::size_t wild = pattern.find_first_of("*?");
          // "*" means all, whatever that is called
          if (wild == std::string_view::npos || wild == 0 || begins_with_name(pattern, full)) continue;
          if (full.starts_with(pattern.substr(0, wild)))
            found.push_back({&child, &name, &attribute, Names::list, 0, 0, word});
        }
      }
    full.insert(0, std::string(named.body[i]->value("name")) + ".");
  }
  return found;
}

} // namespace hilda::authoring
