// SPDX-License-Identifier: BSD-3-Clause
#include "tools/studio/detail/edit/body_view.h"

#include "engine/base/word_list.h"
#include "engine/catalogue/port_parts.h"
#include "engine/catalogue/signal_text.h"
#include "engine/run/plan.h"

#include <algorithm>
#include <map>

namespace hilda::studio {
namespace {

/// Who drives what, in one body: "spring.y" by "late.u".
using Drivers = std::map<std::string, std::string, std::less<>>;

Drivers drivers_in(const XmlNode& body) {
  Drivers drivers;
  for (const XmlNode& child : body.children)
    if (child.is("connect")) drivers.emplace(child.value("to"), child.value("from"));
  return drivers;
}

/// The driver of an input, of all parts of the port of which it is one, or of one of its parts.
std::string driver_of(const Drivers& drivers, const std::string& input) {
  if (const auto exact = drivers.find(input); exact != drivers.end()) return exact->second;
  for (std::size_t dot = input.rfind('.'); dot != std::string::npos && dot > 0; dot = input.rfind('.', dot - 1))
    if (const auto port = drivers.find(std::string_view(input).substr(0, dot)); port != drivers.end())
      return port->second + input.substr(dot);
  for (auto each = drivers.lower_bound(input); each != drivers.end() && each->first.starts_with(input); ++each)
    if (each->first[input.size()] == '.' || each->first[input.size()] == '[') return each->second;
  return {};
}

class ElementWriter {
public:
  ElementWriter(const OpenBody& body, const std::string& inside, const CheckedDiagram& checked, OpenFiles& files,
                const Catalogue& catalogue)
      : at_(body), prefix_(inside.empty() ? "" : inside + "."), checked_(checked), files_(files), catalogue_(catalogue),
        drivers_(drivers_in(*body.body)) {
    if (!checked.system) return;
    for (const BlockIndex b : checked.system->blocks.indices()) blocks_[checked.system->blocks[b].path] = b;
    for (const Promise& promise : checked.system->promises) promises_.emplace(promise.port, &promise);
  }

  Json all() {
    Json list = Json::array();
    for (const XmlNode& child : at_.body->children)
      if (kind_of(child)) list.push_back(element(child));
    return list;
  }

private:
  Json element(const XmlNode& node) {
    const std::string name(node.value("name"));
    const auto lines = std::count(at_.file->text.begin() + static_cast<std::ptrdiff_t>(node.whole.begin),
                                  at_.file->text.begin() + static_cast<std::ptrdiff_t>(node.whole.end), '\n');
    Json attributes = Json::object();
    for (const auto& [key, attribute] : node.attributes)
      if (key != "name" && key != "type") attributes[key] = attribute.value;
    Json made{{"kind", node.tag},           {"name", name},
              {"path", prefix_ + name},     {"type", node.value("type")},
              {"line", node.line},          {"last", node.line + lines},
              {"mode", node.value("mode")}, {"attributes", attributes}};
    ports_ = Json::array();
    if (node.is("block")) block_ports(node, name);
    if (node.is("subsystem")) subsystem_ports(node, name, made);
    if (node.is("input")) add(name, "", false, false);
    if (node.is("output")) add(name, "", true, false);
    made["ports"] = std::move(ports_);
    return made;
  }

  /// @param name  as wires of this body call it: "sum.u[0]"
  void add(const std::string& name, const std::string& type, bool input, bool optional) {
    const std::string driver = input ? driver_of(drivers_, name) : std::string();
    ports_.push_back({{"name", name}, {"input", input}, {"type", type}, {"optional", optional}, {"driver", driver}});
  }

  void block_ports(const XmlNode& node, const std::string& name) {
    const auto found = blocks_.find(prefix_ + name);
    if (found != blocks_.end() && !checked_.system->blocks[found->second].ports.empty())
      return checked_ports(found->second, name);
    const BlockType* type = catalogue_.find(std::string(node.value("type")));
    if (type == nullptr) return;
    for (const Slot& slot : type->slots)
      if (slot.role == HILDA_INPUT || slot.role == HILDA_OUTPUT)
        add(name + "." + slot.name + (slot.is(HILDA_REPEATED) ? "[0]" : ""), "", slot.role == HILDA_INPUT,
            slot.is(HILDA_OPTIONAL));
    parted(*type, name);
  }

