// SPDX-License-Identifier: BSD-3-Clause
#include "engine/run/detail/plan/lane_groups.h"

#include "engine/catalogue/driven_type.h"
#include "engine/catalogue/lanes.h"
#include "engine/run/layout.h"

#include <algorithm>
#include <map>

namespace hilda::run {
namespace {

/// A layout for groups of blocks.
struct LaneLayout {
  const BlockType* layout;
  const hilda_lanes_1* functions;
};

/// By type; asked once for each, widest first.
class LaneLayouts {
public:
  explicit LaneLayouts(std::uint32_t most) : most_(most) {}
  const std::vector<LaneLayout>& of(const BlockType& type) {
    const auto [at, fresh] = known_.try_emplace(&type);
    if (!fresh || !driven_parameters(type).empty()) return at->second;
    for (const auto& variant : type.variants)
      if (const hilda_lanes_1* functions = lanes_of(*variant); functions != nullptr && computes(*functions))
        at->second.push_back({variant.get(), functions});
    std::stable_sort(at->second.begin(), at->second.end(),
                     [](const LaneLayout& a, const LaneLayout& b) { return a.functions->width > b.functions->width; });
    return at->second;
  }

private:
  bool computes(const hilda_lanes_1& lanes) const {
    return lanes.width <= most_ && (lanes.state_output != nullptr || lanes.output != nullptr ||
                                    lanes.update != nullptr || lanes.step != nullptr);
  }
  std::uint32_t most_;
  std::map<const BlockType*, std::vector<LaneLayout>> known_;
};

bool same_shape(const SignalType& a, const SignalType& b) { return a.rows == b.rows && a.cols == b.cols; }

/// What a function for groups reads of one lane counts for all: choices, and which inputs are there.
bool alike(const SystemBlock& a, const SystemBlock& b) {
  if (a.type != b.type || a.divider != b.divider || a.feeds_through != b.feeds_through) return false;
  const auto same_port = [](const SystemBlock::Port& one, const SystemBlock::Port& other) {
    return one.wire.valid() == other.wire.valid() && same_shape(one.type, other.type);
  };
  if (!std::equal(a.ports.begin(), a.ports.end(), b.ports.begin(), b.ports.end(), same_port)) return false;
  if (!std::equal(a.slot_types.begin(), a.slot_types.end(), b.slot_types.begin(), b.slot_types.end(), same_shape))
    return false;
  for (std::size_t p = 0; p < a.parameters.size(); ++p) {
    if (a.type->slots[a.parameters[p].slot].element == HILDA_F64) continue;
    const Value &one = a.parameters[p].value, &other = b.parameters[p].value;
    if (!std::equal(one.numbers.begin(), one.numbers.end(), other.numbers.begin(), other.numbers.end())) return false;
  }
  return true;
}

bool may_be_grouped(const SystemBlock& block) { return !block.guard.valid() && !block.continuous; }

/// Groups no two blocks of which are wired to each other.
void drop_wired(const System& system, std::vector<LaneGroup>& groups) {
  Indexed<BlockIndex, const LaneGroup*> group_of(groups.empty() ? 0 : system.blocks.size(), nullptr);
  for (const LaneGroup& group : groups)
    for (const BlockIndex b : group.blocks) group_of[b] = &group;
  std::vector<unsigned char> wired(groups.size(), 0);
  if (!groups.empty())
    for (const Wire& wire : system.wires)
      if (const LaneGroup* group = group_of[wire.from.block]; group != nullptr && group == group_of[wire.to.block])
        wired[static_cast<std::size_t>(group - groups.data())] = 1;
  std::size_t at = 0;
  std::erase_if(groups, [&](const LaneGroup&) { return wired[at++] != 0; });
}

} // namespace

std::vector<LaneGroup> lane_groups(const System& system, const std::vector<BlockIndex>& order, std::uint32_t most) {
  std::vector<LaneGroup> groups;
  if (most < 2) return groups;
  LaneLayouts layouts(most);
  for (std::size_t first = 0; first < order.size();) {
    const SystemBlock& block = system.blocks[order[first]];
    const std::vector<LaneLayout>& wide = layouts.of(*block.type);
    std::size_t end = first + 1;
    if (!wide.empty() && may_be_grouped(block))
      while (end < order.size() && may_be_grouped(system.blocks[order[end]]) && alike(block, system.blocks[order[end]]))
        ++end;
    for (const LaneLayout& each : wide) {
      if (!fits_layout(block, *each.layout)) continue;
      for (; end - first >= each.functions->width; first += each.functions->width) {
        const auto begin = order.begin() + static_cast<std::ptrdiff_t>(first);
        groups.push_back({{begin, begin + each.functions->width}, each.layout, each.functions});
      }
    }
    first = end;
  }
  drop_wired(system, groups);
  return groups;
}

} // namespace hilda::run
