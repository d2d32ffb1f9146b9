#include "engine/flatten/junctions.h"

#include "engine/diagnostics/complaint.h"
#include "engine/flatten/variants.h"
#include "engine/model/name_pattern.h"
#include "engine/xml/names.h"

#include <algorithm>
#include <array>
#include <utility>

namespace hilda {
namespace {

using JunctionKind = Junction::Kind;

/// Types that the engine knows by name, since they are wires and no blocks.
constexpr std::array<std::pair<std::string_view, JunctionKind>, 4> junction_types = {
    {{"routing/Goto", JunctionKind::sender},
     {"routing/From", JunctionKind::receiver},
     {"routing/Bundle", JunctionKind::bundle},
     {"routing/Unbundle", JunctionKind::unbundle}}};

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

void JunctionReader::read(Instance& at, std::size_t index, JunctionKind kind, const TypeInfo& info) {
  const BlockDecl& block = at.diagram->blocks[index];
  const std::string path = at.path_of(block.name);
  SettingNode* settings = at.settings != nullptr ? at.settings->below(block.name) : nullptr;
  if (settings != nullptr) {
    std::vector<std::string> names;
    for (const SlotIndex slot : info.parameters) names.push_back(info.type->slots[slot].name);
    settings->identify("the block " + in_quotes(path), std::move(names));
  }
  refuse_attributes(block);
  bool complete = true;
  const std::vector<ParameterValue> values = parameters_.read(block, info, at, settings, complete);
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
  made.tag = kind == JunctionKind::sender || kind == JunctionKind::receiver ? text : "";
  if (kind == JunctionKind::sender && complete) enter_tag(at, block, junction);
}

/// It runs never, so nothing can be said about when.
void JunctionReader::refuse_attributes(const BlockDecl& block) {
  const std::pair<const char*, const std::string*> given[] = {{"sample_time", &block.sample_time},
                                                              {"enable", &block.enable},
                                                              {"reset", &block.reset},
                                                              {"outputs", &block.outputs}};
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

void JunctionReader::enter_tag(Instance& at, const BlockDecl& block, JunctionIndex index) {
  const std::string& tag = flat_.system.junctions[index].tag;
  const auto [known, fresh] = at.senders.try_emplace(tag, index);
  if (fresh) return;
  context_.diagnostics.error("goto-twice", block.where,
                             "the tag " + in_quotes(tag) + " has two writers, " +
                                 in_quotes(flat_.system.junctions[known->second].path) + " and " +
                                 in_quotes(flat_.system.junctions[index].path),
                             "a tag stands for one signal: give one of them another tag",
                             {{flat_.system.junctions[known->second].where, "the first one stands here"}});
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
    if (junction.kind != JunctionKind::receiver || at.senders.contains(junction.tag)) continue;
    flat_.junctions[index].vanished = sent_elsewhere(at, junction.tag);
    if (flat_.junctions[index].vanished) continue;
    std::vector<std::string> tags;
    for (const auto& [tag, sender] : at.senders) tags.push_back(tag);
    std::vector<Note> notes;
    for (const JunctionIndex other : flat_.system.junctions.indices())
      if (const Junction& there = flat_.system.junctions[other];
          there.kind == JunctionKind::sender && there.tag == junction.tag && notes.empty())
        notes.push_back({there.where, in_quotes(there.path) + " sends this tag, but a tag is known only in the diagram "
                                                              "or subsystem in which its Goto stands"});
    context_.diagnostics.error(
        "from-without-goto", junction.where,
        in_quotes(junction.path) + " takes the tag " + in_quotes(junction.tag) + ", which no routing/Goto " +
            (at.path.empty() ? "of the diagram" : "of the subsystem " + in_quotes(at.path)) + " sends",
        tags.empty() ? "add <block name=\"...\" type=\"routing/Goto\" tag=\"" + junction.tag + "\"/> and wire its u"
                     : context_.suggestions.help(junction.tag, tags, "tags here are"),
        std::move(notes));
  }
}

} // namespace hilda
