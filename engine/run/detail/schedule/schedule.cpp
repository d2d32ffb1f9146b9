// SPDX-License-Identifier: BSD-3-Clause
#include "engine/run/schedule.h"

#include <algorithm>
#include <hilda/flags.h>

namespace hilda::run {

namespace {

class Scheduler {
public:
  Scheduler(const System& system, const Plan& plan, const Memory& memory, const Flagging& flagging,
            DrivenParameters& driven, bool separate)
      : system_(system), plan_(plan), memory_(memory), flagging_(flagging), driven_(driven), separate_(separate) {}

  Schedule make() {
    s_.dividers.push_back(1);
    for (const SystemBlock& block : system_.blocks) rate_of(block);
    outputs(plan_.first_graph, plan_.first_order, s_.first_outputs);
    outputs(plan_.graph, plan_.order, s_.outputs);
    for (std::size_t at = 0; at < plan_.memory.size(); ++at) {
      const BlockIndex b = plan_.memory[at];
      const hilda_block_type& type = abi(b);
      if (const LaneGroup* group = memory_.group(b); group != nullptr && group->blocks.front() == b)
        if (group->functions->update != nullptr && flag_alike(*group) && together(*group, false)) {
          append_group(s_.update, *group, type.update, group->functions->update);
          at += group->blocks.size() - 1;
          continue;
        }
      if (type.acquire != nullptr) append(s_.acquire, b, type.acquire, nullptr);
      if (type.emit != nullptr) append(s_.emit, b, type.emit, nullptr);
      if (type.update != nullptr && !fused(b)) append(s_.update, b, type.update, type.update_many);
    }
    for (const Call& call : s_.outputs)
      if (call.continuous && (call.kind == Call::Kind::single || call.kind == Call::Kind::many))
        s_.minor.push_back(call);
    for (const BlockIndex b : plan_.memory)
      if (system_.blocks[b].continuous) continuous(b);
    for (std::vector<Call>* list : {&s_.first_outputs, &s_.outputs, &s_.update}) keep_marks(*list);
    return std::move(s_);
  }

private:
  const hilda_block_type& abi(BlockIndex b) const { return *memory_.layout(b).abi; }
  bool fused(BlockIndex b) const { return !separate_ && plan_.fused[b] && abi(b).step_many != nullptr; }

  RateIndex rate_of(const SystemBlock& block) {
    if (block.continuous) return RateIndex(0);
    const auto found = std::find(s_.dividers.begin(), s_.dividers.end(), block.divider);
    if (found != s_.dividers.end()) return RateIndex(found - s_.dividers.begin());
    s_.dividers.push_back(block.divider);
    return RateIndex(s_.dividers.size() - 1);
  }

  /// Adds a call, or makes the one before it longer where the record lies evenly behind those it has.
  void append(std::vector<Call>& list, BlockIndex b, Call::Single single, Call::Many many, std::uint32_t lanes = 1) {
    const SystemBlock& block = system_.blocks[b];
    Call call;
    call.continuous = block.continuous;
    call.rate = rate_of(block);
    call.guard = block.guard;
    call.block = b;
    call.single = single;
    call.first = static_cast<char*>(memory_.record(b));
    if (!separate_ && many != nullptr) {
      call.kind = Call::Kind::many;
      call.many = many;
      call.stride = abi(b).record_size;
      call.lanes = lanes;
      if (!list.empty() && extends(list.back(), call) && flagging_[list.back().block] == flagging_[b]) {
        Call& run = list.back();
        if (run.count == 1) run.stride = static_cast<std::uint64_t>(call.first - run.first);
        ++run.count;
        return;
      }
    }
    list.push_back(call);
  }

