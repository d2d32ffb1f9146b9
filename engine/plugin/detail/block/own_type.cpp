// SPDX-License-Identifier: BSD-3-Clause
#include "engine/plugin/own_type.h"

#include "engine/base/error.h"
#include "engine/base/word_list.h"
#include "engine/plugin/running_code.h"
#include "engine/quantity/unit.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstring>
#include <deque>
#include <exception>
#include <hilda/ports.h>
#include <utility>
#include <vector>

namespace hilda::plugin {
namespace {

static_assert(Unit::bases <= HILDA_UNIT_POWERS);

const hilda_ports_1* ports_of(const BlockType& type) {
  if (type.abi == nullptr || type.abi->extension == nullptr) return nullptr;
  return static_cast<const hilda_ports_1*>(type.abi->extension("hilda.ports/1"));
}

/// What a plugin hears of a block's inside, and what it says of it.
class OwnBody {
public:
  OwnBody(const std::string& path, const BlockDecl& block, Diagnostics& diagnostics)
      : path_(path), block_(block), diagnostics_(diagnostics) {
    for (const ChildDecl& each : block.children) {
      std::vector<const char*>&names = words_.emplace_back(), &texts = words_.emplace_back();
      for (const Attribute& attribute : each.attributes)
        names.push_back(attribute.name.c_str()), texts.push_back(attribute.text.c_str());
      children_.push_back({sizeof(hilda_child), static_cast<std::uint32_t>(names.size()), each.tag.c_str(),
                           names.data(), texts.data(),
                           each.within == ChildDecl::in_block ? block.children.size() : each.within});
    }
  }

  hilda_body body() {
    return {sizeof(hilda_body), sizeof(hilda_child), this,           path_.c_str(),
            children_.data(),   children_.size(),    &OwnBody::unit, &OwnBody::unit_text,
            &OwnBody::report,   &OwnBody::warn};
  }

private:
  static OwnBody& self(void* engine) { return *static_cast<OwnBody*>(engine); }

  static std::int32_t unit(void* engine, std::uint64_t child, const char* text, double* powers, double* factor) {
    const Result<UnitReading> read = parse_unit(text);
    if (!read) {
      self(engine).say(child, "unit", ": " + read.error().what, read.error().help);
      return 1;
    }
    *factor = read->offset == 0 ? read->factor() : 0;
    std::fill(powers, powers + HILDA_UNIT_POWERS, 0.0);
    for (std::size_t i = 0; i < Unit::bases; ++i) {
      const auto base = static_cast<Unit::Base>(i);
      const Exponent power = read->unit.power(base);
      if (base != Unit::Base::angle)
        powers[i] = static_cast<double>(power.numerator()) / static_cast<double>(power.denominator());
    }
    return 0;
  }

  static void unit_text(void*, const double* powers, char* text, std::uint64_t capacity) {
    Unit unit;
    for (std::size_t i = 0; i < Unit::bases; ++i) {
      constexpr int finest = 12; // roots of roots
      const long parts = std::lround(std::clamp(powers[i], -100.0, 100.0) * finest);
      unit = unit * Unit(static_cast<Unit::Base>(i)).pow(Exponent(parts, finest));
    }
    const std::string made = unit.text();
    if (capacity == 0) return;
    const std::size_t length = std::min<std::size_t>(made.size(), capacity - 1);
    std::memcpy(text, made.data(), length);
    text[length] = 0;
  }

  static void report(void* engine, std::uint64_t child, const char* attribute, const char* what, const char* help) {
    self(engine).say(child, attribute, std::string(" ") + what, help);
  }

  static void warn(void* engine, std::uint64_t child, const char* attribute, const char* what, const char* help) {
    const Said said = self(engine).said(child, attribute);
    self(engine).diagnostics_.warning("block-body", said.where, said.who + " " + what, help, said.notes);
  }

