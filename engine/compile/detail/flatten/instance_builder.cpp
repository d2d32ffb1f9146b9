// SPDX-License-Identifier: BSD-3-Clause
#include "engine/compile/detail/flatten/instance_builder.h"

#include "engine/base/error.h"
#include "engine/compile/detail/flatten/variants.h"
#include "engine/diagram/document.h"
#include "engine/diagram/repeated_body.h"
#include "engine/quantity/bare_number.h"

#include <algorithm>
#include <cmath>
#include <filesystem>

namespace hilda::compile {
namespace {

const char* const rig_name = "rig";
constexpr std::size_t most_repeated = 65'536; // items that a port may have

std::string file_name(const DiagramDecl& diagram) {
  return diagram.where.file == nullptr ? "" : std::filesystem::path(*diagram.where.file).filename().string();
}

std::vector<std::string> parameter_names(const DiagramDecl& diagram) {
  std::vector<std::string> names;
  for (const ParameterDecl& parameter : diagram.parameters) names.push_back(parameter.name);
  return names;
}

/// Where the diagram declares the parameter `name`, or else where it begins.
Note place_of(const DiagramDecl& diagram, const std::string& name) {
  for (const ParameterDecl& parameter : diagram.parameters)
    if (parameter.name == name) return {parameter.where, hilda::base::in_quotes(name) + " is declared here"};
  return {diagram.where, "its diagram begins here"};
}

/// Names that a setting may continue with.
std::vector<std::string> settable_names(const Instance& instance) {
  std::vector<std::string> names = parameter_names(*instance.diagram);
  for (const BlockDecl& block : instance.diagram->blocks) names.push_back(block.name);
  for (const SubsystemDecl& subsystem : instance.diagram->subsystems) names.push_back(subsystem.name);
  if (instance.parent == nullptr) {
    names.emplace_back("period");
    for (const PortDecl& input : instance.diagram->inputs)
      if (input.has_default()) names.push_back(input.name);
  }
  return names;
}

} // namespace

std::unique_ptr<Instance> InstanceBuilder::top(const DiagramDecl& diagram) {
  auto made = std::make_unique<Instance>();
  made->diagram = &diagram;
  made->settings = flat_.settings.get();
  made->scope = flat_.system.parameters.open_scope({}, ParameterTable::diagram);
  flat_.system.parameters.add(made->scope,
                              {.path = "period",
                               .given = {"period", diagram.period.empty() ? "1 ms" : diagram.period, diagram.where},
                               .scope = made->scope,
                               .doc = "Sample time of the diagram"});
  if (made->settings != nullptr) made->settings->identify("the diagram", settable_names(*made));
  fill(*made, 0);
  const auto is_rig = [&](const std::unique_ptr<Instance>& child) { return child != nullptr && child->replaced; };
  if (options_.rig != nullptr && std::none_of(made->children.begin(), made->children.end(), is_rig))
    context_.diagnostics.error("no-rig", diagram.where,
                               "the diagram has no subsystem 'rig' in mode " + hilda::base::in_quotes(options_.mode) +
                                   " that --rig could replace",
                               "call the subsystem between command and measurement 'rig'");
  return made;
}

void InstanceBuilder::fill(Instance& instance, int depth) {
  const DiagramDecl& diagram = *instance.diagram;
  instance.names = &flat_.indexes.of(diagram);
  instance.first_port = flat_.ports;
  flat_.ports += diagram.inputs.size() + diagram.outputs.size();
  declare_parameters(instance);
  if (instance.parent == nullptr) declare_inputs(instance);
  instance.children.resize(diagram.subsystems.size());
  instance.blocks.resize(diagram.blocks.size());
  if (!count(1 + diagram.blocks.size() + diagram.connects.size() + diagram.inputs.size() + diagram.outputs.size(),
             diagram.where))
    return;
  for (std::size_t i = 0; i < diagram.subsystems.size() && !too_large_; ++i)
    if (in_mode(diagram.subsystems[i].mode, options_.mode))
      instance.children[i] = child(instance, diagram.subsystems[i], depth + 1);
}

/// The body of a subsystem with for_each, which holds its diagram once for each element; null after a report.
const DiagramDecl* InstanceBuilder::repeat(const Instance& parent, const SubsystemDecl& element,
                                           const DiagramDecl& body) {
  const std::string who = hilda::base::in_quotes(parent.path_of(element.name));
  const std::optional<Value> value = flat_.evaluation.read(element.for_each.text, element.for_each.where, parent.scope);
  if (!value) return nullptr;
  const bool number = value->kind == Value::Kind::number && value->extent.rank == 0 && !value->unit();
  const double count = number ? value->numbers[0] : 0;
  if (!(count >= 1) || count != std::floor(count) || count > static_cast<double>(most_repeated)) {
    context_.diagnostics.error("for-each", element.for_each.where,
                               who + " has for_each=" + hilda::base::in_quotes(element.for_each.text) +
                                   ", which is not a number of elements",
                               "write how many elements its inputs have, from 1 to " + std::to_string(most_repeated));
    return nullptr;
  }
  if (const PortDecl* port = input_in_the_way(body)) {
    context_.diagnostics.error("for-each", port->where,
                               "the input " + hilda::base::in_quotes(port->name) + " of " + who +
                                   " has a name that for_each takes for what it makes: each0, each1, stacked_...",
                               "choose another name for it", {{element.where, "its subsystem is here"}});
    return nullptr;
  }
  return flat_.repeated.emplace_back(repeated_body(element, body, static_cast<std::size_t>(count))).get();
}

std::unique_ptr<Instance> InstanceBuilder::child(Instance& parent, const SubsystemDecl& element, int depth) {
  const bool replaced = options_.rig != nullptr && parent.parent == nullptr && element.name == rig_name;
  const DiagramDecl* body = replaced ? options_.rig.get() : element.body.get();
  if (body == nullptr) return nullptr;
  if (!element.for_each.name.empty()) body = repeat(parent, element, *body);
  if (body == nullptr) return nullptr;
  if (depth >= XmlLimits::nesting) {
    context_.diagnostics.error("nested-too-deep", element.where,
                               "subsystems are nested more than " + std::to_string(XmlLimits::nesting) +
                                   " deep within one another",
                               "flatten the hierarchy");
    return nullptr;
  }
  auto made = std::make_unique<Instance>();
  made->diagram = body;
  made->element = &element;
  made->parent = &parent;
  made->path = parent.path_of(element.name);
  made->replaced = replaced;
  made->settings = parent.settings != nullptr ? parent.settings->below(element.name) : nullptr;
  if (made->settings != nullptr)
    made->settings->identify("the subsystem " + hilda::base::in_quotes(made->path), settable_names(*made));
  // An inline body sees the parameters around it; a file stands for itself.
  const bool inlined = element.src.empty() && !replaced;
  made->scope = flat_.system.parameters.open_scope(inlined ? parent.scope : ScopeIndex(), parent.scope);
  if (!body->period.empty()) {
    if (parent.parent == nullptr && element.name == rig_name)
      period_rig_ = made.get();
    else
      context_.diagnostics.warning("period-ignored", body->where,
                                   "the period of " + hilda::base::in_quotes(file_name(*body)) +
                                       " has no effect in a subsystem",
                                   "only the top diagram and its rig give the period; a subsystem has sample_time");
  }
  for (const Attribute* each : {&body->solver, &body->rtol, &body->atol, &body->max_step, &body->events})
    if (!each->name.empty())
      context_.diagnostics.warning("solver-ignored", each->where,
                                   hilda::base::in_quotes(each->name) + " of " +
                                       hilda::base::in_quotes(file_name(*body)) + " has no effect in a subsystem",
                                   "one solver carries all states: the top diagram's");
  fill(*made, depth);
  check_forwarded(*made);
  return made;
}

/// The inputs of the diagram itself that have a default: what comes from outside is a parameter of that name.
void InstanceBuilder::declare_inputs(Instance& instance) {
  for (const PortDecl& input : instance.diagram->inputs) {
    if (!input.has_default() || !in_mode(input.mode, options_.mode)) continue;
    NamedParameter parameter{
        .path = input.name, .given = input.default_value, .scope = instance.scope, .doc = input.doc};
    const Attribute* setting = instance.settings != nullptr ? instance.settings->take(input.name) : nullptr;
    if (setting != nullptr) parameter.given = {input.name, setting->text, setting->where};
    const ParameterIndex entered = flat_.system.parameters.add(instance.scope, std::move(parameter));
    if (setting != nullptr && entered.valid()) compare_units(entered, input.default_value.text);
  }
}

void InstanceBuilder::declare_parameters(Instance& instance) {
  const ScopeIndex around = instance.parent != nullptr ? instance.parent->scope : instance.scope;
  const std::vector<Attribute> none;
  const std::vector<Attribute>& forwarded = instance.element != nullptr ? instance.element->parameters : none;
  for (const ParameterDecl& declared : instance.diagram->parameters) {
    if (!in_mode(declared.mode, options_.mode)) continue;
    NamedParameter parameter{.path = instance.path_of(declared.name),
                             .given = declared,
                             .scope = instance.scope,
                             .doc = declared.doc,
                             .group = declared.group};
    bool missing = declared.required;
    const auto given = std::find_if(forwarded.begin(), forwarded.end(),
                                    [&](const Attribute& attribute) { return attribute.name == declared.name; });
    const auto replace = [&](const std::string& text, Location where) {
      parameter.given.text = text;
      parameter.given.where = where;
      parameter.scope = around;
      missing = false;
    };
    if (given != forwarded.end()) replace(given->text, given->where);
    const Attribute* setting = instance.settings != nullptr ? instance.settings->take(declared.name) : nullptr;
    const std::string before = parameter.given.text;
    if (setting != nullptr) replace(setting->text, setting->where);
    const ParameterIndex entered = flat_.system.parameters.add(instance.scope, std::move(parameter));
    if (setting != nullptr && entered.valid()) compare_units(entered, before);
    if (missing && entered.valid()) report_missing(instance, entered);
  }
}

/// Where a bare number is set instead of one with a unit: it may be read otherwise than it was meant.
void InstanceBuilder::compare_units(ParameterIndex set, const std::string& before) {
  const NamedParameter& parameter = flat_.system.parameters[set];
  const std::optional<Value> given = literal_number(parameter.given.text), replaced = literal_number(before);
  if (!given || !replaced || !drops_unit(*given, *replaced)) return;
  flat_.without_unit.emplace(set, *replaced);
  if (const auto both = two_readings(parameter.path, *given, *replaced, ""))
    context_.diagnostics.warning("setting-bare", parameter.given.where, both->what, both->help);
}

void InstanceBuilder::report_missing(const Instance& instance, ParameterIndex missing) {
  flat_.evaluation.give_up(missing);
  const NamedParameter& parameter = flat_.system.parameters[missing];
  std::vector<Note> notes;
  if (instance.element != nullptr) notes.push_back({instance.element->where, "its subsystem is here"});
  const std::string ways = notes.empty() ? "give it with" : "give it as an attribute of its subsystem, or with";
  context_.diagnostics.error("parameter-without-value", parameter.given.where,
                             "the parameter " + hilda::base::in_quotes(parameter.path) + " has no value",
                             ways + " --set " + parameter.path + "=..." +
                                 (parameter.doc.empty() ? "" : "; it is: " + parameter.doc),
                             std::move(notes));
}

/// Attributes of a subsystem that its diagram does not declare: errors, but for a rig that was replaced.
void InstanceBuilder::check_forwarded(const Instance& instance) {
  const DiagramDecl& diagram = *instance.diagram;
  for (const Attribute& attribute : instance.element->parameters) {
    const auto declares = [&](const ParameterDecl& parameter) { return parameter.name == attribute.name; };
    if (std::any_of(diagram.parameters.begin(), diagram.parameters.end(), declares)) continue;
    if (instance.replaced) {
      context_.remarks.push_back("rig " + file_name(diagram) + " has no parameter " + attribute.name +
                                 ": what the diagram gives for it is dropped");
      continue;
    }
    std::vector<std::string> names = parameter_names(diagram);
    const std::string own = names.empty() ? "its diagram declares no parameters" : "it declares: " + listed(names);
    names.insert(names.end(),
                 {"src", "mode", "sample_time", "enable", "reset", "outputs", "trigger", "edge", "for_each", "doc"});
    const std::string near = context_.suggestions.near(attribute.name, names);
    context_.diagnostics.error("unknown-parameter", attribute.where,
                               "the subsystem " + hilda::base::in_quotes(instance.path) + " has no parameter " +
                                   hilda::base::in_quotes(attribute.name),
                               near.empty() ? own : "did you mean " + hilda::base::in_quotes(near) + "? " + own,
                               {place_of(diagram, near)});
  }
}

bool InstanceBuilder::count(std::size_t elements, Location where) {
  elements_ += elements;
  if (elements_ <= options_.most_elements) return true;
  if (!too_large_)
    context_.diagnostics.error("too-large", where,
                               "the diagram has more than " + std::to_string(options_.most_elements) +
                                   " blocks, subsystems and wires after flattening",
                               "look for a diagram that is included many times at several levels");
  too_large_ = true;
  return false;
}

} // namespace hilda::compile
