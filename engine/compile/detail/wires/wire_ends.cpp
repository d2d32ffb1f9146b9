// SPDX-License-Identifier: BSD-3-Clause
#include "engine/compile/detail/wires/wire_ends.h"

#include "engine/base/budget.h"
#include "engine/base/error.h"
#include "engine/compile/detail/flatten/variants.h"
#include "engine/compile/detail/wires/parameter_ends.h"

#include <algorithm>

namespace hilda::compile {
namespace {

using Kind = WireEnd::Kind;
using Ports = std::unordered_map<std::string_view, std::size_t>;

const WireEnd absent{.kind = Kind::absent};

std::string port_label(bool source) { return source ? "output" : "input"; }

std::vector<std::string> slot_names(const BlockType& type, hilda_role role) {
  std::vector<std::string> names;
  for (const Slot& slot : type.slots)
    if (slot.role == role) names.push_back(slot.name);
  return names;
}

/// "[2]" at the end of a name, or nothing.
std::string index_of(const std::string& name) {
  const std::size_t at = name.find('[');
  return at == std::string::npos ? "" : name.substr(at);
}

/// The slot whose name is the longest beginning of `rest`, or none.
SlotIndex longest_slot(const BlockType& type, const std::vector<SlotIndex>& slots, std::string_view rest) {
  SlotIndex best;
  std::size_t length = 0;
  for (const SlotIndex slot : slots) {
    const std::string& name = type.slots[slot].name;
    if (name.size() < length || !begins_with_name(rest, name)) continue;
    best = slot;
    length = name.size();
  }
  return best;
}

template <class Map> std::size_t longest_port(const Map& ports, std::string_view text) {
  if (ports.empty()) return std::string_view::npos;
  return longest_name(text, [&](std::string_view name) { return ports.find(name) != ports.end(); });
}

} // namespace

template <class Map> std::vector<std::string> WireEnds::sorted_names(const Map& map) {
  std::vector<std::string> names;
  if (map.size() > names_left_) return names;
  names_left_ -= map.size();
  names.reserve(map.size());
  for (const auto& [name, index] : map) names.emplace_back(name);
  std::sort(names.begin(), names.end());
  return names;
}

// Every other function here builds a diagnostic from literal codes at its call of report().
WireEnd WireEnds::report(const Query& query, const char* code, const std::string& what, const std::string& help,
                         std::vector<Note> notes) {
  if (query.report == Report::yes) context_.diagnostics.error(code, query.where, what, help, std::move(notes));
  return {};
}

const Slot* slot_of(const System& system, const WireEnd& end) {
  if (end.kind != WireEnd::Kind::block || !end.block.valid() || !end.slot.valid()) return nullptr;
  const SystemBlock& block = system.blocks[end.block];
  return block.type == nullptr ? nullptr : &block.type->slots[end.slot];
}

WireEnd WireEnds::source(const Instance& at, const std::string& text, Location where, Report report) {
  const Query query{at, text, where, report, Side::source};
  const std::optional<SignalPath> path = SignalPath::parse(text);
  if (!path) return refuse_name(query, {});
  if (const std::size_t end = longest_port(at.names->inputs, text); end != std::string_view::npos) {
    const std::string_view whole = text;
    if (!flat_.buses && !check_parts(query, whole.substr(end))) return {};
    return {.kind = Kind::border,
            .border = at.first_port + at.names->inputs.at(whole.substr(0, end)),
            .parts = whole.substr(end)};
  }
  if (longest_port(at.names->other_inputs, text) != std::string_view::npos) return absent;
  return in_element(query, *path);
}

WireEnd WireEnds::destination(const Instance& at, const std::string& text, Location where, Report report) {
  const Query query{at, text, where, report, Side::destination};
  const std::optional<SignalPath> path = SignalPath::parse(text);
  if (!path) return refuse_name(query, {});
  if (const auto output = at.names->outputs.find(text); output != at.names->outputs.end())
    return {.kind = Kind::border, .border = at.first_port + at.diagram->inputs.size() + output->second};
  if (at.names->other_outputs.find(text) != at.names->other_outputs.end()) return absent;
  return in_element(query, *path);
}

WireEnd WireEnds::in_element(const Query& query, const SignalPath& path) {
  const auto found = query.at.names->elements.find(path.first());
  if (found == query.at.names->elements.end()) return refuse_name(query, path);
  switch (found->second.kind) {
  case NameIndex::Kind::absent: return absent;
  case NameIndex::Kind::block: return in_block(query, found->second.index, path.rest());
  case NameIndex::Kind::subsystem: break;
  }
  return in_subsystem(query, found->second.index, path.rest());
}

WireEnd WireEnds::in_block(const Query& query, std::size_t block, std::string_view rest) {
  if (const auto junction = query.at.junctions.find(block); junction != query.at.junctions.end())
    return in_junction(query, block, junction->second, rest);
  if (const auto reader = query.at.store_readers.find(block); reader != query.at.store_readers.end())
    return in_store_reader(query, block, reader->second, rest);
  const BlockIndex index = query.at.blocks[block];
  const TypeInfo* info = index.valid() ? flat_.infos[index] : nullptr;
  if (info == nullptr) return {};
  const BlockType& type = *info->type;
  const SlotIndex slot = longest_slot(type, query.is_source() ? info->outputs : info->inputs, rest);
  if (!slot.valid()) return in_parted_port(query, block, *info, rest);
  const Slot& declared = type.slots[slot];
  rest.remove_prefix(declared.name.size());
  WireEnd end{.kind = Kind::block, .block = index, .slot = slot};
  if (declared.is(HILDA_REPEATED))
    if (const std::optional<int> item = take_index(rest)) end.item = *item;
  if (query.is_source()) {
    if (!check_parts(query, rest)) return {};
    end.parts = rest;
    return end;
  }
  if (rest.empty()) return end;
  const std::string input = query.text.substr(0, query.text.size() - rest.size());
  report(query, "part-destination",
         hilda::base::in_quotes(query.at.path_of(query.text)) + " is a part of an input, which no wire can drive alone",
         "drive " + hilda::base::in_quotes(input) +
             " as a whole: routing/Mux, or a block that composes it, puts parts "
             "together");
  return mended(query, input);
}

/// A port with parts, all of them on one wire.
WireEnd WireEnds::in_parted_port(const Query& query, std::size_t block, const TypeInfo& info, std::string_view rest) {
  const PartedPort* port = find_parted(info.parted, query.is_source() ? HILDA_OUTPUT : HILDA_INPUT, rest);
  if (port == nullptr) {
    WireEnd refused = refuse_block_port(query, query.at.diagram->blocks[block], *info.type, rest);
    if (refused.kind == Kind::wrong) refused.block = query.at.blocks[block];
    return refused;
  }
  return {.kind = query.is_source() ? Kind::bus : Kind::parts, .block = query.at.blocks[block], .port = port};
}

/// A piece of wire: its input is where wires end, like an output of a subsystem; what it gives is that or a part of it.
WireEnd WireEnds::in_junction(const Query& query, std::size_t block, JunctionIndex index, std::string_view rest) {
  const BlockDecl& declared = query.at.diagram->blocks[block];
  const Junction& junction = flat_.system.junctions[index];
  const JunctionPorts& ports = flat_.junctions[index];
  const BlockType& type = *ports.info->type;
  WireEnd end{.kind = Kind::border, .border = ports.first_port, .junction = index};
  if (!query.is_source()) {
    if (junction.kind == Junction::Kind::bundle) return in_bundle(query, declared, index, rest);
    if (junction.kind == Junction::Kind::receiver || rest != ports.inputs.front().name)
      return refuse_block_port(query, declared, type, rest);
    return end;
  }
  if (junction.kind == Junction::Kind::unbundle) {
    if (rest.empty() || begins_with_name(rest, ports.inputs.front().name))
      return refuse_block_port(query, declared, type, rest);
    end.parts = query.text;
    end.parts.remove_prefix(static_cast<std::size_t>(rest.data() - query.text.data()) - 1); // with its dot
    return end;
  }
  const SlotIndex slot = longest_slot(type, ports.info->outputs, rest);
  if (!slot.valid()) return refuse_block_port(query, declared, type, rest);
  end.parts = rest.substr(type.slots[slot].name.size());
  if (junction.kind == Junction::Kind::bundle) {
    end.kind = Kind::bus;
    return end;
  }
  const auto sender = query.at.senders.find(junction.tag);
  if (sender == query.at.senders.end()) return ports.vanished ? absent : WireEnd{}; // else it has been reported
  end.border = flat_.junctions[sender->second].first_port;
  return flat_.buses || check_parts(query, end.parts) ? end : WireEnd{};
}

/// What reads a store is the store's output.
WireEnd WireEnds::in_store_reader(const Query& query, std::size_t block, const StoreReader& reader,
                                  std::string_view rest) {
  const BlockType& type = *reader.info->type;
  const SlotIndex slot = query.is_source() ? longest_slot(type, reader.info->outputs, rest) : SlotIndex();
  if (!slot.valid()) return refuse_block_port(query, query.at.diagram->blocks[block], type, rest);
  rest.remove_prefix(type.slots[slot].name.size());
  if (!check_parts(query, rest)) return {};
  const BlockIndex store = reader.of.store;
  if (!store.valid() || flat_.infos[store] == nullptr) return reader.of.vanished ? absent : WireEnd{};
  return {.kind = Kind::block, .block = store, .slot = flat_.infos[store]->outputs.front(), .parts = rest};
}

/// The input of a bundle that takes one of its parts.
WireEnd WireEnds::in_bundle(const Query& query, const BlockDecl& block, JunctionIndex index, std::string_view rest) {
  const Junction& junction = flat_.system.junctions[index];
  const auto part = std::find(junction.parts.begin(), junction.parts.end(), rest);
  if (part != junction.parts.end())
    return {.kind = Kind::border,
            .border = flat_.junctions[index].first_port + static_cast<std::size_t>(part - junction.parts.begin()),
            .junction = index};
  if (junction.parts.empty()) return {}; // reported
  const std::string name(rest), near = context_.suggestions.near(name, junction.parts);
  report(query, "bus-part",
         "the bus " + hilda::base::in_quotes(junction.path) + " has no part " + hilda::base::in_quotes(name) +
             " to drive",
         (near.empty() ? "" : "did you mean " + hilda::base::in_quotes(near) + "? ") +
             "its parts are: " + listed(junction.parts),
         {{block.where, "its parts are named here"}});
  return near.empty() ? WireEnd{} : mended(query, block.name + "." + near);
}

WireEnd WireEnds::in_subsystem(const Query& query, std::size_t subsystem, std::string_view rest) {
  const Instance* child = query.at.children[subsystem].get();
  if (child == nullptr) return {};
  const Ports& ports = query.is_source() ? child->names->outputs : child->names->inputs;
  const std::size_t end = longest_port(ports, rest);
  if (end == std::string_view::npos) {
    WireEnd refused = refuse_border(query, *child, rest);
    if (refused.kind == Kind::wrong) refused.refused = child;
    return refused;
  }
  const std::size_t first = child->first_port + (query.is_source() ? child->diagram->inputs.size() : 0);
  WireEnd found{.kind = Kind::border, .border = first + ports.at(rest.substr(0, end)), .parts = rest.substr(end)};
  if (query.is_source()) return flat_.buses || check_parts(query, found.parts) ? found : WireEnd{};
  if (found.parts.empty()) return found;
  report(query, "part-destination",
         hilda::base::in_quotes(query.at.path_of(query.text)) + " is a part of an input, which no wire can drive alone",
         "drive the whole input: routing/Mux, or a block that composes it, puts parts together");
  return mended(query, query.text.substr(0, query.text.size() - found.parts.size()));
}

WireEnd WireEnds::refuse_direction(const Query& query, const std::string& named) {
  return report(query, "wrong-direction",
                query.is_source() ? "a wire begins at " + named + ", which is an input"
                                  : "a wire ends at " + named + ", which is an output",
                "wires go from outputs to inputs: are 'from' and 'to' exchanged?");
}

WireEnd WireEnds::refuse_block_port(const Query& query, const BlockDecl& block, const BlockType& type,
                                    std::string_view rest) {
  const auto role = query.is_source() ? HILDA_OUTPUT : HILDA_INPUT;
  const auto other = query.is_source() ? HILDA_INPUT : HILDA_OUTPUT;
  const std::string label = hilda::base::in_quotes(query.at.path_of(block.name)) + " of type " + type.name;
  const std::string kind = port_label(query.is_source());
  const std::vector<std::string> names = slot_names(type, role);
  const std::string own = names.empty() ? "it has no " + kind + "s" : "its " + kind + "s are: " + listed(names);
  if (rest.empty())
    return report(query, "unknown-port",
                  hilda::base::in_quotes(query.text) + " names the block " + label + " but no port", own);
  for (const Slot& slot : type.slots)
    if (slot.role == other && begins_with_name(rest, slot.name))
      return refuse_direction(query, hilda::base::in_quotes(slot.name) + " of " + label);
  for (const PartedPort& port : parted_ports(type))
    if (port.role == other && port.name == rest)
      return refuse_direction(query, hilda::base::in_quotes(port.name) + " of " + label);
  const std::string name(rest), inner = name.substr(0, name.find_first_of(".["));
  if (const std::string why = query.is_source() ? "" : why_not_driven(type, inner); !why.empty())
    return report(query, "fixed-parameter",
                  "a wire ends at the parameter " + hilda::base::in_quotes(inner) + " of " + label + ", which " + why,
                  "give it as an attribute; " + drivable_text(type), {{block.where, "the block is here"}});
  std::string near = context_.suggestions.near(name, names);
  if (near.empty()) near = context_.suggestions.near(inner, names);
  const std::string parameter =
      near.empty() && !query.is_source() ? context_.suggestions.near(inner, drivable_parameters(type)) : "";
  report(query, "unknown-port", label + " has no " + kind + " " + hilda::base::in_quotes(name),
         !near.empty()        ? "did you mean " + hilda::base::in_quotes(near) + "? " + own
         : !parameter.empty() ? "did you mean the parameter " + hilda::base::in_quotes(parameter) + "? " + own
                              : own,
         {{block.where, "the block is here"}});
  return near.empty() ? WireEnd{} : mended(query, block.name + "." + near + index_of(name));
}

WireEnd WireEnds::refuse_border(const Query& query, const Instance& child, std::string_view rest) {
  const bool source = query.is_source();
  const Ports& ports = source ? child.names->outputs : child.names->inputs;
  const auto& others = source ? child.names->other_outputs : child.names->other_inputs;
  if (longest_port(others, rest) != std::string_view::npos) return absent;
  if (exists_elsewhere(query.at, child, rest, query.side)) return absent;
  const std::string label = "the subsystem " + hilda::base::in_quotes(child.path);
  const std::string kind = port_label(source);
  const std::vector<std::string> names = sorted_names(ports);
  const std::string own = names.empty() ? "it has no " + kind + "s" : "its " + kind + "s are: " + listed(names);
  std::vector<Note> notes = {{child.diagram->where, "its diagram begins here"}};
  if (rest.empty())
    return report(query, "unknown-port", hilda::base::in_quotes(query.text) + " names " + label + " but no port", own);
  if (longest_port(source ? child.names->inputs : child.names->outputs, rest) != std::string_view::npos)
    return refuse_direction(query, hilda::base::in_quotes(rest) + " of " + label);
  const std::string name(rest);
  const std::string inner = name.substr(0, name.find_first_of(".["));
  const std::vector<PortDecl>& declared = source ? child.diagram->outputs : child.diagram->inputs;
  std::string near = context_.suggestions.near(name, names);
  if (near.empty()) near = context_.suggestions.near(inner, names);
  if (!near.empty()) notes = {{declared[ports.at(near)].where, hilda::base::in_quotes(near) + " is declared here"}};
  if (child.names->elements.find(inner) != child.names->elements.end())
    return report(query, "inside-subsystem",
                  hilda::base::in_quotes(query.text) + " reaches into " + label + " to its element " +
                      hilda::base::in_quotes(inner),
                  "declare <" + kind + " name=\"...\"/> in the subsystem, connect it there, and wire that port",
                  std::move(notes));
  report(query, "unknown-port", label + " has no " + kind + " " + hilda::base::in_quotes(name),
         near.empty() ? own : "did you mean " + hilda::base::in_quotes(near) + "? " + own, std::move(notes));
  return near.empty() ? WireEnd{} : mended(query, child.element->name + "." + near);
}

WireEnd WireEnds::refuse_name(const Query& query, const SignalPath& path) {
  working_at(query.where);
  if (path.text().empty()) {
    if (query.text.empty()) return {}; // a missing attribute, reported by the reader
    return report(query, "bad-path", hilda::base::in_quotes(query.text) + " is not a path of a signal",
                  "write names joined by dots such as rig.wrench.force.x or mux.u[0]");
  }
  const NameIndex& names = *query.at.names;
  const Ports& opposite = query.is_source() ? names.outputs : names.inputs;
  if (const std::size_t end = longest_port(opposite, query.text); end != std::string_view::npos)
    return report(query, "wrong-direction",
                  hilda::base::in_quotes(query.text) + " is an " + port_label(query.is_source()) +
                      " of this diagram itself",
                  query.is_source() ? "inside, an output is where wires end" : "inside, an input is where wires begin");
  if (!query.is_source() && longest_port(names.outputs, query.text) != std::string_view::npos)
    return report(query, "part-destination",
                  hilda::base::in_quotes(query.at.path_of(query.text)) +
                      " is a part of an output, which no wire can drive alone",
                  "drive the whole output: routing/Mux, or a block that composes it, puts parts together");
  std::vector<std::string> candidates;
  if (!context_.suggestions.spent()) {
    candidates = sorted_names(names.elements);
    for (const std::string& port : sorted_names(query.is_source() ? names.inputs : names.outputs))
      candidates.push_back(port);
  }
  const std::string name(path.first());
  const std::string around =
      query.at.path.empty() ? "the diagram" : "the subsystem " + hilda::base::in_quotes(query.at.path);
  const std::string near = context_.suggestions.near(name, candidates);
  if (query.report == Report::yes) {
    constexpr std::size_t most_listed = 3;
    UnknownName& unknown = unknown_[{query.at.path, name}];
    if (unknown.wires++ == 0) {
      unknown.where = query.where;
      unknown.what = around + " has no element " + hilda::base::in_quotes(name) +
                     (query.text == name ? "" : ", which " + hilda::base::in_quotes(query.text) + " begins with");
      unknown.help = near.empty() ? context_.suggestions.help(name, candidates, "it has")
                                  : "did you mean " + hilda::base::in_quotes(near) + "?";
      if (!near.empty()) unknown.notes = {{place_of(query, near), hilda::base::in_quotes(near) + " is here"}};
    } else if (unknown.wires <= most_listed + 1) {
      unknown.notes.push_back({query.where, hilda::base::in_quotes(query.text) + " names it, too"});
    }
  }
  return near.empty() ? WireEnd{} : mended(query, near + query.text.substr(name.size()));
}

void WireEnds::report_unknown_names() {
  for (auto& [key, unknown] : unknown_) {
    constexpr std::size_t listed = 4; // the first, and those in notes
    if (unknown.wires > listed)
      unknown.notes.push_back({{}, "and " + std::to_string(unknown.wires - listed) + " more"});
    context_.diagnostics.error("unknown-name", unknown.where, std::move(unknown.what), std::move(unknown.help),
                               std::move(unknown.notes));
  }
}

/// Where the element or port of this name is, of any mode.
Location WireEnds::place_of(const Query& query, const std::string& name) {
  const auto find = [&](const auto& elements) -> const Location* {
    for (const auto& element : elements)
      if (element.name == name) return &element.where;
    return nullptr;
  };
  const DiagramDecl& diagram = *query.at.diagram;
  const Location* place = find(diagram.blocks);
  if (place == nullptr) place = find(diagram.subsystems);
  if (place == nullptr) place = find(query.is_source() ? diagram.inputs : diagram.outputs);
  return place != nullptr ? *place : Location{};
}

/// What a destination would be if `text` was there: what was probably meant, so that it is not reported as undriven.
WireEnd WireEnds::mended(const Query& query, const std::string& text) {
  if (query.is_source() || query.report == Report::no) return {};
  WireEnd end = destination(query.at, text, query.where, Report::no);
  end.mended = true;
  return end;
}

bool WireEnds::check_parts(const Query& query, std::string_view parts) {
  if (parts.empty()) return true;
  constexpr std::size_t most = 4;
  const std::vector<std::string> names = parts_of(parts);
  const auto wrong =
      std::find_if_not(names.begin(), names.end(), [](const std::string& name) { return is_part(name); });
  if (wrong == names.end() && names.size() <= most) return true;
  const std::string signal = query.text.substr(0, query.text.size() - parts.size());
  const std::string name = wrong == names.end() ? std::string(parts) : *wrong;
  report(query, "unknown-part",
         "the signal " + hilda::base::in_quotes(query.at.path_of(signal)) + " has no part " +
             hilda::base::in_quotes(name),
         context_.suggestions.help(name, part_names(), "parts are [0], [1]... and"));
  return false;
}

/// A port that only another mode of the subsystem has, and may have alone; with a rig replaced, also one that the rig
/// of the diagram has.
bool WireEnds::exists_elsewhere(const Instance& at, const Instance& child, std::string_view rest, Side side) const {
  const auto has = [&](const SubsystemDecl& variant) {
    if (variant.body == nullptr) return false;
    const auto& ports = side == Side::source ? variant.body->outputs : variant.body->inputs;
    return std::any_of(ports.begin(), ports.end(), [&](const PortDecl& port) {
      return (is_truth(port.name) || !port.mode.empty()) && begins_with_name(rest, port.name);
    });
  };
  if (has(*child.element)) return true;
  const auto variants = at.names->variants.find(child.element->name);
  if (variants == at.names->variants.end()) return false;
  for (const std::size_t index : variants->second)
    if (has(at.diagram->subsystems[index])) return true;
  return false;
}

} // namespace hilda::compile
