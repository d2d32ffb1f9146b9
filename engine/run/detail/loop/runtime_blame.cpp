// SPDX-License-Identifier: BSD-3-Clause
#include "engine/run/runtime.h"

#include "engine/plugin/block_code.h"

#include <cstdio>
#include <cstring>
#include <fmt/format.h>
#include <optional>
#include <string>
#include <utility>

// Whose code runs, and what it does that no block may: throw, refuse a reset, write beyond its memory. What happens in
// the middle of a crash or in a step allocates nothing.

namespace hilda::run {
namespace {

/// call_item_ is so many times the item, plus 0 for all of it, 1 for its output, 2 for its update.
constexpr std::int64_t halves = 4;

BlockIndex culprit(const MemoryOverrun& found) { return found.behind.valid() ? found.behind : found.before; }

/// Without who it is.
std::string words_of(const MemoryOverrun& found, const System& system) {
  if (!found.before.valid()) return "it writes behind the end of its memory";
  if (!found.behind.valid()) return "it writes before the beginning of its memory";
  const SystemBlock& other = system.blocks[found.before];
  return fmt::format("it writes behind the end of its memory, or {} ({}) before the beginning of its memory",
                     other.path, other.type->name);
}

} // namespace

/// One of the blocks of a call; of a call that has two phases in it, one after the other.
void Runtime::call_alone(const Call& call, std::uint64_t item) {
  const hilda_tick* tick = &ticks_[call.rate];
  const hilda_block_type& type = *memory_->layout(call.block).abi;
  void* record = call.record(item);
  const auto mark = static_cast<std::int64_t>(item) * halves;
  const bool both = call.kind == Call::Kind::many && call.single == nullptr;
  call_item_.store(both ? mark + 1 : mark, std::memory_order_relaxed);
  if (both) {
    type.output(record, tick);
    call_item_.store(mark + 2, std::memory_order_relaxed);
    type.update(record, tick);
  } else if (call.kind == Call::Kind::many && call.lanes == 1) {
    call.many(record, call.stride, 1, tick);
  } else {
    call.single(record, tick);
  }
}

BlockIndex Runtime::block_at(const void* record) const noexcept {
  for (const BlockIndex block : system_.blocks.indices())
    if (memory_->record(block) == record) return block;
  return {};
}

BlockIndex Runtime::block_named(const char* path) const noexcept {
  for (const BlockIndex block : system_.blocks.indices())
    if (system_.blocks[block].path.c_str() == path) return block;
  return {};
}

RunningCode Runtime::running_code() const noexcept {
  if (const BlockIndex block = preparing_.load(std::memory_order_relaxed); block.valid()) {
    const SystemBlock& at = system_.blocks[block];
    return {at.type->plugin.c_str(), at.path.c_str(), at.type->name.c_str(), "prepare"};
  }
  const Call* call = call_.load(std::memory_order_relaxed);
  if (call == nullptr) return {};
  const char* phase = nullptr;
  BlockIndex block = guards_.initializing();
  std::uint64_t count = 1;
  if (block.valid()) {
    phase = "initialize";
  } else if (!call->block.valid()) {
    return {};
  } else if (call->kind == Call::Kind::safety) {
    block = call->block;
    phase = "rest";
  } else {
    block = call->block;
    phase = phase_name(*call, *memory_->layout(block).abi);
    const std::int64_t mark = call_item_.load(std::memory_order_relaxed), item = mark < 0 ? mark : mark / halves;
    if (item < 0) count = call->blocks();
    if (mark >= 0 && mark % halves != 0) phase = mark % halves == 1 ? "output" : "update";
    if (item > 0) {
      const BlockIndex other = block_at(call->record(static_cast<std::uint64_t>(item)));
      if (other.valid()) block = other;
    }
  }
  const SystemBlock& at = system_.blocks[block];
  return code_of(at, phase, count);
}

double Runtime::loop_time() const noexcept {
  return static_cast<double>(tick_) * static_cast<double>(system_.base.numerator()) /
         static_cast<double>(system_.base.denominator());
}

void Runtime::call_one_by_one() noexcept {
  const Call* call = call_.load(std::memory_order_relaxed);
  if (call == nullptr || call->kind != Call::Kind::many) return;
  try {
    for (std::uint64_t i = 0; i < call->blocks(); ++i) call_alone(*call, i);
  } catch (...) { return; } // this one, as call_item_ says
  call_item_.store(-1, std::memory_order_relaxed);
}

void Runtime::note_throw(const char* what) noexcept {
  if (cause_ != Cause::none) return; // the first one counts
  RunningCode code = running_code();
  if (code.count > 1 || std::strstr(code.phase != nullptr ? code.phase : "", " or ") != nullptr) {
    call_one_by_one();
    code = running_code();
    call_item_.store(-1, std::memory_order_relaxed);
  }
  const BlockIndex block = code ? block_named(code.block) : BlockIndex();
  std::snprintf(error_, sizeof error_, "an exception leaves %s (%s%s): %s", code ? code.phase : "the block",
                code ? code.type : "its type is not known", code.count > 1 ? ", this block or one of its kind" : "",
                what);
  guards_.forget_initializing();
  end(Cause::device, error_, block);
}

void Runtime::blame_mode(std::initializer_list<const std::vector<Call>*> calls) noexcept {
  arithmetic_.restore();
  const ModeWitness seen = std::exchange(modes_, {});
  if (cause_ != Cause::none) return;
  if (seen.phase() != nullptr)
    return say_mode(seen.phase(), system_.blocks[seen.block()].type->name.c_str(), seen.block());
  bool found = false;
  for (const std::vector<Call>* each : calls) found = found || blame_again(*each);
  call_item_.store(-1, std::memory_order_relaxed);
  call_.store(nullptr, std::memory_order_relaxed);
  if (!found) say_mode("one of its functions", "which block does not show", {});
}

/// Called again one by one, it shows again. Where devices move, an update that ran twice would do harm.
bool Runtime::blame_again(const std::vector<Call>& calls) noexcept {
  if (options_.hardware && &calls == &schedule_.update) return false;
  for (const Call& call : calls) {
    if (due_[call.rate] == 0 || !guards_.active(call.guard)) continue;
    if (call.kind != Call::Kind::single && call.kind != Call::Kind::many) continue;
    call_.store(&call, std::memory_order_relaxed);
    for (std::uint64_t i = 0; i < call.blocks(); ++i) {
      guarded([&] { call_alone(call, i); });
      if (!arithmetic_.changed()) continue;
      arithmetic_.restore();
      const RunningCode code = running_code();
      say_mode(code.phase, code.type, block_named(code.block));
      return true;
    }
  }
  return false;
}

void Runtime::blame_mode() noexcept {
  arithmetic_.restore();
  const RunningCode code = running_code();
  if (cause_ == Cause::none) say_mode(code.phase, code.type, block_named(code.block));
}

void Runtime::say_mode(const char* phase, const char* type, BlockIndex block) noexcept {
  std::snprintf(error_, sizeof error_,
                "%s (%s) changes the processor's floating-point mode (rounding or flush-to-zero), which every other "
                "block would compute with",
                phase, type);
  end(Cause::device, error_, block);
}

/// A block that refuses its reset, or a live parameter.
void Runtime::report_in_loop(void* runtime, const char* slot, const char* text) {
  Runtime& self = *static_cast<Runtime*>(runtime);
  if (self.cause_ != Cause::none) return;
  const RunningCode code = self.running_code();
  std::snprintf(self.error_, sizeof self.error_, "refuses %s: %s%s%s", code ? code.phase : "to continue",
                slot != nullptr ? slot : "", slot != nullptr ? ": " : "", text != nullptr ? text : "");
  self.end(Cause::device, self.error_, code ? self.block_named(code.block) : BlockIndex());
}

void Runtime::check_canaries(const char* phase, Diagnostics& diagnostics) {
  const std::optional<MemoryOverrun> found = memory_->overrun();
  if (!found) return;
  memory_->mend_canaries();
  const SystemBlock& block = system_.blocks[culprit(*found)];
  diagnostics.error("block-overrun", block.where,
                    fmt::format("{} ({}), in {}: {}", block.path, block.type->name, phase, words_of(*found, system_)),
                    fmt::format("hilda check --audit names the block and the phase; hilda test-plugin {} shows it too",
                                block.type->plugin));
}

bool Runtime::look_at_canaries() noexcept {
  if (memory_ == nullptr) return true;
  const std::optional<MemoryOverrun> found = memory_->overrun();
  if (!found) return true;
  memory_->mend_canaries();
  const BlockIndex block = culprit(*found);
  std::snprintf(error_, sizeof error_,
                "%s: %s; numbers of other blocks may be wrong, and hilda check --audit "
                "names the phase",
                system_.blocks[block].type->name.c_str(), words_of(*found, system_).c_str());
  cause_ = Cause::device;
  cause_tick_ = tick_;
  cause_text_ = error_;
  cause_block_ = block;
  return false;
}

std::string Runtime::overrun_words() const {
  const std::optional<MemoryOverrun> found = memory_->overrun();
  if (!found) return {};
  const SystemBlock& block = system_.blocks[culprit(*found)];
  return fmt::format("block {} ({}): {}; hilda check --audit names the phase", block.path, block.type->name,
                     words_of(*found, system_));
}

RunningCode Runtime::overrun() const noexcept {
  if (memory_ == nullptr) return {};
  const std::optional<MemoryOverrun> found = memory_->overrun();
  if (!found) return {};
  return code_of(system_.blocks[culprit(*found)], nullptr);
}

} // namespace hilda::run
