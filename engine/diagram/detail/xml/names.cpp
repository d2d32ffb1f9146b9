// SPDX-License-Identifier: BSD-3-Clause
#include "engine/diagram/names.h"

#include "engine/base/characters.h"
#include "engine/base/error.h"
#include "engine/diagram/document.h"
#include "engine/diagram/element_kinds.h"
#include "engine/diagram/name_table.h"

#include <algorithm>
#include <unordered_map>
#include <vector>

namespace hilda::diagram {
namespace {

bool letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }

/// Who has which name in one name space. Elements with one name in several modes are few, so they are kept in a list.
class NameSpace {
public:
  enum class Keep { no, yes };

  NameSpace(Diagnostics& diagnostics, std::size_t expected) : diagnostics_(diagnostics) { first_.reserve(expected); }

  /// False where the name is taken in this mode, which is reported.
  bool take(std::string_view name, const std::string& mode, const char* kind, Location where, Keep keep = Keep::yes) {
    const Entry entry{&mode, kind, where};
    const Entry* first = nullptr;
    if (keep == Keep::yes) {
      const auto [item, fresh] = first_.try_emplace(name, entry);
      if (fresh) return true;
      first = &item->second;
    } else {
      const auto* item = first_.find(name);
      if (item == first_.end()) return true;
      first = &item->second;
    }
    if (collides(*first, mode)) return refuse(name, entry, *first);
    std::vector<Entry>& more = more_[name];
    for (const Entry& other : more)
      if (collides(other, mode)) return refuse(name, entry, other);
    if (keep == Keep::yes) more.push_back(entry);
    return true;
  }

private:
  struct Entry {
    const std::string* mode;
    const char* kind;
    Location where;
  };
  static bool collides(const Entry& entry, const std::string& mode) {
    return entry.mode->empty() || mode.empty() || *entry.mode == mode;
  }
  bool refuse(std::string_view name, const Entry& one, const Entry& other) {
    const bool in_order = one.where.line >= other.where.line;
    const Entry& later = in_order ? one : other;
    const Entry& earlier = in_order ? other : one;
    const bool one_mode = !one.mode->empty() && *one.mode == *other.mode;
    diagnostics_.error("duplicate-name", later.where,
                       std::string("the ") + later.kind + " " + hilda::base::in_quotes(name) +
                           " has the name of another " + earlier.kind +
                           (one_mode ? " of mode " + hilda::base::in_quotes(*one.mode) : ""),
                       "rename one, or give each its own mode",
                       {{earlier.where, std::string("the other ") + earlier.kind + " is here"}});
    return false;
  }

  Diagnostics& diagnostics_;
  NameTable<Entry> first_;
  std::unordered_map<std::string_view, std::vector<Entry>> more_;
};

/// Removes the marked elements.
template <class Element> void remove(std::vector<Element>& list, const std::vector<bool>& dropped) {
  if (std::find(dropped.begin(), dropped.end(), true) == dropped.end()) return;
  std::size_t kept = 0;
  for (std::size_t i = 0; i < list.size(); ++i) {
    if (dropped[i]) continue;
    if (kept != i) list[kept] = std::move(list[i]);
    ++kept;
  }
  list.erase(list.begin() + static_cast<std::ptrdiff_t>(kept), list.end());
}

} // namespace

bool is_element_name(std::string_view name, bool dotted) {
  if (name.empty() || name.size() > XmlLimits::name) return false;
  bool begins = true;
  for (const char c : name) {
    if (c == '.' && dotted && !begins) {
      begins = true;
      continue;
    }
    if (!letter(c) && (begins || c < '0' || c > '9')) return false;
    begins = false;
  }
  return !begins;
}

std::string name_help(std::string_view name, bool dotted) {
  const std::string rule = dotted ? "a port's name is letters, digits and '_', not beginning with a digit; dots may "
                                    "join several of these"
                                  : "a name is letters, digits and '_', and does not begin with a digit";
  const auto foreign =
      std::find_if(name.begin(), name.end(), [](char c) { return static_cast<unsigned char>(c) >= 0x80U; });
  if (foreign == name.end()) return rule;
  const auto at = static_cast<std::size_t>(foreign - name.begin());
  return hilda::base::in_quotes(first_character(name.substr(at))) +
         " is none of the letters that names have, a to z and A to Z: " + rule;
}

bool is_reserved(const std::string& name) { return elements::reserves(name); }

void check_unique_names(DiagramDecl& diagram, Diagnostics& diagnostics) {
  // Marks first, removes afterwards: the names that are looked up must stay where they are until all have been seen.
  const auto mark = [](auto& list, NameSpace& names, const char* kind) {
    std::vector<bool> dropped(list.size());
    for (std::size_t i = 0; i < list.size(); ++i)
      dropped[i] = !names.take(list[i].name, list[i].mode, kind, list[i].where);
    return dropped;
  };
  NameSpace element_names(diagnostics, diagram.blocks.size() + diagram.subsystems.size());
  const std::vector<bool> blocks = mark(diagram.blocks, element_names, "block");
  const std::vector<bool> subsystems = mark(diagram.subsystems, element_names, "subsystem");
  NameSpace input_names(diagnostics, diagram.inputs.size());
  std::vector<bool> inputs = mark(diagram.inputs, input_names, "input");
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    const PortDecl& input = diagram.inputs[i];
    const std::string_view begins = std::string_view(input.name).substr(0, input.name.find('.'));
    if (!inputs[i]) inputs[i] = !element_names.take(begins, input.mode, "input", input.where, NameSpace::Keep::no);
  }
  NameSpace output_names(diagnostics, diagram.outputs.size());
  const std::vector<bool> outputs = mark(diagram.outputs, output_names, "output");
  NameSpace parameter_names(diagnostics, diagram.parameters.size());
  const std::vector<bool> parameters = mark(diagram.parameters, parameter_names, "parameter");
  for (std::size_t i = 0; i < inputs.size(); ++i) // one with a default is a parameter too
    if (!inputs[i] && diagram.inputs[i].has_default())
      inputs[i] = !parameter_names.take(diagram.inputs[i].name, diagram.inputs[i].mode, "input with a default",
                                        diagram.inputs[i].where);
  NameSpace power_port_names(diagnostics, diagram.power_ports.size());
  const std::vector<bool> power_ports = mark(diagram.power_ports, power_port_names, "power port");
  remove(diagram.blocks, blocks);
  remove(diagram.subsystems, subsystems);
  remove(diagram.inputs, inputs);
  remove(diagram.outputs, outputs);
  remove(diagram.parameters, parameters);
  remove(diagram.power_ports, power_ports);
}

} // namespace hilda::diagram
