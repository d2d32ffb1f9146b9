// SPDX-License-Identifier: BSD-3-Clause
#include "engine/authoring/detail/schema/schema_writer.h"
#include "engine/authoring/schema.h"
#include "engine/authoring/schema_elements.h"
#include "engine/diagram/inner_element_kinds.h"
#include "engine/diagram/overlay_kinds.h"
#include "engine/plugin/own_type.h"

#include <algorithm>
#include <set>

namespace hilda::authoring {
namespace {

using namespace schema;
using Element = SchemaWriter::Element;

/// "type.contact.PhaseLead"
std::string define_of(const BlockType& type) {
  std::string name = "type." + type.name;
  name.replace(name.find('/'), 1, ".");
  return name;
}

class RelaxNg {
public:
  RelaxNg(const Catalogue& catalogue, const SchemaOptions& options) : catalogue_(catalogue), options_(options) {}

  std::string text() {
    {
      const Element grammar(to_, "grammar",
                            {{"xmlns", "http://relaxng.org/ns/structure/1.0"},
                             {"xmlns:a", "http://relaxng.org/ns/compatibility/annotations/1.0"},
                             {"datatypeLibrary", "http://www.w3.org/2001/XMLSchema-datatypes"}});
      start();
      body();
      for (const ElementRule& each : plain_elements()) plain_element(each);
      block();
      subsystem();
      for (const BlockType* type : catalogue_.all()) block_type(*type);
      editors();
      for (const ValueRule& each : named_rules()) define(each);
      for (const ValueRule& each : more_) define(each);
    }
    return to_.text();
  }

private:
  void documentation(const std::string& text) {
    if (!text.empty()) to_.leaf("a:documentation", {}, text);
  }
  void reference(const std::string& name) { to_.leaf("ref", {{"name", name}}); }

  void start() {
    {
      const Element starts(to_, "start");
      const Element one_of(to_, "choice");
      reference("diagram");
      reference("overlay");
    }
    {
      const Element define(to_, "define", {{"name", "diagram"}});
      const Element element(to_, "element", {{"name", "diagram"}});
      documentation(std::string(elements::diagram.doc));
      attributes(rules_of(elements::diagram.attributes));
      const Element any(to_, "zeroOrMore");
      reference("element");
    }
    const Element define(to_, "define", {{"name", "overlay"}});
    const Element element(to_, "element", {{"name", "overlay"}});
    documentation(std::string(overlay_elements::overlay.doc));
    attributes(rules_of(overlay_elements::overlay.attributes));
    const Element any(to_, "zeroOrMore");
    const Element one_of(to_, "choice");
    for (const ElementKind* each : overlay_elements::all) overlay_element(rule_of(*each));
  }

  void overlay_element(const ElementRule& rule) {
    const Element element(to_, "element", {{"name", rule.name}});
    documentation(rule.doc);
    attributes(rule.attributes);
    to_.leaf("empty");
  }

  void body() {
    const Element define(to_, "define", {{"name", "element"}});
    const Element one_of(to_, "choice");
    for (const ElementRule& each : plain_elements()) reference(each.name);
    reference("block");
    reference("subsystem");
  }

  void plain_element(const ElementRule& rule) {
    const Element define(to_, "define", {{"name", rule.name}});
    const Element element(to_, "element", {{"name", rule.name}});
    documentation(rule.doc);
    attributes(rule.attributes);
    to_.leaf("empty");
  }

  /// The elements inside a block that has its own slots.
  void inside() {
    const Element define(to_, "define", {{"name", "inside"}});
    const Element any(to_, "zeroOrMore");
    const Element one_of(to_, "choice");
    for (const ElementKind& each : inner_elements::all) inner(rule_of(each), each.tag == inner_elements::state.tag);
  }

  /// A state may hold states, which hold none.
  void inner(const ElementRule& rule, bool holds) {
    const Element element(to_, "element", {{"name", rule.name}});
    documentation(rule.doc);
    attributes(rule.attributes);
    if (!holds) return to_.leaf("empty");
    const Element any(to_, "zeroOrMore");
    inner(rule, false);
  }

  void block() {
    inside();
    const Element define(to_, "define", {{"name", "block"}});
    const Element element(to_, "element", {{"name", "block"}});
    documentation(std::string(elements::block.doc));
    {
      const Element one_of(to_, "choice");
      for (const BlockType* type : catalogue_.all()) reference(define_of(*type));
      if (catalogue_.all().empty()) to_.leaf("notAllowed");
    }
    attribute(rule_of(*elements::block.find("name")));
    shared();
    reference("editors");
    to_.leaf("empty");
  }

  /// `outputs` needs an `enable`.
  void shared() {
    const std::vector<AttributeRule> all = rules_of(attributes::shared);
    const auto named = [&](const char* name) {
      return *std::find_if(all.begin(), all.end(), [&](const AttributeRule& each) { return each.name == name; });
    };
    for (const AttributeRule& each : all)
      if (each.name != "enable" && each.name != "outputs") attribute(each);
    const Element optional(to_, "optional");
    bare_attribute(named("enable"));
    attribute(named("outputs"));
  }

  void block_type(const BlockType& type) {
    const Element define(to_, "define", {{"name", define_of(type)}});
    {
      const Element attribute(to_, "attribute", {{"name", "type"}});
      documentation(documentation_of(type));
      to_.leaf("value", {}, type.name);
    }
    if (!has_own_slots(type)) return attributes_together(parameters_of(type));
    for (const AttributeRule& each : parameters_of(type))
      attribute(each); // libxml2 knows no one of several next to any
    std::vector<std::string> known = {"name", "type"};
    for (const AttributeRule& each : rules_of(attributes::shared)) known.push_back(each.name);
    for (const AttributeRule& each : parameters_of(type)) known.push_back(each.name);
    for (const std::string& each : options_.editor_attributes) known.push_back("ui." + each);
    any_other_attribute("Of a parameter that follows from the elements inside", known);
    reference("inside");
  }