  /// Around blocks that do not flag what they do: they may clear the marks of the processor, and theirs tell nothing.
  void keep_marks(std::vector<Call>& list) const {
    const auto clears = [this](const Call& call) { return runs_block(call) && flagging_[call.block] == 0; };
    if (std::none_of(list.begin(), list.end(), clears)) return;
    std::vector<Call> with;
    const auto add = [&with](Call::Kind kind) {
      with.emplace_back();
      with.back().kind = kind;
    };
    bool kept = true, drop = false; // nothing that counts has run since
    for (const Call& call : list) {
      const bool other = clears(call);
      if (drop && !other) add(Call::Kind::drop_marks);
      if (other && !kept) add(Call::Kind::keep_marks);
      kept = drop = other;
      with.push_back(call);
    }
    if (drop) add(Call::Kind::drop_marks);
    list = std::move(with);
  }

  static bool runs_block(const Call& call) {
    return call.kind == Call::Kind::single || call.kind == Call::Kind::many || call.kind == Call::Kind::prime;
  }

  static bool extends(const Call& run, const Call& next) {
    if (run.kind != Call::Kind::many || run.many != next.many || run.rate != next.rate || run.guard != next.guard ||
        run.lanes != next.lanes || run.continuous != next.continuous || next.first <= run.first)
      return false;
    return run.count == 1 || run.first + run.stride * run.count == next.first;
  }

  bool flag_alike(const LaneGroup& group) const {
    return std::all_of(group.blocks.begin(), group.blocks.end(),
                       [&](BlockIndex b) { return flagging_[b] == flagging_[group.blocks.front()]; });
  }
  bool together(const LaneGroup& group, bool at_once) const {
    return std::all_of(group.blocks.begin(), group.blocks.end(), [&](BlockIndex b) { return fused(b) == at_once; });
  }
  void append_group(std::vector<Call>& list, const LaneGroup& group, Call::Single single, Call::Many many) {
    append(list, group.blocks.front(), single, many, group.functions->width);
  }

  /// Where the next nodes are those of a group, lane by lane: one call for all. How many they are.
  std::size_t group_outputs(const DependencyGraph& graph, const std::vector<NodeIndex>& order, std::size_t at,
                            std::vector<Call>& list) {
    const Node& first = graph.nodes[order[at]];
    if (first.kind != Node::Kind::output && first.kind != Node::Kind::state_output) return 0;
    const LaneGroup* const group = memory_.group(first.block);
    if (group == nullptr || order.size() - at < group->blocks.size() || !flag_alike(*group)) return 0;
    for (std::size_t lane = 0; lane < group->blocks.size(); ++lane) {
      const Node& node = graph.nodes[order[at + lane]];
      if (node.kind != first.kind || node.block != group->blocks[lane]) return 0;
    }
    const hilda_lanes_1& functions = *group->functions;
    const bool state = first.kind == Node::Kind::state_output, step = !state && fused(first.block);
    const Call::Many many = state ? functions.state_output : step ? functions.step : functions.output;
    if (many == nullptr || (!state && !together(*group, step))) return 0;
    const hilda_block_type& type = abi(first.block);
    append_group(list, *group, state ? type.state_output : step ? nullptr : type.output, many);
    return group->blocks.size();
  }

  void outputs(const DependencyGraph& graph, const std::vector<NodeIndex>& order, std::vector<Call>& list) {
    for (std::size_t at = 0; at < order.size(); ++at) {
      if (const std::size_t together = group_outputs(graph, order, at, list); together > 0) {
        at += together - 1;
        continue;
      }
      const Node& node = graph.nodes[order[at]];
      switch (node.kind) {
      case Node::Kind::guard: {
        Call call;
        call.kind = Call::Kind::guard;
        call.evaluated = node.guard;
        list.push_back(call);
        break;
      }
      case Node::Kind::safety: list.push_back(safety_call(node)); break;
      case Node::Kind::parameters: {
        append(list, node.block, &DrivenParameters::take, nullptr);
        list.back().first = driven_.of(node.block);
        break;
      }
      case Node::Kind::prime: {
        append(list, node.block, abi(node.block).prime, nullptr);
        list.back().kind = Call::Kind::prime;
        break;
      }
      case Node::Kind::state_output:
        append(list, node.block, abi(node.block).state_output, abi(node.block).state_output_many);
        break;
      case Node::Kind::output:
        if (fused(node.block))
          append(list, node.block, nullptr, abi(node.block).step_many);
        else
          append(list, node.block, abi(node.block).output, abi(node.block).output_many);
        break;
      }
    }
  }

