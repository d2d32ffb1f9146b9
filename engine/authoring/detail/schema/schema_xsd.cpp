// SPDX-License-Identifier: BSD-3-Clause
#include "engine/authoring/detail/schema/schema_writer.h"
#include "engine/authoring/schema.h"
#include "engine/authoring/schema_elements.h"
#include "engine/diagram/inner_element_kinds.h"
#include "engine/diagram/overlay_kinds.h"

#include <algorithm>
#include <map>
#include <set>

namespace hilda::authoring {
namespace {

using namespace schema;
using Element = SchemaWriter::Element;

/// One attribute name over all block types that have a parameter of this name.
struct SharedParameter {
  std::vector<ValueRule> rules; ///< each that occurs, once
  std::string doc;              ///< a line for each type
};

bool same(const ValueRule& a, const ValueRule& b) {
  return a.name == b.name && a.words == b.words && a.patterns == b.patterns;
}

std::map<std::string, SharedParameter> shared_parameters(const Catalogue& catalogue) {
  std::map<std::string, SharedParameter> all;
  for (const BlockType* type : catalogue.all())
    for (const AttributeRule& each : parameters_of(*type)) {
      SharedParameter& shared = all[each.name];
      const auto known = [&](const ValueRule& rule) { return same(rule, each.value); };
      if (std::none_of(shared.rules.begin(), shared.rules.end(), known)) shared.rules.push_back(each.value);
      shared.doc += (shared.doc.empty() ? "" : "\n") + type->name + ": " + each.doc;
    }
  return all;
}

class XmlSchema {
public:
  XmlSchema(const Catalogue& catalogue, const SchemaOptions& options) : catalogue_(catalogue), options_(options) {}

  std::string text() {
    {
      const Element root(to_, "xs:schema",
                         {{"xmlns:xs", "http://www.w3.org/2001/XMLSchema"}, {"elementFormDefault", "qualified"}});
      diagram();
      overlay();
      body();
      block();
      subsystem();
      for (const ValueRule& each : named_rules()) define(each);
      for (const ValueRule& each : more_) define(each);
    }
    return to_.text();
  }

private:
  void documentation(const std::string& text) {
    if (text.empty()) return;
    const Element annotation(to_, "xs:annotation");
    to_.leaf("xs:documentation", {}, text);
  }

  void diagram() {
    const Element element(to_, "xs:element", {{"name", "diagram"}});
    documentation(std::string(elements::diagram.doc));
    {
      const Element type(to_, "xs:complexType");
      to_.leaf("xs:group", {{"ref", "elements"}, {"minOccurs", "0"}, {"maxOccurs", "unbounded"}});
      attributes(rules_of(elements::diagram.attributes));
      editors();
    }
    unique("diagram");
  }

  void overlay() {
    const Element element(to_, "xs:element", {{"name", "overlay"}});
    documentation(std::string(overlay_elements::overlay.doc));
    {
      const Element type(to_, "xs:complexType");
      {
        const Element any(to_, "xs:choice", {{"minOccurs", "0"}, {"maxOccurs", "unbounded"}});
        for (const ElementKind* each : overlay_elements::all) overlay_element(rule_of(*each));
      }
      attributes(rules_of(overlay_elements::overlay.attributes));
      editors();
    }
    unique("overlay.paths", "set", {"@path", "@at"});
    unique("overlay.played", "play", {"@path"});
  }

  void overlay_element(const ElementRule& rule) {
    const Element element(to_, "xs:element", {{"name", rule.name}});
    documentation(rule.doc);
    const Element type(to_, "xs:complexType");
    attributes(rule.attributes);
    editors();
  }

  /// Within one mode a name occurs once; an element without a mode is not compared with what has.
  void unique(const std::string& element) {
    unique(element + ".elements", "block|subsystem", {"@name", "@mode"});
    for (const ElementKind* each : elements::all)
      if (elements::has_own_names(*each))
        unique(element + "." + std::string(each->tag), std::string(each->tag), {"@name", "@mode"});
  }

  void unique(const std::string& name, const std::string& selector, const std::vector<std::string>& fields) {
    const Element rule(to_, "xs:unique", {{"name", name}});
    to_.leaf("xs:selector", {{"xpath", selector}});
    for (const std::string& field : fields) to_.leaf("xs:field", {{"xpath", field}});
  }

  void body() {
    const Element group(to_, "xs:group", {{"name", "elements"}});
    const Element one_of(to_, "xs:choice");
    for (const ElementRule& each : plain_elements()) {
      const Element element(to_, "xs:element", {{"name", each.name}});
      documentation(each.doc);
      const Element type(to_, "xs:complexType");
      attributes(each.attributes);
      editors();
    }
    to_.leaf("xs:element", {{"ref", "block"}});
    to_.leaf("xs:element", {{"ref", "subsystem"}});
  }

  /// The elements inside a block that has its own slots; XSD cannot say which types those are.
  void inside() {
    const Element one_of(to_, "xs:choice", {{"minOccurs", "0"}, {"maxOccurs", "unbounded"}});
    for (const ElementKind& each : inner_elements::all) inner(rule_of(each), each.tag == inner_elements::state.tag);
  }

