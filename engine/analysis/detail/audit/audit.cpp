// SPDX-License-Identifier: BSD-3-Clause
#include "engine/analysis/audit.h"

#include "engine/analysis/detail/audit/audit_calls.h"
#include "engine/base/process_watch.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <fmt/format.h>
#include <stdexcept>

namespace hilda::analysis {
namespace {

/// A second instance in lockstep with the first, made again now and then.
class FreshInstance {
public:
  FreshInstance(const System& system, const Runtime& first, AuditFindings& findings)
      : system_(system), first_(first), findings_(findings) {}

  /// A new one, with the state of the first; false where there is none (reported).
  bool renew(Diagnostics& diagnostics) {
    RuntimeOptions options;
    options.fenced = true; // what one block writes beyond its memory is not the neighbour's fault here either
    instance_ = Runtime::create(system_, options, diagnostics);
    return instance_ && instance_->restore(first_.checkpoint());
  }

  void compute() {
    instance_->compute();
    compare([this](BlockIndex block) { return differing_output(block); }, "output");
  }
  void advance() {
    instance_->advance();
    compare([this](BlockIndex block) { return differing_state(block); }, "update");
  }

  /// After a whole tick: both continue from the same state.
  void agree() {
    if (!agree_) instance_->restore(first_.checkpoint());
    agree_ = true;
  }

private:
  /// The first block in running order that differs is the culprit: what it read was the same.
  template <typename Differing> void compare(const Differing& differing, const char* phase) {
    for (const BlockIndex block : first_.plan().memory) {
      const SlotIndex slot = differing(block);
      if (!slot.valid()) continue;
      if (!findings_.about(block)) findings_.add(first_, AuditFinding::Kind::hidden_memory, block, slot, -1, phase);
      agree_ = false;
      return;
    }
  }

  static bool same(const Span& a, const Span& b) {
    return a.count == b.count && (a.count == 0 || std::memcmp(a.data, b.data, a.bytes()) == 0);
  }

  SlotIndex differing_output(BlockIndex block) const {
    for (const SystemBlock::Port& port : system_.blocks[block].ports) {
      const Slot& slot = first_.memory().layout(block).slots[port.slot];
      if (slot.role == HILDA_OUTPUT && !same(first_.memory().span(block, port.slot, port.item),
                                             instance_->memory().span(block, port.slot, port.item)))
        return port.slot;
    }
    return {};
  }

  SlotIndex differing_state(BlockIndex block) const {
    const BlockType& layout = first_.memory().layout(block);
    for (const SlotIndex slot : layout.slots.indices()) {
      if (layout.slots[slot].role != HILDA_STATE) continue;
      const bool ring = layout.slots[slot].is(HILDA_RING);
      if (!same(first_.memory().span(block, slot), instance_->memory().span(block, slot))) return slot;
      if (ring && first_.memory().ring(block, slot)->head != instance_->memory().ring(block, slot)->head) return slot;
    }
    return {};
  }

  const System& system_;
  const Runtime& first_;
  AuditFindings& findings_;
  std::unique_ptr<Runtime> instance_;
  bool agree_ = true;
};

/// Blocks that a second instance cannot follow: those with their own state, or with a device or file that they keep
/// open.
std::vector<std::string> not_comparable(const Runtime& runtime) {
  std::vector<std::string> blocks = runtime.without_checkpoint();
  for (const BlockIndex b : runtime.system().blocks.indices())
    if (runtime.memory().layout(b).abi->start != nullptr) blocks.push_back(runtime.system().blocks[b].path);
  return blocks;
}

/// Often at the start, then 16 times over the run.
bool time_to_renew(std::int64_t tick, std::int64_t ticks) {
  return (tick & (tick - 1)) == 0 || tick % std::max<std::int64_t>(ticks / 16, 1) == 0;
}

} // namespace

std::string AuditFinding::text() const {
  const std::string who = fmt::format("block {} ({})", block, type);
  const std::string when = fmt::format("at t = {:g} s, tick {}", time, tick);
  switch (kind) {
  case Kind::reads_input:
    return fmt::format("{} reads its input '{}' in {}, {}, although it is not declared to feed through there; declare "
                       "that it does, or read it in update",
                       who, slot, phase, when);
  case Kind::writes_state:
    return fmt::format("{} writes its state '{}' in {}, {}; only update may", who, slot, phase, when);
  case Kind::unrepeatable:
    return fmt::format("{} gives another '{}' when {} is called twice, {}: it depends on memory that is not a state",
                       who, slot, phase, when);
  case Kind::hidden_memory:
    return fmt::format("{}: a fresh instance on the same state gets another '{}' in {}, {}: it depends on memory that "
                       "is not a state",
                       who, slot, phase, when);
  case Kind::writes_beyond:
    return fmt::format("{} writes beyond its own memory in {}, {}: into that of another block, in a run", who, phase,
                       when);
  case Kind::changes_process:
    return fmt::format("{} changes what belongs to the whole process in {}, {}: {}", who, phase, when, slot);
  case Kind::writes_parameter:
    return fmt::format("{} overwrites its parameter {} in {}, {}; the diagram decides it", who, slot, phase, when);
  case Kind::nameless_verdict: return fmt::format("{} ends the run in {}, {}, {}", who, phase, when, slot);
  case Kind::written_into:
    return fmt::format("{}: another block has written into the memory next to its own before {}, {}", who, phase, when);
  }
  return {};
}

AuditResult audit(const System& system, double duration, Diagnostics& diagnostics) {
  AuditResult result;
  CallAudit calls;
  if (!calls.usable()) throw std::runtime_error("the system has no address space of 4 GiB, which an audit needs");
  RuntimeOptions options;
  options.separate = true;
  options.observer = &calls;
  options.fenced = true;
  const std::unique_ptr<Runtime> runtime = Runtime::create(system, options, diagnostics);
  if (!runtime) return result;
  calls.attach(*runtime);
  if (!runtime->start(diagnostics)) return result;
  const ProcessWatch watch; // in the loop, too: nothing here is in a hurry

  result.not_compared = not_comparable(*runtime);
  const bool compared = result.not_compared.empty();
  FreshInstance fresh(runtime->system(), *runtime, calls.findings());
  const double most = std::ceil(duration / runtime->base().value() - 1e-9);
  const std::int64_t ticks = most < 9e18 ? static_cast<std::int64_t>(most) : INT64_MAX;
  for (bool goes_on = true; goes_on && result.steps < ticks; ++result.steps) {
    if (compared && time_to_renew(result.steps, ticks) && !fresh.renew(diagnostics)) break;
    goes_on = runtime->compute();
    if (compared) fresh.compute();
    goes_on = goes_on && runtime->advance();
    if (goes_on && compared) {
      fresh.advance();
      fresh.agree();
    }
  }
  runtime->stop();
  result.ending = runtime->ending();
  result.calls = calls.calls();
  result.findings = calls.findings().all();
  return result;
}

} // namespace hilda::analysis
