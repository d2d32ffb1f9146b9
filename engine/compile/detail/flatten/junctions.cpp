// SPDX-License-Identifier: BSD-3-Clause
#include "engine/compile/junctions.h"

#include "engine/base/error.h"
#include "engine/compile/detail/flatten/variants.h"
#include "engine/diagram/name_pattern.h"
#include "engine/diagram/names.h"

#include <algorithm>
#include <array>
#include <utility>

namespace hilda::compile {
namespace {

using JunctionKind = Junction::Kind;

/// Types that the engine knows by name, since they are wires and no blocks.
constexpr std::array<std::pair<std::string_view, JunctionKind>, 4> junction_types = {
    {{"routing/Goto", JunctionKind::sender},
     {"routing/From", JunctionKind::receiver},
     {"routing/Bundle", JunctionKind::bundle},
     {"routing/Unbundle", JunctionKind::unbundle}}};

constexpr std::string_view store_type = "routing/DataStore", store_reader = "routing/DataStoreRead",
                           store_writer = "routing/DataStoreWrite";

PortDecl junction_input(std::string name, Location where) {
  PortDecl port;
  port.name = std::move(name);
  port.where = where;
  return port;
}

const std::string& attribute_text(const BlockDecl& block, std::string_view name) {
  static const std::string none;
  for (const Attribute& each : block.parameters)
    if (each.name == name) return each.text;
  return none;
}

} // namespace

std::optional<Junction::Kind> junction_kind(std::string_view type) {
  for (const auto& [name, kind] : junction_types)
    if (name == type) return kind;
  return std::nullopt;
}

bool reads_store(std::string_view type) { return type == store_reader; }

void JunctionReader::read(Instance& at, std::size_t index, JunctionKind kind, const TypeInfo& info) {
  const BlockDecl& block = at.diagram->blocks[index];
  const std::string path = at.path_of(block.name);
  bool complete = true;
  const std::vector<ParameterValue> values = read_parameters(at, block, info, complete);
  const JunctionIndex junction = flat_.system.junctions.next();
  Junction& made = flat_.system.junctions.emplace_back();
  made.kind = kind;
  made.path = path;
  made.where = block.where;
  at.junctions[index] = junction;
  JunctionPorts& ports = flat_.junctions.emplace_back();
  ports.at = &at;
  ports.info = &info;
  const std::string text = values.empty() ? std::string() : values.front().value.text;
  if (kind == JunctionKind::bundle) {
    flat_.buses = true;
    if (complete) read_parts(block, text, values.front().where, made);
    for (const std::string& part : made.parts) ports.inputs.push_back(junction_input(part, block.where));
  } else if (kind != JunctionKind::receiver) {
    ports.inputs.push_back(junction_input(info.type->slots[info.inputs.front()].name, block.where));
  }
  ports.first_port = flat_.ports;
  flat_.ports += ports.inputs.size();
  if (kind != JunctionKind::sender && kind != JunctionKind::receiver) return;
  made.tag = text;
  ports.tagged = complete && check_tag(made, values.front().where);
  if (kind == JunctionKind::sender && ports.tagged) enter_tag(at, block, junction);
}

std::vector<ParameterValue> JunctionReader::read_parameters(const Instance& at, const BlockDecl& block,
                                                            const TypeInfo& info, bool& complete) {
  SettingNode* settings = at.settings != nullptr ? at.settings->below(block.name) : nullptr;
  if (settings != nullptr) {
    std::vector<std::string> names;
    for (const SlotIndex slot : info.parameters) names.push_back(info.type->slots[slot].name);
    settings->identify("the block " + in_quotes(at.path_of(block.name)), std::move(names));
  }
  refuse_attributes(block);
  return parameters_.read(block, info, at, settings, complete);
}

void JunctionReader::read_store_reader(Instance& at, std::size_t index, const TypeInfo& info) {
  bool complete = true;
  const std::vector<ParameterValue> values = read_parameters(at, at.diagram->blocks[index], info, complete);
  at.store_readers[index].info = &info;
  if (complete) readers_.push_back({&at, index, values.front().value.text});
}

void JunctionReader::note_block(const Instance& at, std::size_t index) {
  const BlockIndex block = at.blocks[index];
  if (at.diagram->blocks[index].type == store_writer && block.valid() && flat_.infos[block] != nullptr)
    writers_.push_back({&at, index});
}

void JunctionReader::check_stores() {
  for (const Reader& each : readers_)
    each.at->store_readers[each.index].of = find_store(*each.at, each.at->diagram->blocks[each.index], each.store);
  for (const auto& [at, index] : writers_) {
    const BlockDecl& block = at->diagram->blocks[index];
    const BlockIndex writer = at->blocks[index];
    const SystemBlock& made = flat_.system.blocks[writer];
    if (made.parameters.empty() || made.parameters.front().value.text.empty()) continue; // reported
    const NamedStore store = find_store(*at, block, made.parameters.front().value.text);
    if (!store.store.valid()) continue;
    StoreWire wire{.writer = writer, .store = store.store, .connect = {}};
    wire.connect.from = made.path;
    wire.connect.to = flat_.system.blocks[store.store].path;
    wire.connect.where = block.where;
    flat_.store_wires.push_back(std::move(wire));
  }
}

/// In the diagram in which it is, or the nearest around it.
NamedStore JunctionReader::find_store(const Instance& from, const BlockDecl& block, const std::string& name) {
  std::vector<std::string> stores;
  std::string other;
  for (const Instance* at = &from; at != nullptr; at = at->parent) {
    NamedStore found;
    const std::vector<BlockDecl>& blocks = at->diagram->blocks;
    for (std::size_t i = 0; i < blocks.size(); ++i) {
      const bool here = in_mode(blocks[i].mode, flat_.system.mode), named = blocks[i].name == name;
      if (blocks[i].type == store_type) {
        if (here) stores.push_back(blocks[i].name);
        if (named && here) found.store = at->blocks[i];
        found.vanished = found.vanished || named;
      } else if (named && here) {
        other = blocks[i].type;
      }
    }
    if (found.vanished) return found;
  }
  context_.diagnostics.error(
      "unknown-store", block.where,
      in_quotes(from.path_of(block.name)) + (block.type == store_writer ? " writes" : " reads") + " the store " +
          in_quotes(name) + (other.empty() ? ", which is not there" : ", which is a " + other),
      stores.empty()
          ? "add <block name=\"" + name + "\" type=\"routing/DataStore\"/> to this diagram, or to one around it"
          : context_.suggestions.help(name, stores, "stores that are known here are"));
  return {};
}

/// It runs never, so nothing can be reported about when.
void JunctionReader::refuse_attributes(const BlockDecl& block) {
  const std::pair<const char*, const std::string*> given[] = {{"sample_time", &*block.sample_time},
                                                              {"enable", &*block.enable},
                                                              {"reset", &*block.reset},
                                                              {"outputs", &*block.outputs}};
  for (const auto& [name, text] : given)
    if (!text->empty())
      context_.diagnostics.error("junction-attribute", block.where,
                                 in_quotes(block.name) + " of type " + block.type + " has " + name + "=" +
                                     in_quotes(*text) + ", but it is a piece of wire and never runs",
                                 std::string("remove ") + name +
                                     ", or give it to the block that makes or takes the signal");
}

void JunctionReader::read_parts(const BlockDecl& block, const std::string& text, Location where, Junction& made) {
  const auto refuse = [&](const std::string& what) {
    context_.diagnostics.error("bus-parts", where, "the parts of the bus " + in_quotes(made.path) + ": " + what,
                               "write the names of its parts, such as parts=\"position velocity\"; " + block.name +
                                   ".position is then where the first is wired to");
  };
  for (std::string& word : words_of_list(text)) {
    if (!is_element_name(word, false))
      refuse(in_quotes(word) + " is not a name");
    else if (std::find(made.parts.begin(), made.parts.end(), word) != made.parts.end())
      refuse(in_quotes(word) + " is given twice");
    else
      made.parts.push_back(std::move(word));
  }
  if (words_of_list(text).empty()) refuse("there are none");
}

bool JunctionReader::check_tag(const Junction& made, Location where) {
  if (made.tag.find_first_not_of(" \t\r\n") != std::string::npos) return true;
  context_.diagnostics.error("goto-tag", where, "the tag of " + in_quotes(made.path) + " is empty",
                             "write tag=\"...\": a routing/From takes what the routing/Goto of its tag is given");
  return false;
}

void JunctionReader::enter_tag(Instance& at, const BlockDecl& block, JunctionIndex index) {
  const std::string& tag = flat_.system.junctions[index].tag;
  const auto [known, fresh] = at.senders.try_emplace(tag, index);
  if (fresh) return;
  context_.diagnostics.error("goto-twice", block.where,
                             "the tag " + in_quotes(tag) + " has two writers, " +
                                 in_quotes(flat_.system.junctions[known->second].path) + " and " +
                                 in_quotes(flat_.system.junctions[index].path),
                             "a tag stands for one signal: give one of them another tag",
                             {{flat_.system.junctions[known->second].where, "the first one is here"}});
}

/// A Goto of this tag that only another mode has.
bool JunctionReader::sent_elsewhere(const Instance& at, const std::string& tag) const {
  return std::any_of(at.diagram->blocks.begin(), at.diagram->blocks.end(), [&](const BlockDecl& block) {
    return junction_kind(block.type) == JunctionKind::sender && !in_mode(block.mode, flat_.system.mode) &&
           attribute_text(block, "tag") == tag;
  });
}

void JunctionReader::check_receivers() {
  for (const JunctionIndex index : flat_.system.junctions.indices()) {
    const Junction& junction = flat_.system.junctions[index];
    const Instance& at = *flat_.junctions[index].at;
    if (junction.kind != JunctionKind::receiver || !flat_.junctions[index].tagged) continue;
    if (at.senders.contains(junction.tag)) continue;
    flat_.junctions[index].vanished = sent_elsewhere(at, junction.tag);
    if (flat_.junctions[index].vanished) continue;
    std::vector<std::string> tags;
    for (const auto& [tag, sender] : at.senders) tags.push_back(tag);
    std::vector<Note> notes;
    for (const JunctionIndex other : flat_.system.junctions.indices())
      if (const Junction& there = flat_.system.junctions[other];
          there.kind == JunctionKind::sender && there.tag == junction.tag && notes.empty())
        notes.push_back({there.where, in_quotes(there.path) + " sends this tag, but a tag is known only in the diagram "
                                                              "or subsystem that contains its Goto"});
    context_.diagnostics.error(
        "from-without-goto", junction.where,
        in_quotes(junction.path) + " takes the tag " + in_quotes(junction.tag) + ", which no routing/Goto " +
            (at.path.empty() ? "of the diagram" : "of the subsystem " + in_quotes(at.path)) + " sends",
        tags.empty() ? "add <block name=\"...\" type=\"routing/Goto\" tag=\"" + junction.tag + "\"/> and wire its u"
                     : context_.suggestions.help(junction.tag, tags, "tags here are"),
        std::move(notes));
  }
}

} // namespace hilda::compile
