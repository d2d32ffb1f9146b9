// SPDX-License-Identifier: BSD-3-Clause
#include "engine/run/runtime.h"

#include "engine/plugin/block_code.h"

#include <cmath>
#include <cstdio>
#include <fmt/format.h>

// How a run comes to its end: the first cause is kept, the gates ramp to rest, and then it is over.

namespace hilda::run {

namespace {

/// s without a cycle in which a device counts as unable to take the rest of a stop: its own time-out stops it.
constexpr double longest_silence = 0.5;

/// What a block says of its verdict. Its text pointer may be invalid, so the mark names the block.
std::string words_of(const hilda_control& control, const SystemBlock* block) {
  if (control.verdict != HILDA_STOP && control.verdict != HILDA_FAIL)
    return fmt::format("a block gives the verdict {}, which there is not{}", control.verdict,
                       block == nullptr ? "; hilda check --audit names it" : "");
  if (block == nullptr)
    return fmt::format("{}, by a block that does not say which it is; hilda check --audit names it",
                       control.text != nullptr ? control.text : "for no reason");
  if (control.text == nullptr) return "it does not say why";
  const RunningMark mark(code_of(*block, "the text of its verdict"));
  return control.text;
}

} // namespace

void Runtime::end(Cause cause, const char* text, BlockIndex block) noexcept {
  if (cause_ != Cause::none && !revised()) return;
  cause_ = cause;
  cause_tick_ = tick_;
  cause_text_ = text;
  cause_block_ = block;
  const bool at_once = !options_.hardware && (cause == Cause::number || cause == Cause::verdict);
  if (!at_once) safety_.stop();
}

void Runtime::fail_stop(BlockIndex block, const char* what) noexcept {
  const bool planned = cause_ == Cause::none || cause_ == Cause::requested ||
                       (cause_ == Cause::verdict && cause_verdict_.verdict == HILDA_STOP);
  if (!planned) return; // the first failure counts
  std::snprintf(error_, sizeof error_, "%s (%s)", what, system_.blocks[block].type->name.c_str());
  cause_ = Cause::device;
  cause_tick_ = tick_;
  cause_text_ = error_;
  cause_block_ = block;
}

/// A planned stop gives way to a failure in the same tick.
bool Runtime::revised() const noexcept {
  return cause_ == Cause::verdict && cause_tick_ == tick_ && cause_verdict_.verdict == HILDA_STOP &&
         (control_.verdict == HILDA_FAIL || watch_.broken());
}

void Runtime::find_cause() noexcept {
  if (cause_ != Cause::none && !revised()) return;
  if (watch_.broken()) {
    end(Cause::number);
  } else if (safety_.culprit().valid()) {
    end(Cause::limit);
  } else if (control_.verdict != HILDA_GO) {
    end(Cause::verdict);
    cause_verdict_ = control_;
  }
}

bool Runtime::over() noexcept {
  if (cause_ == Cause::none) return false;
  if (!options_.hardware) {
    if (control_.verdict == HILDA_FAIL) return true;
    if (cause_ == Cause::verdict) return false; // the tick of a planned stop is whole
  }
  if (safety_.at_rest(guards_)) return true;
  lost_ticks_ = lost_ || safety_.withheld() ? lost_ticks_ + 1 : 0;
  return static_cast<double>(lost_ticks_) * system_.base.value() >= longest_silence;
}

Ending Runtime::ending() const {
  Ending e;
  e.tick = cause_ == Cause::none ? tick_ : cause_tick_;
  e.time = (system_.base * Rational(e.tick)).value();
  e.value = NAN;
  if (cause_ == Cause::none) return e;
  e.kind = Ending::Kind::failed;
  switch (cause_) {
  case Cause::none: break;
  case Cause::number: {
    const Watch::Finding f = watch_.finding();
    if (!f.block.valid()) break;
    e.block = system_.blocks[f.block].path;
    e.signal = port_text(system_, {f.block, f.slot, f.item});
    const Slot& slot = memory_->layout(f.block).slots[f.slot];
    e.text = fmt::format("{} is {} (element {})", slot.role == HILDA_STATE ? "the state" : "the output",
                         std::isnan(f.value) ? "not a number" : "infinite", f.element);
    break;
  }
  case Cause::limit: {
    const Wire& wire = system_.wires[safety_.culprit()];
    e.block = system_.blocks[wire.to.block].path;
    e.signal = port_text(system_, wire.from);
    e.text = safety_.reason();
    break;
  }
  case Cause::verdict:
    if (cause_verdict_.verdict == HILDA_STOP) e.kind = Ending::Kind::stopped;
    if (const BlockIndex block = block_at(cause_verdict_.record); block.valid()) {
      e.block = system_.blocks[block].path;
      e.text = words_of(cause_verdict_, &system_.blocks[block]);
    } else {
      e.text = words_of(cause_verdict_, nullptr);
    }
    e.value = cause_verdict_.value;
    break;
  case Cause::requested:
  case Cause::device:
    if (cause_ == Cause::requested) e.kind = Ending::Kind::requested;
    if (cause_block_.valid()) e.block = system_.blocks[cause_block_].path;
    e.text = cause_text_;
    break;
  }
  return e;
}

} // namespace hilda::run
