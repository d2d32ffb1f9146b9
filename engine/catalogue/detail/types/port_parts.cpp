// SPDX-License-Identifier: BSD-3-Clause
#include "engine/catalogue/port_parts.h"

#include "engine/catalogue/driven_type.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

namespace hilda::catalogue {
namespace {

class Collector {
public:
  explicit Collector(const BlockType& type) {
    for (const Slot& slot : type.slots) names_.emplace(slot.role, slot.name);
  }

  /// Enters a port with parts for each beginning of the name, unless one of them is a port itself.
  void add(const Slot& slot) {
    const std::string& name = slot.name;
    for (std::size_t dot = name.find('.'); dot != std::string::npos; dot = name.find('.', dot + 1))
      if (names_.contains({slot.role, name.substr(0, dot)})) return;
    for (std::size_t dot = name.find('.'); dot != std::string::npos; dot = name.find('.', dot + 1)) {
      const std::string before = name.substr(0, dot);
      const std::string part = name.substr(dot + 1, name.find('.', dot + 1) - dot - 1);
      const auto [known, fresh] = by_name_.try_emplace({slot.role, before}, found_.size());
      if (fresh) found_.push_back({before, slot.role, {}});
      std::vector<std::string>& parts = found_[known->second].parts;
      if (std::find(parts.begin(), parts.end(), part) == parts.end()) parts.push_back(part);
    }
  }

  std::vector<PartedPort> take() { return std::move(found_); }

private:
  using Key = std::pair<hilda_role, std::string>;
  std::set<Key> names_;
  std::map<Key, std::size_t> by_name_;
  std::vector<PartedPort> found_;
};

bool may_be_part(const BlockType& type, SlotIndex index) {
  const Slot& slot = type.slots[index];
  return (slot.role == HILDA_OUTPUT || (slot.role == HILDA_INPUT && !drives_parameter(type, index))) &&
         !slot.is(HILDA_REPEATED) && slot.name.find('.') != std::string::npos;
}

} // namespace

std::vector<PartedPort> parted_ports(const BlockType& type) {
  std::vector<SlotIndex> parts;
  for (const SlotIndex i : type.slots.indices())
    if (may_be_part(type, i)) parts.push_back(i);
  if (parts.empty()) return {}; // of most types
  Collector collector(type);
  for (const SlotIndex i : parts) collector.add(type.slots[i]);
  return collector.take();
}

const PartedPort* find_parted(const std::vector<PartedPort>& ports, hilda_role role, std::string_view name) {
  const auto found = std::find_if(ports.begin(), ports.end(),
                                  [&](const PartedPort& each) { return each.role == role && each.name == name; });
  return found == ports.end() ? nullptr : &*found;
}

} // namespace hilda::catalogue