  /// A port with parts is listed in addition to its parts: either is wired.
  void parted(const BlockType& type, const std::string& name) {
    for (const PartedPort& port : parted_ports(type)) {
      std::string parts;
      for (const std::string& part : port.parts) add_word(parts, part);
      add(name + "." + port.name, "bus of " + parts, port.role == HILDA_INPUT, true);
    }
  }

  void checked_ports(BlockIndex index, const std::string& name) {
    const System& system = *checked_.system;
    const SystemBlock& block = system.blocks[index];
    for (const SlotIndex s : block.type->slots.indices()) {
      const Slot& slot = block.type->slots[s];
      if (slot.role != HILDA_INPUT && slot.role != HILDA_OUTPUT) continue;
      int items = 0;
      for (const SystemBlock::Port& port : block.ports) {
        if (port.slot != s) continue;
        items = std::max(items, port.item + 1);
        PortRef ref;
        ref.block = index, ref.slot = s, ref.item = port.item;
        add(name + port_text(system, ref).substr(block.path.size()), describe(port.type), slot.role == HILDA_INPUT,
            slot.is(HILDA_OPTIONAL));
      }
      if (slot.is(HILDA_REPEATED) && slot.count.empty()) // as many as are wired: one more
        add(name + "." + slot.name + "[" + std::to_string(items) + "]", "", slot.role == HILDA_INPUT, true);
    }
    parted(*block.type, name);
  }

  void subsystem_ports(const XmlNode& node, const std::string& name, Json& made) {
    const XmlNode* body = &node;
    std::shared_ptr<const OpenText> file;
    if (!is_inline(node)) {
      file = files_.included(node, *at_.file);
      made["document"] = file ? Json(file->name) : Json(nullptr);
      if (!file || !file->spans) return;
      body = &file->spans->root();
    }
    for (const NameKind kind : {NameKind::input, NameKind::output})
      for (const XmlNode* port : all_of(*body, kind)) {
        const std::string inner(port->value("name"));
        const bool optional = port->value("optional") == "true" || port->find("default") != nullptr;
        add(name + "." + inner, promised(prefix_ + name + "." + inner), kind == NameKind::input, optional);
      }
  }

  std::string promised(const std::string& port) const {
    const auto found = promises_.find(port);
    if (found == promises_.end() || !found->second->signal.part.empty()) return {};
    const PortRef& signal = found->second->signal;
    if (!signal.block.valid()) return {};
    const SystemBlock::Port* real = find_port(checked_.system->blocks[signal.block], signal);
    return real != nullptr ? describe(real->type) : std::string();
  }

  const OpenBody& at_;
  const std::string prefix_;
  const CheckedDiagram& checked_;
  OpenFiles& files_;
  const Catalogue& catalogue_;
  const Drivers drivers_;
  std::map<std::string, BlockIndex> blocks_;
  std::map<std::string, const Promise*> promises_;
  Json ports_;
};

} // namespace

Json elements_json(const OpenBody& body, const std::string& inside, const CheckedDiagram& checked, OpenFiles& files,
                   const Catalogue& catalogue) {
  if (body.body == nullptr) return Json::array();
  return ElementWriter(body, inside, checked, files, catalogue).all();
}

Json wires_json(const OpenBody& body) {
  Json all = Json::array();
  if (body.body != nullptr)
    for (const XmlNode& child : body.body->children)
      if (child.is("connect"))
        all.push_back({{"from", child.value("from")},
                       {"to", child.value("to")},
                       {"mode", child.value("mode")},
                       {"line", child.line},
                       {"bend", child.value("ui.bend")}});
  return all;
}

} // namespace hilda::studio