  void any_other_attribute(const std::string& doc, const std::vector<std::string>& known) {
    const Element any(to_, "zeroOrMore");
    const Element other(to_, "attribute");
    documentation(doc);
    {
      const Element names(to_, "anyName");
      const Element except(to_, "except");
      for (const std::string& each : known) to_.leaf("name", {}, each);
      to_.leaf("nsName", {{"ns", "http://www.w3.org/XML/1998/namespace"}});
    }
    reference("value.text");
  }

  /// Either a file or a body; whatever is not reserved goes to the parameters of the diagram inside.
  void subsystem() {
    const Element define(to_, "define", {{"name", "subsystem"}});
    const Element element(to_, "element", {{"name", "subsystem"}});
    documentation(std::string(elements::subsystem.doc));
    attribute(rule_of(*elements::subsystem.find("name")));
    shared();
    for (const AttributeRule& each : rules_of(attributes::repeating)) attribute(each);
    any_other_attribute("Value of a parameter of its diagram", rule("parameter_name").excluded);
    const Element one_of(to_, "choice");
    {
      const Element file(to_, "group");
      attribute(rule_of(elements::subsystem.find("src")->required()));
      to_.leaf("empty");
    }
    const Element inside(to_, "oneOrMore");
    reference("element");
  }

  void editors() {
    const Element define(to_, "define", {{"name", "editors"}});
    if (options_.editor_attributes.empty()) return to_.leaf("empty");
    for (const std::string& each : options_.editor_attributes) {
      const Element optional(to_, "optional");
      const Element attribute(to_, "attribute", {{"name", "ui." + each}});
      documentation("Of an editor: kept in the file and never read");
      to_.leaf("text");
    }
  }

  /// Validators that follow every way to leave out optional attributes (libxml2) take twice as long for each that is
  /// given. Where there are many, those with the same values become one pattern for any of their names, which means
  /// the same: no attribute can be given twice.
  void attributes_together(const std::vector<AttributeRule>& rules) {
    constexpr std::size_t few = 4;
    std::vector<AttributeRule> optional;
    for (const AttributeRule& each : rules) {
      if (each.required)
        attribute(each);
      else
        optional.push_back(each);
    }
    while (!optional.empty()) {
      const AttributeRule first = optional.front();
      const auto alike = [&](const AttributeRule& each) {
        return each.value.name == first.value.name && each.value.words == first.value.words;
      };
      const auto rest = std::stable_partition(optional.begin(), optional.end(), alike);
      const std::vector<AttributeRule> together(optional.begin(), rest);
      optional.erase(optional.begin(), rest);
      if (together.size() == 1 || rules.size() <= few)
        for (const AttributeRule& each : together) attribute(each);
      else
        one_pattern(together);
    }
  }

  void one_pattern(const std::vector<AttributeRule>& rules) {
    const Element any(to_, "zeroOrMore");
    const Element attribute(to_, "attribute");
    std::string docs;
    for (const AttributeRule& each : rules) docs += (docs.empty() ? "" : "\n") + each.name + ": " + each.doc;
    documentation(docs);
    {
      const Element names(to_, "choice");
      for (const AttributeRule& each : rules) to_.leaf("name", {}, each.name);
    }
    value(rules.front().value);
  }

  void attributes(const std::vector<AttributeRule>& rules) {
    attributes_together(rules);
    reference("editors");
  }

  void attribute(const AttributeRule& rule) {
    if (rule.required) return bare_attribute(rule);
    const Element optional(to_, "optional");
    bare_attribute(rule);
  }

  void bare_attribute(const AttributeRule& rule) {
    const Element attribute(to_, "attribute", {{"name", rule.name}});
    documentation(rule.doc);
    value(rule.value);
  }

  /// A rule with a name is defined once, at the end.
  void value(const ValueRule& rule) {
    if (rule.anything()) return to_.leaf("text");
    if (rule.name.empty()) return content(rule);
    reference("value." + rule.name);
    bool named = false;
    for (const ValueRule& each : named_rules()) named = named || each.name == rule.name;
    if (!named && seen_.insert(rule.name).second) more_.push_back(rule);
  }

  void define(const ValueRule& rule) {
    const Element define(to_, "define", {{"name", "value." + rule.name}});
    content(rule);
  }

  void content(const ValueRule& rule) {
    const Element one_of(to_, "choice");
    for (const std::string& word : rule.words) to_.leaf("value", {}, word);
    for (const std::string& pattern : rule.patterns) {
      const Element data(to_, "data", {{"type", "string"}});
      to_.leaf("param", {{"name", "pattern"}}, pattern);
      if (rule.excluded.empty()) continue;
      const Element except(to_, "except");
      const Element any(to_, "choice");
      for (const std::string& word : rule.excluded) to_.leaf("value", {{"type", "string"}}, word);
    }
  }

  const Catalogue& catalogue_;
  const SchemaOptions& options_;
  SchemaWriter to_{
      " Diagrams and overlays of hilda, with the block types of one installation: written by hilda schema "};
  std::set<std::string> seen_;
  std::vector<ValueRule> more_; ///< of numbers of a fixed length
};

} // namespace

std::string relax_ng(const Catalogue& catalogue, const SchemaOptions& options) {
  return RelaxNg(catalogue, options).text();
}

} // namespace hilda::authoring
