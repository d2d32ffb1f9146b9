// SPDX-License-Identifier: BSD-3-Clause
#include "engine/diagram/detail/xml/elements.h"

#include "engine/base/budget.h"
#include "engine/base/error.h"
#include "engine/diagram/attribute_words.h"
#include "engine/diagram/document.h"
#include "engine/diagram/element_kinds.h"
#include "engine/diagram/names.h"
#include "engine/diagram/reader.h"

#include <algorithm>
#include <filesystem>

namespace hilda::diagram {
namespace {

using Others = AttributeReader::Others;

/// Those attributes from the one at `first` on that are given.
std::vector<Attribute> values_from(const AttributeReader& read, const ElementKind& kind, std::size_t first) {
  std::vector<Attribute> values;
  for (std::size_t i = first; i < kind.attributes.size(); ++i)
    if (read.given(i)) values.push_back({std::string(kind.attributes[i].name), read.text(i), read.where(i)});
  return values;
}

/// Room for what is there in hundreds of thousands: lists that double take twice their memory.
void reserve(const ParsedNode& parent, DiagramDecl& into) {
  std::size_t blocks = 0, connects = 0;
  for (const ParsedNode* at = parent.first_element(); at != nullptr; at = at->next_element()) {
    const std::string_view tag = at->name;
    blocks += tag == elements::block.tag ? 1 : 0;
    connects += tag == elements::connect.tag ? 1 : 0;
  }
  into.blocks.reserve(blocks);
  into.connects.reserve(connects);
}

/// All attributes that blocks and subsystems share, and parameters.
template <const ElementKind& Kind, typename Decl> Decl placed(AttributeReader& from, Location where) {
  Decl made;
  const auto take = [&from](std::size_t index, auto& into) {
    if (from.given(index)) into = from.text(index);
  };
  static constexpr auto name = Kind.index("name"), mode = Kind.index("mode"), sample_time = Kind.index("sample_time"),
                        enable = Kind.index("enable"), reset = Kind.index("reset"), outputs = Kind.index("outputs"),
                        doc = Kind.index("doc");
  made.name = from.text(name);
  take(mode, made.mode), take(sample_time, made.sample_time), take(enable, made.enable), take(reset, made.reset);
  take(outputs, made.outputs), take(doc, made.doc);
  made.parameters = from.take_others();
  made.where = where;
  return made;
}

std::vector<std::string> strings(std::span<const std::string_view> views) { return {views.begin(), views.end()}; }

std::vector<std::string> all_tags() {
  std::vector<std::string> tags;
  for (const ElementKind* each : elements::all) tags.emplace_back(each->tag);
  return tags;
}

} // namespace

std::shared_ptr<const DiagramDecl> ElementReader::diagram(const ParsedNode& root) {
  static constexpr const ElementKind& kind = elements::diagram;
  static constexpr auto format = kind.index("format"), name = kind.index("name"), period = kind.index("period"),
                        events = kind.index("events"), doc = kind.index("doc");
  const AttributeReader read(context_, root, known_of<kind>, Others::refused);
  auto made = std::make_shared<DiagramDecl>();
  made->where = context_.at(root.line);
  made->name = read.given(name) ? read.text(name) : std::filesystem::path(context_.file->name).stem().string();
  if (read.given(name)) check_name(made->name, read.where(name), false);
  made->period = read.text(period);
  const auto keep = [&](std::size_t index, Attribute& into) {
    if (read.given(index)) into = {std::string(kind.attributes[index].name), read.text(index), read.where(index)};
  };
  static constexpr auto solver = kind.index("solver"), rtol = kind.index("rtol"), atol = kind.index("atol"),
                        max_step = kind.index("max_step");
  keep(solver, made->solver), keep(rtol, made->rtol), keep(atol, made->atol), keep(max_step, made->max_step);
  keep(events, made->events);
  static constexpr std::array<std::string_view, 1> located = {"located"};
  check_word(read, events, located);
  made->doc = read.text(doc);
  if (!read.given(format))
    context_.diagnostics->error("format-missing", made->where, "the diagram does not say its format",
                                "write <diagram format=\"1\" ...>");
  else if (read.view(format) != "1")
    context_.diagnostics->error("format-unsupported", read.where(format),
                                "the format " + hilda::base::in_quotes(read.view(format)) +
                                    " is not known here, only format 1 is",
                                "a newer hilda may read it; otherwise write format=\"1\"");
  body(root, *made, 0);
  return made;
}

void ElementReader::body(const ParsedNode& parent, DiagramDecl& into, int depth) {
  reserve(parent, into);
  for (const ParsedNode* at = parent.first_child; at != nullptr; at = at->next) {
    const ParsedNode* element = at->as_element();
    if (element == nullptr) {
      refuse_content(*at, parent);
      continue;
    }
    const std::string_view tag = element->name;
    if (elements::find(tag) != nullptr) {
      child(*element, tag, into, depth);
      continue;
    }
    std::vector<std::string> others = all_tags();
    const std::string near = context_.suggestions->near(std::string(tag), others);
    std::erase(others, elements::block.tag);
    context_.diagnostics->error(
        "unknown-element", context_.at(element->line), "a diagram has no element <" + std::string(tag) + ">",
        near.empty() ? "blocks are written <block name=\"...\" type=\"...\"/>; other elements are: " + listed(others)
                     : "did you mean <" + near + ">?");
    // Read as what was probably meant, so that wires to it find it.
    if (!near.empty()) child(*element, near, into, depth);
  }
  check_unique_names(into, *context_.diagnostics);
  check_annotation_names(parent, into);
}

/// Only drawings read it, from the file itself.
template <const ElementKind& Kind> void ElementReader::annotation(const ParsedNode& element) {
  static constexpr auto name = Kind.index("name");
  const AttributeReader read(context_, element, known_of<Kind>, Others::refused);
  if (read.given(name)) check_name(read.view(name), read.where(name), false);
}

void ElementReader::child(const ParsedNode& element, std::string_view tag, DiagramDecl& into, int depth) {
  working_at(context_.at(element.line));
  if (tag == elements::subsystem.tag) return subsystem(element, into, depth);
  if (tag == elements::block.tag) return block(element, into);
  refuse_children(element);
  if (tag == elements::connect.tag) return connect(element, into);
  if (tag == elements::parameter.tag) return parameter(element, into);
  if (tag == elements::power_port.tag) return power_port(element, into);
  if (tag == elements::limits.tag) return limits(element, into);
  if (tag == elements::quality.tag) return quality(element, into);
  if (tag == elements::realtime.tag) return realtime(element, into);
  if (tag == elements::log.tag) return log(element, into);
  if (tag == elements::figure.tag) return figure(element, into);
  if (tag == elements::live.tag) return live(element, into);
  if (tag == elements::note.tag) return annotation<elements::note>(element);
  if (tag == elements::area.tag) return annotation<elements::area>(element);
  port(element, into, tag == elements::input.tag);
}

void ElementReader::parameter(const ParsedNode& element, DiagramDecl& into) {
  static constexpr const ElementKind& kind = elements::parameter;
  static constexpr auto name = kind.index("name"), value = kind.index("value"), doc = kind.index("doc"),
                        mode = kind.index("mode"), group = kind.index("group");
  const AttributeReader read(context_, element, known_of<kind>, Others::refused);
  check_mode(read, mode);
  if (!read.given(name)) return;
  ParameterDecl made{
      {read.text(name), read.text(value), read.given(value) ? read.where(value) : context_.at(element.line)},
      read.text(doc),
      read.text(mode),
      !read.given(value),
      read.text(group)};
  if (is_reserved(made.name))
    context_.diagnostics->error(
        "reserved-name", read.where(name), hilda::base::in_quotes(made.name) + " cannot be the name of a parameter",
        made.name == "period" ? "the period is an attribute of <diagram>; its value is ${period}"
                              : "it is an attribute that every subsystem has; choose another");
  else
    check_name(made.name, read.where(name), false);
  into.parameters.push_back(std::move(made));
}

void ElementReader::port(const ParsedNode& element, DiagramDecl& into, bool input) {
  // An output has the first ones of an input's attributes.
  static constexpr const ElementKind& kind = elements::input;
  static constexpr auto name = kind.index("name"), doc = kind.index("doc"), mode = kind.index("mode"),
                        shape = kind.index("shape"), unit = kind.index("unit"), optional = kind.index("optional"),
                        default_value = kind.index("default");
  static constexpr std::array<std::string_view, 4> booleans = {"true", "false", "on", "off"};
  const AttributeReader read(context_, element, known_of<kind>, Others::refused,
                             (input ? kind : elements::output).attributes.size());
  check_mode(read, mode);
  if (input) check_word(read, optional, booleans);
  if (!read.given(name)) return;
  const bool may_stay_undriven = input && (read.view(optional) == "true" || read.view(optional) == "on");
  Attribute otherwise;
  if (input && read.given(default_value))
    otherwise = {read.text(name), read.text(default_value), read.where(default_value)};
  check_name(read.view(name), read.where(name), true);
  if (!otherwise.name.empty() && (is_reserved(otherwise.name) || otherwise.name.find('.') != std::string::npos)) {
    context_.diagnostics->error("input-default", otherwise.where,
                                "the input " + hilda::base::in_quotes(otherwise.name) +
                                    " cannot have a default: it would be a parameter, and that cannot be its name",
                                "choose a name without dots that is not an attribute of a subsystem");
    otherwise = {};
  }
  (input ? into.inputs : into.outputs)
      .push_back({.name = read.text(name),
                  .doc = read.text(doc),
                  .mode = read.text(mode),
                  .shape = read.text(shape),
                  .unit = read.text(unit),
                  .optional = may_stay_undriven,
                  .default_value = std::move(otherwise),
                  .where = context_.at(element.line)});
}

void ElementReader::block(const ParsedNode& element, DiagramDecl& into) {
  static constexpr const ElementKind& kind = elements::block;
  static constexpr auto name = kind.index("name"), type = kind.index("type"), mode = kind.index("mode"),
                        outputs = kind.index("outputs");
  AttributeReader read(context_, element, known_of<kind>, Others::kept);
  check_mode(read, mode), check_word(read, outputs, held_or_reset);
  std::vector<ChildDecl> children;
  block_children(element, children, ChildDecl::in_block);
  if (!read.given(name)) return;
  check_name(read.view(name), read.where(name), false);
  into.blocks.push_back(placed<kind, BlockDecl>(read, context_.at(element.line)));
  into.blocks.back().type = read.text(type);
  into.blocks.back().children = std::move(children);
}

void ElementReader::subsystem(const ParsedNode& element, DiagramDecl& into, int depth) {
  static constexpr const ElementKind& kind = elements::subsystem;
  static constexpr auto name = kind.index("name"), src = kind.index("src"), edge = kind.index("edge"),
                        for_each = kind.index("for_each"), trigger = kind.index("trigger"), mode = kind.index("mode"),
                        outputs = kind.index("outputs");
  AttributeReader read(context_, element, known_of<kind>, Others::kept);
  check_mode(read, mode), check_word(read, outputs, held_or_reset);
  check_word(read, edge, trigger_edges);
  const Location where = context_.at(element.line);
  const bool inlined = element.first_element() != nullptr;
  std::shared_ptr<const DiagramDecl> inside;
  if (read.given(src) && inlined) {
    context_.diagnostics->error("src-and-body", where, element_label(element) + " has both src and a body",
                                "remove src, or move the body into the file " + hilda::base::in_quotes(read.view(src)));
  } else if (read.given(src)) {
    refuse_children(element);
    inside = includes_.include(read.text(src), read.where(src));
  } else if (depth + 1 >= XmlLimits::nesting) {
    context_.diagnostics->error("xml-too-deep", where, "elements are nested too deeply",
                                "at most " + std::to_string(XmlLimits::nesting - 1) + " subsystems may be nested");
  } else {
    if (!inlined)
      context_.diagnostics->error("subsystem-empty", where, element_label(element) + " has neither src nor a body",
                                  "name a diagram file with src=\"...\", or write its elements inside");
    auto made = std::make_shared<DiagramDecl>();
    made->name = read.text(name);
    made->where = where;
    body(element, *made, depth + 1);
    if (inlined) inside = std::move(made);
  }
  if (!read.given(name)) return;
  check_name(read.view(name), read.where(name), false);
  SubsystemDecl& made = into.subsystems.emplace_back(placed<kind, SubsystemDecl>(read, where));
  made.src = read.text(src);
  made.trigger = read.text(trigger);
  made.edge = read.text(edge);
  if (read.given(for_each)) made.for_each = {"for_each", read.text(for_each), read.where(for_each)};
  into.subsystems.back().body = std::move(inside);
}

void ElementReader::connect(const ParsedNode& element, DiagramDecl& into) {
  static constexpr const ElementKind& kind = elements::connect;
  static constexpr auto from = kind.index("from"), to = kind.index("to"), mode = kind.index("mode"),
                        shape = kind.index("shape");
  const AttributeReader read(context_, element, known_of<kind>, Others::refused);
  check_mode(read, mode);
  into.connects.push_back(
      {.from = read.text(from),
       .to = read.text(to),
       .mode = read.text(mode),
       .shape = read.given(shape) ? Attribute{"shape", read.text(shape), read.where(shape)} : Attribute{},
       .where = context_.at(element.line)});
}

void ElementReader::power_port(const ParsedNode& element, DiagramDecl& into) {
  static constexpr const ElementKind& kind = elements::power_port;
  static constexpr auto name = kind.index("name"), effort = kind.index("effort"), flow = kind.index("flow"),
                        rule = kind.index("rule"), from = kind.index("from"), to = kind.index("to"),
                        mode = kind.index("mode"), doc = kind.index("doc");
  const AttributeReader read(context_, element, known_of<kind>, Others::refused);
  check_mode(read, mode);
  check_word(read, rule, power_rules);
  if (!read.given(name)) return;
  check_name(read.view(name), read.where(name), false);
  into.power_ports.push_back({.name = read.text(name),
                              .effort = read.text(effort),
                              .flow = read.text(flow),
                              .rule = std::string(read.given(rule) ? read.view(rule) : power_rules.front()),
                              .from = read.text(from),
                              .to = read.text(to),
                              .mode = read.text(mode),
                              .doc = read.text(doc),
                              .where = context_.at(element.line)});
}

void ElementReader::limits(const ParsedNode& element, DiagramDecl& into) {
  static constexpr const ElementKind& kind = elements::limits;
  static constexpr auto on = kind.index("on"), mode = kind.index("mode"), doc = kind.index("doc");
  const AttributeReader read(context_, element, known_of<kind>, Others::refused);
  check_mode(read, mode);
  if (!read.given(on)) return;
  into.limits.push_back({.on = read.text(on),
                         .mode = read.text(mode),
                         .doc = read.text(doc),
                         .values = values_from(read, kind, doc + 1),
                         .where = context_.at(element.line)});
}

void ElementReader::quality(const ParsedNode& element, DiagramDecl& into) {
  static constexpr const ElementKind& kind = elements::quality;
  static constexpr auto on = kind.index("on"), mode = kind.index("mode"), doc = kind.index("doc");
  const AttributeReader read(context_, element, known_of<kind>, Others::refused);
  check_mode(read, mode);
  if (!read.given(on)) return;
  into.quality.push_back({.on = read.text(on),
                          .mode = read.text(mode),
                          .doc = read.text(doc),
                          .values = values_from(read, kind, doc + 1),
                          .where = context_.at(element.line)});
}

void ElementReader::realtime(const ParsedNode& element, DiagramDecl& into) {
  static constexpr const ElementKind& kind = elements::realtime;
  static constexpr auto mode = kind.index("mode"), doc = kind.index("doc");
  const AttributeReader read(context_, element, known_of<kind>, Others::refused);
  check_mode(read, mode);
  into.realtime.push_back({.mode = read.text(mode),
                           .doc = read.text(doc),
                           .values = values_from(read, kind, doc + 1),
                           .where = context_.at(element.line)});
}

void ElementReader::log(const ParsedNode& element, DiagramDecl& into) {
  static constexpr const ElementKind& kind = elements::log;
  static constexpr auto signals = kind.index("signals"), every = kind.index("every"), when = kind.index("when"),
                        mode = kind.index("mode"), doc = kind.index("doc");
  const AttributeReader read(context_, element, known_of<kind>, Others::refused);
  check_mode(read, mode);
  if (!read.given(signals)) return;
  const auto attribute = [&](std::size_t index) {
    return Attribute{std::string(kind.attributes[index].name), read.text(index), read.where(index)};
  };
  into.logs.push_back({.signals = attribute(signals),
                       .every = attribute(every),
                       .when = attribute(when),
                       .mode = read.text(mode),
                       .doc = read.text(doc),
                       .where = context_.at(element.line)});
}

void ElementReader::figure(const ParsedNode& element, DiagramDecl& into) {
  static constexpr const ElementKind& kind = elements::figure;
  static constexpr auto title = kind.index("title"), signals = kind.index("signals"), mode = kind.index("mode"),
                        doc = kind.index("doc");
  const AttributeReader read(context_, element, known_of<kind>, Others::refused);
  check_mode(read, mode);
  if (!read.given(signals) || !read.given(title)) return;
  into.figures.push_back({.title = read.text(title),
                          .signals = {"signals", read.text(signals), read.where(signals)},
                          .mode = read.text(mode),
                          .doc = read.text(doc),
                          .where = context_.at(element.line)});
}

void ElementReader::live(const ParsedNode& element, DiagramDecl& into) {
  static constexpr const ElementKind& kind = elements::live;
  static constexpr auto path = kind.index("path"), rate = kind.index("rate"), mode = kind.index("mode"),
                        doc = kind.index("doc");
  const AttributeReader read(context_, element, known_of<kind>, Others::refused);
  check_mode(read, mode);
  if (!read.given(path) || !read.given(rate)) return;
  into.live.push_back({.path = read.text(path),
                       .rate = {"rate", read.text(rate), read.where(rate)},
                       .mode = read.text(mode),
                       .doc = read.text(doc),
                       .where = context_.at(element.line)});
}

void ElementReader::check_word(const AttributeReader& read, std::size_t index,
                               std::span<const std::string_view> allowed) {
  if (!read.given(index) || std::find(allowed.begin(), allowed.end(), read.view(index)) != allowed.end()) return;
  context_.diagnostics->error("bad-word", read.where(index),
                              hilda::base::in_quotes(read.view(index)) + " is not possible here",
                              context_.suggestions->help(read.text(index), strings(allowed), "one of"));
}

} // namespace hilda::diagram