  /// At the attribute, the element or the block.
  struct Said {
    Location where;
    std::string who;
    std::vector<Note> notes;
  };
  Said said(std::uint64_t child, const char* attribute) const {
    Location where = block_.where;
    std::string who = in_quotes(path_);
    if (child < block_.children.size()) {
      const ChildDecl& element = block_.children[child];
      where = element.where;
      who = "<" + element.tag + "> of " + who;
      for (const Attribute& each : element.attributes)
        if (attribute != nullptr && each.name == attribute)
          where = each.where, who += ", " + in_quotes(each.text) + ",";
    }
    return {where, who, {{block_.where, "the block begins here"}}};
  }
  void say(std::uint64_t child, const char* attribute, const std::string& what, const std::string& help) {
    const Said at = said(child, attribute);
    diagnostics_.error("block-body", at.where, at.who + what, help, at.notes);
  }

  const std::string& path_;
  const BlockDecl& block_;
  Diagnostics& diagnostics_;
  std::deque<std::vector<const char*>> words_;
  std::vector<hilda_child> children_;
};

} // namespace

namespace {

/// Whether all elements inside a block are such as its type takes.
bool takes_elements(const hilda_ports_1& ports, const std::string& type, const std::string& path,
                    const BlockDecl& block, Diagnostics& diagnostics) {
  const std::vector<std::string> tags(ports.tags, ports.tags + ports.tag_count);
  const bool nests = ports.size > offsetof(hilda_ports_1, nested) && ports.nested != nullptr;
  bool sound = true;
  for (const ChildDecl& each : block.children) {
    const bool known = std::find(tags.begin(), tags.end(), each.tag) != tags.end();
    const bool placed = each.within == ChildDecl::in_block || (nests && each.tag == ports.nested);
    if (known && placed) continue;
    std::string list;
    for (const std::string& tag : tags) add_word(list, "<" + tag + ">");
    diagnostics.error("block-body", each.where,
                      "<" + each.tag + "> is inside " +
                          (known ? "a <" + block.children[each.within].tag + "> of " + in_quotes(path)
                                 : in_quotes(path) + ", of type " + type + ", which does not take it"),
                      known ? "close the <" + block.children[each.within].tag + "> before it with '/>'"
                            : "it takes: " + list,
                      {{block.where, "the block begins here"}});
    sound = false;
  }
  return sound;
}

} // namespace

bool has_own_slots(const BlockType& type) { return ports_of(type) != nullptr; }

std::shared_ptr<const BlockType> make_own_type(const BlockType& base, const std::string& path, const BlockDecl& block,
                                               Diagnostics& diagnostics) {
  const hilda_ports_1& ports = *ports_of(base);
  if (!takes_elements(ports, base.name, path, block, diagnostics)) return nullptr;
  OwnBody inside(path, block, diagnostics);
  const hilda_body body = inside.body();
  const RunningMark mark(
      {.plugin = base.plugin.c_str(), .block = path.c_str(), .type = base.name.c_str(), .phase = "make"});
  const hilda_block_type* made = nullptr;
  try {
    made = ports.make(&body);
  } catch (const std::exception& thrown) {
    diagnostics.error("block-body", block.where, in_quotes(path) + " threw: " + thrown.what(),
                      "report this to who made the plugin " + base.plugin);
  }
  if (made == nullptr) return nullptr;
  std::vector<std::string> problems;
  std::unique_ptr<BlockType> type = describe(*made, base.name.substr(0, base.name.find('/')), base.plugin, problems);
  for (const std::string& problem : problems)
    diagnostics.error("plugin-descriptor", block.where, in_quotes(path) + ": " + problem,
                      "choose another name where the block's elements give one; else mend the type that the plugin " +
                          base.plugin + " makes for it");
  if (type == nullptr) {
    ports.release(made);
    return nullptr;
  }
  type->order = base.order;
  type->ports = &ports;
  return {type.release(), [made](const BlockType* own) {
            own->ports->release(made);
            delete own;
          }};
}

void bind_own_type(const BlockType& type, void* record) {
  if (type.ports != nullptr) type.ports->bind(type.abi, record);
}

} // namespace hilda::plugin
