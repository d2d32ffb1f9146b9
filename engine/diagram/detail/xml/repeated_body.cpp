// SPDX-License-Identifier: BSD-3-Clause
#include "engine/diagram/repeated_body.h"

#include <algorithm>
#include <cctype>
#include <utility>

namespace hilda::diagram {
namespace {

constexpr const char *element_name = "each", *stack_name = "stacked_";

std::string stack_of(const std::string& port) {
  std::string name = stack_name + port;
  std::replace(name.begin(), name.end(), '.', '_');
  return name;
}

SubsystemDecl element_of(const SubsystemDecl& subsystem, const std::shared_ptr<const DiagramDecl>& body,
                         std::size_t index) {
  SubsystemDecl made;
  made.name = element_name + std::to_string(index);
  made.src = subsystem.src;
  made.doc = subsystem.doc;
  made.body = body;
  made.where = subsystem.where;
  for (const ParameterDecl& each : body->parameters) {
    const bool given = std::any_of(subsystem.parameters.begin(), subsystem.parameters.end(),
                                   [&](const Attribute& attribute) { return attribute.name == each.name; });
    const bool number = each.name == "index" && !given;
    made.parameters.push_back({each.name, number ? std::to_string(index) : "${" + each.name + "}", subsystem.where});
  }
  return made;
}

/// One element more or less makes no vector.
std::string element_text(std::size_t index, std::size_t count) {
  return count == 1 ? "" : "[" + std::to_string(index) + "]";
}

void add_wire(DiagramDecl& to, std::string from, std::string into, const std::string& mode, Location where) {
  ConnectDecl wire;
  wire.from = std::move(from), wire.to = std::move(into), wire.mode = mode, wire.where = where;
  to.connects.push_back(std::move(wire));
}

PortDecl port_of_all(const PortDecl& port, std::size_t count) {
  PortDecl made = port;
  made.shape = std::to_string(count);
  made.per_element = true;
  made.default_value = {};
  return made;
}

void add_stack(DiagramDecl& to, const PortDecl& port, std::size_t count, Location where) {
  BlockDecl stack;
  stack.name = stack_of(port.name);
  stack.type = "routing/Mux";
  stack.mode = port.mode;
  stack.parameters = {{"inputs", std::to_string(count), where}};
  stack.where = where;
  for (std::size_t i = 0; i < count; ++i)
    add_wire(to, element_name + std::to_string(i) + "." + port.name, stack.name + ".u[" + std::to_string(i) + "]",
             port.mode, where);
  add_wire(to, stack.name + ".y", port.name, port.mode, where);
  to.blocks.push_back(std::move(stack));
}

} // namespace

std::shared_ptr<const DiagramDecl> repeated_body(const SubsystemDecl& subsystem, const DiagramDecl& body,
                                                 std::size_t count) {
  auto made = std::make_shared<DiagramDecl>();
  const Location where = subsystem.where;
  made->name = body.name;
  made->doc = body.doc;
  made->where = body.where;
  made->parameters = body.parameters;
  for (ParameterDecl& each : made->parameters)
    if (each.name == "index" && each.required) each.required = false, each.text = "0"; // each element has its own
  const std::shared_ptr<const DiagramDecl> shared =
      subsystem.body.get() == &body ? subsystem.body : std::make_shared<DiagramDecl>(body);
  for (std::size_t i = 0; i < count; ++i) made->subsystems.push_back(element_of(subsystem, shared, i));
  for (const PortDecl& port : body.inputs) {
    made->inputs.push_back(port_of_all(port, count));
    for (std::size_t i = 0; i < count; ++i)
      add_wire(*made, port.name + element_text(i, count), element_name + std::to_string(i) + "." + port.name, port.mode,
               where);
  }
  for (const PortDecl& port : body.outputs) {
    made->outputs.push_back(port_of_all(port, count));
    add_stack(*made, port, count, where);
  }
  return made;
}

const PortDecl* input_in_the_way(const DiagramDecl& body) {
  for (const PortDecl& port : body.inputs) {
    const bool element = port.name.starts_with(element_name) && port.name.size() > std::string(element_name).size() &&
                         std::isdigit(static_cast<unsigned char>(port.name[std::string(element_name).size()])) != 0;
    if (element || port.name.starts_with(stack_name)) return &port;
  }
  return nullptr;
}

} // namespace hilda::diagram