  /// A state may hold states, which hold none.
  void inner(const ElementRule& rule, bool holds) {
    const Element element(to_, "xs:element", {{"name", rule.name}});
    documentation(rule.doc);
    const Element type(to_, "xs:complexType");
    if (holds) {
      const Element any(to_, "xs:sequence", {{"minOccurs", "0"}, {"maxOccurs", "unbounded"}});
      inner(rule, false);
    }
    attributes(rule.attributes);
    editors();
  }

  void block() {
    const Element element(to_, "xs:element", {{"name", "block"}});
    documentation(std::string(elements::block.doc));
    const Element type(to_, "xs:complexType");
    inside();
    {
      const Element attribute(to_, "xs:attribute", {{"name", "type"}, {"use", "required"}});
      const Element names(to_, "xs:simpleType");
      const Element words(to_, "xs:restriction", {{"base", "xs:token"}});
      for (const BlockType* each : catalogue_.all()) {
        const Element word(to_, "xs:enumeration", {{"value", each->name}});
        documentation(documentation_of(*each));
      }
    }
    attribute(rule_of(*elements::block.find("name")));
    attributes(rules_of(attributes::shared));
    for (const auto& shared : shared_parameters(catalogue_)) parameter(shared.first, shared.second);
    editors();
  }

  void parameter(const std::string& name, const SharedParameter& shared) {
    const Element attribute(to_, "xs:attribute", {{"name", name}});
    documentation(shared.doc);
    const bool anything =
        std::any_of(shared.rules.begin(), shared.rules.end(), [](const ValueRule& each) { return each.anything(); });
    if (anything) return;
    const Element type(to_, "xs:simpleType");
    std::string members;
    for (const ValueRule& each : shared.rules)
      if (!each.name.empty()) members += (members.empty() ? "" : " ") + type_name(each);
    const Element any(to_, "xs:union",
                      members.empty() ? SchemaWriter::Attributes{}
                                      : SchemaWriter::Attributes{{"memberTypes", members}});
    for (const ValueRule& each : shared.rules)
      if (each.name.empty()) content(each);
  }

  void subsystem() {
    const Element element(to_, "xs:element", {{"name", "subsystem"}});
    documentation(std::string(elements::subsystem.doc));
    {
      const Element type(to_, "xs:complexType");
      to_.leaf("xs:group", {{"ref", "elements"}, {"minOccurs", "0"}, {"maxOccurs", "unbounded"}});
      attribute(rule_of(*elements::subsystem.find("name")));
      attribute(rule_of(*elements::subsystem.find("src")));
      attributes(rules_of(attributes::shared));
      attributes(rules_of(attributes::repeating));
      to_.leaf("xs:anyAttribute", {{"namespace", "##local"}, {"processContents", "skip"}});
    }
    unique("subsystem");
  }

  void editors() {
    for (const std::string& each : options_.editor_attributes) to_.leaf("xs:attribute", {{"name", "ui." + each}});
  }

  void attributes(const std::vector<AttributeRule>& rules) {
    for (const AttributeRule& each : rules) attribute(each);
  }

  void attribute(const AttributeRule& rule) {
    SchemaWriter::Attributes made = {{"name", rule.name}};
    if (!rule.value.anything() && !rule.value.name.empty()) made.emplace_back("type", type_name(rule.value));
    if (rule.value.anything()) made.emplace_back("type", "xs:string");
    if (rule.required) made.emplace_back("use", "required");
    const Element element(to_, "xs:attribute", made);
    documentation(rule.doc);
  }

  std::string type_name(const ValueRule& rule) {
    bool named = false;
    for (const ValueRule& each : named_rules()) named = named || each.name == rule.name;
    if (!named && seen_.insert(rule.name).second) more_.push_back(rule);
    return "value." + rule.name;
  }

  void define(const ValueRule& rule) {
    const Element type(to_, "xs:simpleType", {{"name", "value." + rule.name}});
    choices(rule);
  }
  void content(const ValueRule& rule) {
    const Element type(to_, "xs:simpleType");
    choices(rule);
  }

  /// Words for completion, patterns for everything else. Patterns of one restriction are alternatives.
  void choices(const ValueRule& rule) {
    if (rule.words.empty()) return patterns(rule);
    if (rule.patterns.empty()) return words(rule);
    const Element either(to_, "xs:union");
    {
      const Element type(to_, "xs:simpleType");
      words(rule);
    }
    const Element type(to_, "xs:simpleType");
    patterns(rule);
  }

  void words(const ValueRule& rule) { restriction("xs:token", "xs:enumeration", rule.words); }
  void patterns(const ValueRule& rule) { restriction("xs:string", "xs:pattern", rule.patterns); }
  void restriction(const char* base, const char* facet, const std::vector<std::string>& values) {
    const Element element(to_, "xs:restriction", {{"base", base}});
    for (const std::string& each : values) to_.leaf(facet, {{"value", each}});
  }

  const Catalogue& catalogue_;
  const SchemaOptions& options_;
  SchemaWriter to_{
      " Diagrams and overlays of hilda, with the block types of one installation: written by hilda schema as XSD "};
  std::set<std::string> seen_;
  std::vector<ValueRule> more_; ///< of numbers of a fixed length
};

} // namespace

std::string xml_schema(const Catalogue& catalogue, const SchemaOptions& options) {
  return XmlSchema(catalogue, options).text();
}

} // namespace hilda::authoring
