// SPDX-License-Identifier: BSD-3-Clause
#include "engine/authoring/clipping.h"

#include "engine/authoring/named.h"
#include "engine/base/error.h"
#include "engine/diagram/element_kinds.h"

#include <algorithm>
#include <array>
#include <map>
#include <string_view>

namespace hilda::authoring {
namespace {

constexpr std::size_t most_operations = 1000;

/// "lead" of "lead.force.x" and of "sum[0]".
std::string first_name(std::string_view path) { return std::string(path.substr(0, path.find_first_of(".["))); }

std::string free_name(const std::string& wanted, const std::set<std::string>& taken) {
  if (!taken.contains(wanted)) return wanted;
  const std::size_t end = wanted.find_last_not_of("0123456789");
  const std::string stem = end == std::string::npos ? wanted : wanted.substr(0, end + 1);
  for (int i = 2;; ++i)
    if (std::string name = stem + std::to_string(i); !taken.contains(name)) return name;
}

class Paster {
public:
  explicit Paster(std::string& error) : error_(error) {}

  /// Everything in a body of the clipping. @param outermost  names may be taken, and places are not kept
  bool add(const XmlNode& body, const std::string& at, std::set<std::string> taken, bool outermost) {
    std::map<std::string, std::string> renamed;
    for (const XmlNode& child : body.children) {
      if (child.kind == XmlNode::Kind::text) return refuse("text that is not in an attribute");
      if (child.kind != XmlNode::Kind::element || child.is(elements::connect.tag)) continue;
      const std::string name(child.value("name"));
      if (name.empty()) return refuse("a <" + child.tag + "> without a name");
      const auto [known, fresh] = renamed.try_emplace(name);
      if (fresh) known->second = outermost ? free_name(name, taken) : name;
      taken.insert(known->second);
      if (fresh && outermost) made.names.push_back(known->second);
      if (!add_element(child, at, known->second, outermost)) return false;
    }
    for (const XmlNode& child : body.children)
      if (child.is(elements::connect.tag) && !connect(child, at, renamed, outermost)) return false;
    return true;
  }

  Pasting made;

private:
  bool refuse(const std::string& what) {
    error_ = "the pasted elements hold " + what +
             ", and only blocks, subsystems with their ports and parameters, and wires can be";
    return false;
  }

  bool note(Words words) {
    made.operations.push_back(std::move(words));
    if (made.operations.size() <= most_operations) return true;
    error_ = "the pasted text has more than " + std::to_string(most_operations) + " elements: include it as a file";
    return false;
  }

  bool add_element(const XmlNode& node, const std::string& at, const std::string& name, bool outermost) {
    const ElementKind* const kind = elements::find(node.tag);
    const bool block = kind == &elements::block, subsystem = kind == &elements::subsystem;
    if (!block && !subsystem && (outermost || kind == nullptr || !elements::has_own_names(*kind)))
      return refuse("<" + node.tag + ">");
    if (block && node.value("type").empty()) return refuse("a <block> without a type");
    Words words{"add", block ? std::string(node.value("type")) : node.tag, at + name};
    for (const auto& [key, attribute] : node.attributes)
      if (key != "name" && !(block && key == "type") && !(outermost && (key == "ui.x" || key == "ui.y")))
        words.push_back(key + "=" + attribute.value);
    if (!note(std::move(words))) return false;
    if (subsystem) return add(node, at + name + ".", {}, false);
    for (const XmlNode& child : node.children)
      if (child.kind != XmlNode::Kind::comment) return refuse("a <" + node.tag + "> with something in it");
    return true;
  }

  bool connect(const XmlNode& wire, const std::string& at, const std::map<std::string, std::string>& renamed,
               bool outermost) {
    Words words{std::string(elements::connect.tag)};
    for (const char* end : {"from", "to"}) {
      const std::string path(wire.value(end)), name = first_name(path);
      const auto known = renamed.find(name);
      if (known == renamed.end() && outermost) return refuse("a wire of " + in_quotes(name) + ", which it has not");
      words.push_back(at + (known == renamed.end() ? name : known->second) + path.substr(name.size()));
    }
    for (const auto& [key, attribute] : wire.attributes)
      if (key != "from" && key != "to" && !key.starts_with("ui.")) words.push_back(key + "=" + attribute.value);
    return note(std::move(words));
  }

  std::string& error_;
};

} // namespace

std::string clipping_of(const std::string& text, const XmlNode& body, const std::vector<std::string>& names) {
  const auto wanted = [&names](std::string_view name) {
    return std::find(names.begin(), names.end(), name) != names.end();
  };
  std::string clipping = "<diagram format=\"1\">\n";
  for (const XmlNode& child : body.children)
    if ((is_element(child) && wanted(child.value("name"))) ||
        (child.is(elements::connect.tag) && wanted(first_name(child.value("from"))) &&
         wanted(first_name(child.value("to")))))
      clipping += "  " + text.substr(child.whole.begin, child.whole.end - child.whole.begin) + "\n";
  return clipping + "</diagram>\n";
}

std::optional<Pasting> pasting_of(const std::string& clipping, const std::string& at, std::set<std::string> taken,
                                  std::string& error) {
  Sources sources;
  Diagnostics diagnostics;
  const std::optional<XmlSpans> spans = scan_spans(sources.add("the clipboard", "", clipping), diagnostics);
  if (!spans || !spans->root().is("diagram")) {
    error = "the clipboard holds no part of a diagram";
    if (!spans && !diagnostics.sorted().empty()) error += ": " + diagnostics.sorted().front().what;
    return std::nullopt;
  }
  Paster paster(error);
  if (!paster.add(spans->root(), at, std::move(taken), true)) return std::nullopt;
  if (paster.made.operations.empty()) {
    error = "the clipboard holds no block";
    return std::nullopt;
  }
  return std::move(paster.made);
}

} // namespace hilda::authoring