  Call safety_call(const Node& node) {
    const SystemBlock& reader = system_.blocks[node.block];
    Call call;
    call.kind = Call::Kind::safety;
    call.rate = rate_of(reader);
    call.guard = reader.guard;
    call.block = node.block;
    call.wire = node.wire;
    return call;
  }

  void continuous(BlockIndex b) {
    const SystemBlock& block = system_.blocks[b];
    const BlockType& layout = memory_.layout(b);
    if (layout.abi->derivative != nullptr)
      append(s_.derivative, b, layout.abi->derivative, layout.abi->derivative_many);
    if (layout.abi->project != nullptr) append(s_.project, b, layout.abi->project, nullptr);
    for (const SlotIndex slot : layout.slots.indices()) {
      if (!layout.slots[slot].is(HILDA_CONTINUOUS)) continue;
      const Span value = memory_.span(b, slot);
      const Span rate = memory_.second(b, slot);
      s_.integrated.push_back(
          {static_cast<double*>(value.data), static_cast<const double*>(rate.data), value.count, block.guard, b, slot});
    }
    for (const SystemBlock::Port& port : block.ports) {
      const Slot& slot = layout.slots[port.slot];
      if (slot.role != HILDA_OUTPUT) continue;
      const Span span = memory_.span(b, port.slot, port.item);
      s_.minor_outputs.push_back(span);
      s_.minor_guards.push_back(block.guard);
      if (slot.is(HILDA_CROSSING) && span.element == HILDA_F64)
        for (std::size_t i = 0; i < span.count; ++i)
          s_.crossings.push_back({.value = static_cast<double*>(span.data) + i, .block = b});
    }
    for (const SlotIndex slot : layout.slots.indices()) {
      if (layout.slots[slot].role != HILDA_WORK || !layout.slots[slot].is(HILDA_CROSSING)) continue;
      const Span span = memory_.span(b, slot), sides = memory_.second(b, slot);
      const bool rate = layout.slots[slot].is(HILDA_CROSSING_RATE);
      for (std::size_t i = 0; i < span.count; ++i)
        s_.held_crossings.push_back({.value = static_cast<double*>(span.data) + i,
                                     .side = static_cast<double*>(sides.data) + i,
                                     .rate = rate ? static_cast<double*>(span.data) + i : nullptr,
                                     .block = b});
    }
  }

  const System& system_;
  const Plan& plan_;
  const Memory& memory_;
  const Flagging& flagging_;
  DrivenParameters& driven_;
  bool separate_;
  Schedule s_;
};

} // namespace

const char* phase_name(const Call& call, const hilda_block_type& type) noexcept {
  if (call.kind == Call::Kind::prime) return "prime";
  if (call.single == &DrivenParameters::take) return "prepare";
  if (call.single != nullptr) {
    if (call.single == type.output) return "output";
    if (call.single == type.state_output) return "state_output";
    if (call.single == type.update) return "update";
    if (call.single == type.derivative) return "derivative";
    if (call.single == type.project) return "project";
    if (call.single == type.acquire) return "acquire";
    if (call.single == type.emit) return "emit";
  }
  if (call.single == nullptr && call.many == nullptr && type.event != nullptr) return "event";
  return call.many != nullptr && (call.many == type.step_many || call.lanes > 1) ? "output or update" : "the loop";
}

Schedule make_schedule(const System& system, const Plan& plan, const Memory& memory, const Flagging& flagging,
                       DrivenParameters& driven, bool separate) {
  return Scheduler(system, plan, memory, flagging, driven, separate).make();
}

} // namespace hilda::run
