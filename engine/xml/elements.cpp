#include "engine/xml/elements.h"

#include "engine/diagnostics/budget.h"
#include "engine/diagnostics/complaint.h"
#include "engine/model/attribute_words.h"
#include "engine/model/motion_limits.h"
#include "engine/model/quality_limits.h"
#include "engine/xml/names.h"
#include "engine/xml/reader.h"
#include "engine/xml/text/document.h"

#include <algorithm>
#include <filesystem>

namespace hilda {
namespace {

using Others = AttributeReader::Others;

constexpr std::array<std::string_view, 15> tags = {"parameter", "input",      "output", "block",   "subsystem",
                                                   "connect",   "power_port", "limits", "quality", "realtime",
                                                   "log",       "figure",     "live",   "note",    "area"};

/// Those attributes from the one at `first` on that are given.
std::vector<Attribute> values_from(const AttributeReader& read, std::span<const Known> known, std::size_t first) {
  std::vector<Attribute> values;
  for (std::size_t i = first; i < known.size(); ++i)
    if (read.given(i)) values.push_back({std::string(known[i].name), read.text(i), read.where(i)});
  return values;
}

/// Room for what is there in hundreds of thousands: lists that double take twice their memory.
void reserve(const ParsedNode& parent, DiagramDecl& into) {
  std::size_t blocks = 0, connects = 0;
  for (const ParsedNode* at = parent.first_element(); at != nullptr; at = at->next_element()) {
    const std::string_view tag = at->name;
    blocks += tag == "block" ? 1 : 0;
    connects += tag == "connect" ? 1 : 0;
  }
  into.blocks.reserve(blocks);
  into.connects.reserve(connects);
}

/// The attributes of what has a place in a diagram, a block or a subsystem; `what` says which.
struct Placed {
  enum : std::size_t { name, what, mode, sample_time, enable, reset, outputs, doc, count };
  static constexpr std::array<Known, count> with(Known what) {
    return {{{"name", true}, what, {"mode"}, {"sample_time"}, {"enable"}, {"reset"}, {"outputs"}, doc_attribute}};
  }
  /// All but what it is.
  template <typename Decl> static Decl read(AttributeReader& from, Location where) {
    Decl made;
    made.name = from.text(name);
    const auto take = [&from](std::size_t index, auto& into) {
      if (from.given(index)) into = from.text(index);
    };
    take(mode, made.mode), take(sample_time, made.sample_time), take(enable, made.enable), take(reset, made.reset);
    take(outputs, made.outputs), take(doc, made.doc);
    made.parameters = from.take_others();
    made.where = where;
    return made;
  }
};

std::vector<std::string> strings(std::span<const std::string_view> views) { return {views.begin(), views.end()}; }

} // namespace

std::shared_ptr<const DiagramDecl> ElementReader::diagram(const ParsedNode& root) {
  enum { format, name, period, solver, rtol, atol, max_step, events, doc };
  static constexpr std::array<Known, 9> known = {
      {{"format"}, {"name"}, {"period"}, {"solver"}, {"rtol"}, {"atol"}, {"max_step"}, {"events"}, doc_attribute}};
  const AttributeReader read(context_, root, known, Others::refused);
  auto made = std::make_shared<DiagramDecl>();
  made->where = context_.at(root.line);
  made->name = read.given(name) ? read.text(name) : std::filesystem::path(context_.file->name).stem().string();
  if (read.given(name)) check_name(made->name, read.where(name), false);
  made->period = read.text(period);
  const auto keep = [&](std::size_t index, Attribute& into) {
    if (read.given(index)) into = {std::string(known[index].name), read.text(index), read.where(index)};
  };
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
                                "the format " + hilda::in_quotes(read.view(format)) +
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
    if (std::find(tags.begin(), tags.end(), tag) != tags.end()) {
      child(*element, tag, into, depth);
      continue;
    }
    const std::string near = context_.suggestions->near(std::string(tag), strings(tags));
    std::vector<std::string> others = strings(tags);
    std::erase(others, "block");
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

void ElementReader::child(const ParsedNode& element, std::string_view tag, DiagramDecl& into, int depth) {
  working_at(context_.at(element.line));
  if (tag == "subsystem") return subsystem(element, into, depth);
  if (tag == "block") return block(element, into);
  refuse_children(element);
  if (tag == "connect") return connect(element, into);
  if (tag == "parameter") return parameter(element, into);
  if (tag == "power_port") return power_port(element, into);
  if (tag == "limits") return limits(element, into);
  if (tag == "quality") return quality(element, into);
  if (tag == "realtime") return realtime(element, into);
  if (tag == "log") return log(element, into);
  if (tag == "figure") return figure(element, into);
  if (tag == "live") return live(element, into);
  if (tag == "note" || tag == "area") return annotation(element);
  port(element, into, tag == "input");
}

void ElementReader::parameter(const ParsedNode& element, DiagramDecl& into) {
  enum { name, value, doc, mode };
  static constexpr std::array<Known, 4> known = {{{"name", true}, {"value", false, true}, doc_attribute, {"mode"}}};
  const AttributeReader read(context_, element, known, Others::refused);
  check_mode(read, mode);
  if (!read.given(name)) return;
  ParameterDecl made{
      {read.text(name), read.text(value), read.given(value) ? read.where(value) : context_.at(element.line)},
      read.text(doc),
      read.text(mode),
      !read.given(value)};
  if (is_reserved(made.name))
    context_.diagnostics->error(
        "reserved-name", read.where(name), hilda::in_quotes(made.name) + " cannot be the name of a parameter",
        made.name == "period" ? "the period is an attribute of <diagram>; its value is ${period}"
                              : "it is an attribute that every subsystem has; choose another");
  else
    check_name(made.name, read.where(name), false);
  into.parameters.push_back(std::move(made));
}

void ElementReader::port(const ParsedNode& element, DiagramDecl& into, bool input) {
  enum { name, doc, mode, shape, unit, optional, default_value };
  static constexpr std::array<Known, 7> known = {
      {{"name", true}, doc_attribute, {"mode"}, {"shape"}, {"unit"}, {"optional"}, {"default"}}};
  static constexpr std::array<std::string_view, 4> booleans = {"true", "false", "on", "off"};
  const AttributeReader read(context_, element, known, Others::refused, input ? 7 : 5);
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
                                "the input " + hilda::in_quotes(otherwise.name) +
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
  static constexpr auto known = Placed::with({"type", true});
  AttributeReader read(context_, element, known, Others::kept);
  check_placed(read);
  std::vector<ChildDecl> children;
  block_children(element, children, ChildDecl::in_block);
  if (!read.given(Placed::name)) return;
  check_name(read.view(Placed::name), read.where(Placed::name), false);
  into.blocks.push_back(Placed::read<BlockDecl>(read, context_.at(element.line)));
  into.blocks.back().type = read.text(Placed::what);
  into.blocks.back().children = std::move(children);
}

void ElementReader::subsystem(const ParsedNode& element, DiagramDecl& into, int depth) {
  static constexpr std::size_t name = Placed::name, src = Placed::what;
  static constexpr std::size_t trigger = Placed::count, edge = trigger + 1, for_each = trigger + 2;
  static constexpr auto known = [] {
    std::array<Known, Placed::count + 3> made{};
    std::size_t i = 0;
    for (const Known& each : Placed::with({"src"})) made[i++] = each;
    made[trigger] = {"trigger"}, made[edge] = {"edge"}, made[for_each] = {"for_each"};
    return made;
  }();
  AttributeReader read(context_, element, known, Others::kept);
  check_placed(read);
  check_word(read, edge, trigger_edges);
  const Location where = context_.at(element.line);
  const bool inlined = element.first_element() != nullptr;
  std::shared_ptr<const DiagramDecl> inside;
  if (read.given(src) && inlined) {
    context_.diagnostics->error("src-and-body", where, element_label(element) + " has both src and a body",
                                "remove src, or move the body into the file " + hilda::in_quotes(read.view(src)));
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
  SubsystemDecl& made = into.subsystems.emplace_back(Placed::read<SubsystemDecl>(read, where));
  made.src = read.text(src);
  made.trigger = read.text(trigger);
  made.edge = read.text(edge);
  if (read.given(for_each)) made.for_each = {"for_each", read.text(for_each), read.where(for_each)};
  into.subsystems.back().body = std::move(inside);
}

void ElementReader::connect(const ParsedNode& element, DiagramDecl& into) {
  enum { from, to, mode, doc, shape };
  static constexpr std::array<Known, 5> known = {{{"from", true}, {"to", true}, {"mode"}, doc_attribute, {"shape"}}};
  const AttributeReader read(context_, element, known, Others::refused);
  check_mode(read, mode);
  into.connects.push_back(
      {.from = read.text(from),
       .to = read.text(to),
       .mode = read.text(mode),
       .shape = read.given(shape) ? Attribute{"shape", read.text(shape), read.where(shape)} : Attribute{},
       .where = context_.at(element.line)});
}

void ElementReader::power_port(const ParsedNode& element, DiagramDecl& into) {
  enum { name, effort, flow, rule, from, to, mode, doc };
  static constexpr std::array<Known, 8> known = {
      {{"name", true}, {"effort", true}, {"flow", true}, {"rule"}, {"from"}, {"to"}, {"mode"}, doc_attribute}};
  const AttributeReader read(context_, element, known, Others::refused);
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
  enum { on, mode, doc, first_value };
  static constexpr auto known = [] {
    std::array<Known, first_value + MotionLimits::names.size() + 2> names{
        {{"on", true}, {"mode"}, doc_attribute, {"stop_time"}, {"hold"}}};
    for (std::size_t i = 0; i < MotionLimits::names.size(); ++i) names[first_value + 2 + i] = {MotionLimits::names[i]};
    return names;
  }();
  const AttributeReader read(context_, element, known, Others::refused);
  check_mode(read, mode);
  if (!read.given(on)) return;
  into.limits.push_back({.on = read.text(on),
                         .mode = read.text(mode),
                         .doc = read.text(doc),
                         .values = values_from(read, known, first_value),
                         .where = context_.at(element.line)});
}

void ElementReader::quality(const ParsedNode& element, DiagramDecl& into) {
  enum { on, mode, doc, first_value };
  static constexpr auto known = [] {
    std::array<Known, std::size_t{first_value} + QualityLimits::count> names{{{"on", true}, {"mode"}, doc_attribute}};
    for (std::size_t i = 0; i < QualityLimits::count; ++i) names[first_value + i] = {QualityLimits::names[i]};
    return names;
  }();
  const AttributeReader read(context_, element, known, Others::refused);
  check_mode(read, mode);
  if (!read.given(on)) return;
  into.quality.push_back({.on = read.text(on),
                          .mode = read.text(mode),
                          .doc = read.text(doc),
                          .values = values_from(read, known, first_value),
                          .where = context_.at(element.line)});
}

void ElementReader::realtime(const ParsedNode& element, DiagramDecl& into) {
  enum { mode, doc, first_value };
  static constexpr std::array<Known, 5> known = {
      {{"mode"}, doc_attribute, {"priority"}, {"processors"}, {"lost_in_a_row"}}};
  const AttributeReader read(context_, element, known, Others::refused);
  check_mode(read, mode);
  into.realtime.push_back({.mode = read.text(mode),
                           .doc = read.text(doc),
                           .values = values_from(read, known, first_value),
                           .where = context_.at(element.line)});
}

void ElementReader::log(const ParsedNode& element, DiagramDecl& into) {
  enum { signals, every, when, mode, doc };
  static constexpr std::array<Known, 5> known = {{{"signals", true}, {"every"}, {"when"}, {"mode"}, doc_attribute}};
  const AttributeReader read(context_, element, known, Others::refused);
  check_mode(read, mode);
  if (!read.given(signals)) return;
  const auto attribute = [&](std::size_t index) {
    return Attribute{std::string(known[index].name), read.text(index), read.where(index)};
  };
  into.logs.push_back({.signals = attribute(signals),
                       .every = attribute(every),
                       .when = attribute(when),
                       .mode = read.text(mode),
                       .doc = read.text(doc),
                       .where = context_.at(element.line)});
}

void ElementReader::figure(const ParsedNode& element, DiagramDecl& into) {
  enum { title, signals, mode, doc };
  static constexpr std::array<Known, 4> known = {{{"title", true}, {"signals", true}, {"mode"}, doc_attribute}};
  const AttributeReader read(context_, element, known, Others::refused);
  check_mode(read, mode);
  if (!read.given(signals) || !read.given(title)) return;
  into.figures.push_back({.title = read.text(title),
                          .signals = {"signals", read.text(signals), read.where(signals)},
                          .mode = read.text(mode),
                          .doc = read.text(doc),
                          .where = context_.at(element.line)});
}

void ElementReader::live(const ParsedNode& element, DiagramDecl& into) {
  enum { path, rate, mode, doc };
  static constexpr std::array<Known, 4> known = {{{"path", true}, {"rate", true}, {"mode"}, doc_attribute}};
  const AttributeReader read(context_, element, known, Others::refused);
  check_mode(read, mode);
  if (!read.given(path) || !read.given(rate)) return;
  into.live.push_back({.path = read.text(path),
                       .rate = {"rate", read.text(rate), read.where(rate)},
                       .mode = read.text(mode),
                       .doc = read.text(doc),
                       .where = context_.at(element.line)});
}

/// Only drawings read it, from the file itself.
void ElementReader::annotation(const ParsedNode& element) {
  enum { name, words };
  const Known what = element.name == "area" ? Known{"title", false, true} : Known{"text", true, true};
  const std::array<Known, 2> known = {{{"name", true}, what}};
  const AttributeReader read(context_, element, known, Others::refused);
  if (read.given(name)) check_name(read.view(name), read.where(name), false);
}

void ElementReader::check_placed(const AttributeReader& read) {
  check_mode(read, Placed::mode);
  check_word(read, Placed::outputs, held_or_reset);
}

void ElementReader::check_word(const AttributeReader& read, std::size_t index,
                               std::span<const std::string_view> allowed) {
  if (!read.given(index) || std::find(allowed.begin(), allowed.end(), read.view(index)) != allowed.end()) return;
  context_.diagnostics->error("bad-word", read.where(index),
                              hilda::in_quotes(read.view(index)) + " is not possible here",
                              context_.suggestions->help(read.text(index), strings(allowed), "one of"));
}

} // namespace hilda
