// SPDX-License-Identifier: BSD-3-Clause
#include "engine/run/detail/loop/external_state.h"
#include "engine/run/runtime.h"

#include <cstring>
#include <map>

// A run continues in another runtime: of an edited diagram, or with parameters that are fixed while it runs.

namespace hilda::run {
namespace {

/// Copies what two runtimes have in common, block by block.
class TakeOver {
public:
  TakeOver(const Runtime& from, Runtime& to, std::vector<std::string>& anew) : from_(from), to_(to), anew_(anew) {
    for (const BlockIndex b : from.system().blocks.indices()) blocks_.emplace(from.system().blocks[b].path, b);
  }

  /// The block of this path and type in the other runtime, or none.
  BlockIndex same(BlockIndex block) const {
    const SystemBlock& at = to_.system().blocks[block];
    const auto found = blocks_.find(at.path);
    if (found == blocks_.end() || from_.system().blocks[found->second].type->name != at.type->name) return {};
    return found->second;
  }

  /// States and held outputs; true where nothing of the block restarts.
  bool take(BlockIndex block) {
    const SystemBlock& at = to_.system().blocks[block];
    const BlockType& layout = to_.memory().layout(block);
    const BlockIndex old = same(block);
    if (old.valid() && !means_the_same(old, block)) {
      anew_.push_back(at.path + ": its states are others, or another sample time counts in them");
      return false;
    }
    bool whole = old.valid();
    bool has_state = (layout.abi->flags & HILDA_EXTERNAL_STATE) != 0;
    for (const SlotIndex s : layout.slots.indices()) {
      if (layout.slots[s].role != HILDA_STATE) continue;
      has_state = true;
      if (!old.valid() || take_state(old, block, s)) continue;
      whole = false;
      anew_.push_back(at.path + "." + layout.slots[s].name + ": another shape");
    }
    if (old.valid() && (layout.abi->flags & HILDA_EXTERNAL_STATE) != 0 && !take_external(old, block)) {
      whole = false;
      anew_.push_back(at.path + ": its state lies outside of the engine");
    }
    if (!old.valid() && has_state) anew_.push_back(at.path + ": it was not there, or is of another type");
    if (old.valid()) take_outputs(old, block);
    return whole;
  }

private:
  /// A block that is in one of several states which have names is the same one while these and its sample time are:
  /// the number of a state says nothing among others, and how long it has been active is counted in samples.
  bool means_the_same(BlockIndex old, BlockIndex block) const {
    const BlockType &was = from_.memory().layout(old), &is = to_.memory().layout(block);
    for (const Slot& slot : is.slots) {
      if (slot.role != HILDA_OUTPUT || slot.choices.empty()) continue;
      const SlotIndex other = slot_named(was, slot.name, HILDA_OUTPUT);
      if (!other.valid() || was.slots[other].choices != slot.choices) return false;
      const auto sample = [](const Runtime& of, BlockIndex b) {
        return of.system().base * Rational(of.system().blocks[b].divider);
      };
      if (sample(from_, old) != sample(to_, block)) return false;
      if (from_.system().base != to_.system().base) return false; // samples carry the numbers of ticks
    }
    return true;
  }

  SlotIndex slot_named(const BlockType& type, const std::string& name, std::int32_t role) const {
    for (const SlotIndex s : type.slots.indices())
      if (type.slots[s].role == role && type.slots[s].name == name) return s;
    return {};
  }

  static bool fits(const Span& from, const Span& to) { return from.count == to.count && from.element == to.element; }

  static bool same_type(const SignalType& a, const SignalType& b) {
    const bool units = a.unit.has_value() == b.unit.has_value() && (!a.unit || a.unit->text() == b.unit->text());
    return a.rows == b.rows && a.cols == b.cols && a.kind == b.kind && units;
  }

  bool take_state(BlockIndex old, BlockIndex block, SlotIndex s) {
    const BlockType& layout = to_.memory().layout(block);
    const SlotIndex o = slot_named(from_.memory().layout(old), layout.slots[s].name, HILDA_STATE);
    if (!o.valid() || !same_type(from_.system().blocks[old].slot_types[o], to_.system().blocks[block].slot_types[s]))
      return false;
    const Span from = from_.memory().span(old, o), to = to_.memory().span(block, s);
    if (!fits(from, to)) return false;
    if (to.step != 1 || from.step != 1)
      for (std::size_t i = 0; i < to.count; ++i) std::memcpy(to.at(i), from.at(i), to.width());
    else if (to.bytes() > 0)
      std::memcpy(to.data, from.data, to.bytes());
    if (layout.slots[s].is(HILDA_RING))
      const_cast<hilda_ring*>(to_.memory().ring(block, s))->head = from_.memory().ring(old, o)->head;
    return true;
  }

  bool take_external(BlockIndex old, BlockIndex block) {
    const BlockType &was = from_.memory().layout(old), &is = to_.memory().layout(block);
    const hilda_state_1 *save = external_state(was), *load = external_state(is);
    if (save == nullptr || load == nullptr) return false;
    const SystemBlock &from = from_.system().blocks[old], &to = to_.system().blocks[block];
    return load_external(to, *load, to_.memory().record(block), save_external(from, *save, from_.memory().record(old)));
  }

  void take_outputs(BlockIndex old, BlockIndex block) {
    const SystemBlock &was = from_.system().blocks[old], &is = to_.system().blocks[block];
    const BlockType& layout = to_.memory().layout(block);
    for (const SystemBlock::Port& port : is.ports) {
      const Slot& slot = layout.slots[port.slot];
      if (slot.role != HILDA_OUTPUT) continue;
      for (const SystemBlock::Port& other : was.ports) {
        const Slot& its = from_.memory().layout(old).slots[other.slot];
        if (its.role != HILDA_OUTPUT || its.name != slot.name || other.item != port.item) continue;
        const Span from = from_.memory().span(old, other.slot, other.item);
        const Span to = to_.memory().span(block, port.slot, port.item);
        if (same_type(other.type, port.type) && fits(from, to) && to.bytes() > 0)
          std::memcpy(to.data, from.data, to.bytes());
      }
    }
  }

  const Runtime& from_;
  Runtime& to_;
  std::vector<std::string>& anew_;
  std::map<std::string, BlockIndex> blocks_;
};

} // namespace

std::optional<std::vector<std::string>> Runtime::take_over(const Runtime& from) {
  const Rational ticks = from.system_.base * Rational(from.tick_) / system_.base;
  if (ticks.denominator() != 1) return std::nullopt;
  std::vector<std::string> anew;
  TakeOver both(from, *this, anew);
  for (const BlockIndex block : system_.blocks.indices()) {
    const bool whole = both.take(block);
    if (whole) guards_.pending()[block] = from.guards_.pending()[both.same(block)];
  }
  for (const GuardIndex guard : system_.guards.indices())
    for (const GuardIndex old : from.system_.guards.indices())
      if (from.system_.guards[old].path == system_.guards[guard].path)
        guards_.states()[guard] = from.guards_.states()[old];
  for (const std::string& gate : safety_.take_over(from.safety_)) anew.push_back(gate + ": its limits restart");
  if (!ledger_.take_over(from.ledger_)) anew.emplace_back("the account of energy: other ports or elements");
  tick_ = ticks.numerator();
  priming_ = tick_ == 0 || priming();
  solver_.forget();
  watch_.clear();
  watch_.look_at_every_value(); // values came without the marks of what made them
  return anew;
}

} // namespace hilda::run
