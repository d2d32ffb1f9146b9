// SPDX-License-Identifier: BSD-3-Clause
#include "engine/catalogue/time_following.h"
#include "engine/compile/detail/infer/explain.h"
#include "engine/compile/detail/infer/inference.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <unordered_map>

namespace hilda::compile::inference {
namespace {

using Kind = Rate::Kind;

/// Beyond this many ticks in the longest sample time, periods were not meant as they were written.
constexpr std::int64_t most_ticks = 1'000'000;

/// From this many ticks in the shortest time on, the run is mostly ticks at which nothing happens.
constexpr double many_ticks = 100;

struct Fraction {
  std::int64_t above = 1, below = 1;
  double value() const { return static_cast<double>(above) / static_cast<double>(below); }
};

/// The nearest fraction with a small denominator; the smallest one that is within a thousandth.
Fraction near_fraction(double ratio) {
  Fraction best;
  double least = std::numeric_limits<double>::infinity();
  for (std::int64_t below = 1; below <= 12; ++below) {
    const Fraction each{std::max<std::int64_t>(1, std::llround(ratio * static_cast<double>(below))), below};
    const double error = std::abs(each.value() / ratio - 1);
    if (error < least) best = each, least = error;
    if (least < 1e-3) break;
  }
  return best;
}

__extension__ typedef __int128 Wide;

bool faster(const Rate& a, const Rate& b) {
  if (a.kind != b.kind) return a.kind > b.kind;
  return a.kind == Kind::periodic && a.period < b.period;
}
bool same(const Rate& a, const Rate& b) {
  return a.kind == b.kind && (a.kind != Kind::periodic || a.period == b.period);
}

/// What of a type matters for sample times.
struct Character {
  bool stateful = false;   ///< has a state that is stepped at ticks
  bool continuous = false; ///< has a state that the solver carries
  bool source = true;      ///< has no inputs
  bool switches = false;   ///< its state may change between ticks too, where crossings are located
  bool moves = false;      ///< its outputs may change with time alone
};

Character character_of(const BlockType& type) {
  Character c;
  c.moves = follows_time(type);
  for (const Slot& slot : type.slots) {
    c.moves = c.moves || slot.is(HILDA_CROSSING); // a source that says that it is steady has steps there
    if (slot.role == HILDA_INPUT) c.source = false;
    if (slot.role != HILDA_STATE || slot.is(HILDA_MODE)) continue;
    if (slot.is(HILDA_CONTINUOUS))
      c.continuous = true;
    else
      c.stateful = true;
  }
  const hilda_block_type* abi = type.abi;
  const bool driver = abi->acquire != nullptr || abi->emit != nullptr;
  c.switches = abi->event != nullptr && !driver;
  c.stateful = c.stateful || driver || (abi->flags & HILDA_EXTERNAL_STATE) != 0;
  return c;
}

class Rates {
public:
  explicit Rates(Inference& inference) : in_(inference), system_(inference.system) {}

  void run() {
    in_.rates.resize(system_.blocks.size());
    settled_.resize(system_.blocks.size());
    for (const TypePlan& plan : in_.plans) characters_.emplace(&plan, character_of(*plan.type));
    if (!(Rational() < system_.period)) {
      in_.diagnostics.error("period-range", system_.where, "the diagram's period is not above zero",
                            "give it a period: period=\"1 ms\"");
      system_.period = Rational(1, 1000);
    }
    find_base();
    for (const BlockIndex b : system_.blocks.indices()) start(b);
    link_wires();
    if (located_) free_sources();
    spread(true);
    spread(false);
    for (const BlockIndex b : system_.blocks.indices()) finish(b);
  }

private:
  const Character& character(BlockIndex b) const { return characters_.at(in_.blocks[b].plan); }
  Rate periodic(const Rational& period) const { return {Kind::periodic, period}; }
  bool triggered(GuardIndex guard) const {
    for (; guard.valid(); guard = system_.guards[guard].parent)
      if (system_.guards[guard].edge != Guard::Edge::none) return true;
    return false;
  }
  void find_base();
  void take_period(const SystemBlock& block);
  void warn_of_tick() const;
  void start(BlockIndex b);
  bool follows_readers(BlockIndex b) const;
  void free_sources();
  void refuse_time(BlockIndex b, const std::string& what, const std::string& help);
  void link_wires();
  void spread(bool continuous);
  Rate seen(BlockIndex b, WireIndex wire) const;
  void finish(BlockIndex b);
  void report_unequal(BlockIndex b);

  Inference& in_;
  System& system_;
  /// What a block does between two ticks counts: crossings are located there.
  const bool located_ = system_.solver.located || has_variable_step(system_.solver.kind);
  Rational slowest_, fastest_;
  const SystemBlock* refining_ = nullptr;                     ///< whose time makes the tick finest
  Rational before_refining_;                                  ///< the tick without it
  std::int64_t refinement_ = 1;                               ///< by how much it does
  std::unordered_map<const TypePlan*, Character> characters_; ///< looked up only
  Indexed<BlockIndex, bool> settled_;                         ///< the rate is given and no longer inherited
  Indexed<BlockIndex, WireIndex> first_reader_;               ///< of what the block puts out
  Indexed<WireIndex, WireIndex> next_reader_;
};

/// The tick: the greatest time of which all periods are multiples.
void Rates::find_base() {
  system_.base = slowest_ = fastest_ = system_.period;
  for (SystemBlock& block : system_.blocks)
    if (block.sample_time.kind == SampleTime::Kind::periodic) take_period(block);
  if (refining_ != nullptr && fastest_.value() / system_.base.value() >= many_ticks) warn_of_tick();
}

/// Two times that hardly fit make a tick that no one wrote.
void Rates::warn_of_tick() const {
  const Rational& p = refining_->sample_time.period;
  const Fraction near = near_fraction(p.value() / before_refining_.value());
  const Rational fitting = before_refining_ * Rational(near.above, near.below),
                 tick = before_refining_ / Rational(near.below);
  const std::string written = near.below == 1 ? time_text(fitting)
                                              : "${" + time_text(before_refining_) + " * " +
                                                    std::to_string(near.above) + "/" + std::to_string(near.below) + "}";
  in_.diagnostics.warning(
      "sample-time-tick", refining_->sample_time.where,
      "the sample time " + time_text(p) + " of " + in_quotes(refining_->path) + " and " + time_text(before_refining_) +
          ", of which the others are multiples, have no common tick above " + time_text(system_.base) +
          ": the loop takes " + std::to_string(std::llround(fastest_.value() / system_.base.value())) +
          " ticks for the shortest of all times, and nothing happens at most of them",
      "give it sample_time=" + in_quotes(written) + ", the nearest that fits: the tick is then " + time_text(tick),
      {{system_.where, "the period is " + time_text(system_.period)}});
}

void Rates::take_period(const SystemBlock& block) {
  const Rational& p = block.sample_time.period;
  if (!(Rational() < p)) {
    in_.diagnostics.error("sample-time-range", block.sample_time.where,
                          "the sample time of " + in_quotes(block.path) + " is not above zero",
                          "give a time such as \"2 ms\", or leave sample_time out");
    return;
  }
  const auto absurd = [&](Wide ticks) { return ticks > most_ticks; };
  // p / base in lowest terms: the denominator is by how much the base must shrink, the numerator how many ticks p takes
  Wide a = Wide{p.numerator()} * system_.base.denominator(), b = Wide{p.denominator()} * system_.base.numerator();
  Wide x = a, y = b;
  while (y != 0) {
    const Wide r = x % y;
    x = y, y = r;
  }
  a /= x, b /= x;
  const Wide ticks = Wide{slowest_.numerator()} * system_.base.denominator() /
                     (Wide{slowest_.denominator()} * system_.base.numerator());
  if (absurd(a) || absurd(b) || absurd(ticks * b)) {
    in_.diagnostics.error(
        "sample-time-ratio", block.sample_time.where,
        "the sample time " + time_text(p) + " of " + in_quotes(block.path) +
            " does not go with the other times: a common tick would be less than a millionth of the longest",
        "choose a multiple or a whole fraction of the diagram's period, " + time_text(system_.period),
        {{system_.where,
          "the period is " + time_text(system_.period) + ", the tick so far " + time_text(system_.base)}});
    return;
  }
  if (b > refinement_) refining_ = &block, before_refining_ = system_.base, refinement_ = static_cast<std::int64_t>(b);
  system_.base = system_.base / Rational(static_cast<std::int64_t>(b));
  if (p < fastest_) fastest_ = p;
  if (slowest_ < p) slowest_ = p;
}

void Rates::refuse_time(BlockIndex b, const std::string& what, const std::string& help) {
  const SystemBlock& block = system_.blocks[b];
  in_.diagnostics.error("sample-time-kind", block.sample_time.where, in_quotes(block.path) + " " + what, help,
                        {{block.where, "the block, of type " + block.type->name + ", is here"}});
}

void Rates::start(BlockIndex b) {
  const SystemBlock& block = system_.blocks[b];
  if (in_.blocks[b].plan == nullptr) {
    settled_[b] = true;
    return;
  }
  const Character& c = character(b);
  Rate& rate = in_.rates[b];
  settled_[b] = true;
  const SampleTime::Kind asked = block.sample_time.kind;
  if (c.continuous) {
    rate.kind = Kind::continuous;
    if (asked == SampleTime::Kind::periodic)
      refuse_time(b, "has a continuous state and no sample time", "leave sample_time out, or use a discrete block");
  } else if (asked == SampleTime::Kind::continuous) {
    const bool refused = c.stateful && !c.switches;
    rate = refused ? periodic(system_.period) : Rate{Kind::continuous, {}};
    if (refused)
      refuse_time(b, "steps its state at ticks and cannot be continuous", "give a period such as sample_time=\"1 ms\"");
  } else if (asked == SampleTime::Kind::periodic) {
    const bool fits = Rational() < block.sample_time.period;
    rate = periodic(fits ? block.sample_time.period : system_.period);
  } else if (triggered(block.guard)) {
    rate = periodic(system_.base); // due at every tick: no edge is missed
  } else if (c.source) {
    rate = periodic(system_.period);
  } else {
    settled_[b] = false;
  }
}

void Rates::link_wires() {
  first_reader_.assign(system_.blocks.size(), {});
  next_reader_.assign(system_.wires.size(), {});
  for (std::size_t left = system_.wires.size(); left > 0; --left) {
    const WireIndex w(left - 1);
    if (!in_.wires[w].active) continue;
    WireIndex& first = first_reader_[system_.wires[w].from.block];
    next_reader_[w] = first;
    first = w;
  }
}

/// A source without a sample time, or a block without inputs that an expression makes one, which is what its readers
/// are: it has no state that is stepped at ticks.
bool Rates::follows_readers(BlockIndex b) const {
  const SystemBlock& block = system_.blocks[b];
  if (in_.blocks[b].plan == nullptr || block.sample_time.kind != SampleTime::Kind::inherited || triggered(block.guard))
    return false;
  const Character& c = character(b);
  if (c.continuous || (c.stateful && !c.switches)) return false;
  if (c.source) return c.moves;
  const auto driven = [](const SystemBlock::Port& port) { return port.wire.valid(); };
  if (std::any_of(block.ports.begin(), block.ports.end(), driven)) return false;
  return follows_time(*block.type) ||
         std::any_of(block.parameters.begin(), block.parameters.end(), [&](const ParameterValue& each) {
           return block.type->slots[each.slot].is(HILDA_EXPRESSION) && names_time(each.value.text);
         });
}

/// Sources are continuous where what they do between two ticks reaches a continuous block: over blocks that have the
/// rate of their inputs, and as the condition under which one runs.
void Rates::free_sources() {
  Indexed<BlockIndex, bool> reaches(system_.blocks.size(), false);
  std::vector<BlockIndex> queue;
  const auto reach = [&](BlockIndex from) {
    if (!from.valid() || reaches[from] || in_.blocks[from].plan == nullptr) return;
    const bool source = follows_readers(from);
    if (settled_[from] ? !source : character(from).stateful && !character(from).switches) return;
    reaches[from] = true;
    if (source) in_.rates[from] = {Kind::continuous, {}}, settled_[from] = true;
    queue.push_back(from);
  };
  for (const BlockIndex b : system_.blocks.indices())
    if (in_.rates[b].kind == Kind::continuous) reaches[b] = true, queue.push_back(b);
  for (std::size_t i = 0; i < queue.size(); ++i) {
    const SystemBlock& block = system_.blocks[queue[i]];
    for (const SystemBlock::Port& port : block.ports)
      if (block.type->slots[port.slot].role == HILDA_INPUT && port.wire.valid() && in_.wires[port.wire].active)
        reach(system_.wires[port.wire].from.block);
    for (GuardIndex guard = block.guard; guard.valid(); guard = system_.guards[guard].parent)
      reach(system_.guards[guard].signal.block), reach(system_.guards[guard].reset.block);
  }
}

/// How a block sees the rate of what drives it: one that steps at ticks samples a continuous signal at the period. One
/// that may switch between ticks too follows it, where that is located.
Rate Rates::seen(BlockIndex b, WireIndex wire) const {
  if (!wire.valid() || !in_.wires[wire].active) return {};
  const Rate rate = in_.rates[system_.wires[wire].from.block];
  const bool samples = character(b).stateful && !(located_ && character(b).switches);
  return rate.kind == Kind::continuous && samples ? periodic(system_.period) : rate;
}

/// Rates flow along the wires until nothing changes; they only get faster, so that cycles end. Continuous rates go
/// first, because a block that samples it slows it down.
void Rates::spread(bool continuous) {
  std::vector<BlockIndex> queue;
  for (const BlockIndex b : system_.blocks.indices())
    if (in_.rates[b].kind != Kind::unknown && (in_.rates[b].kind == Kind::continuous || !continuous))
      queue.push_back(b);
  for (std::size_t i = 0; i < queue.size(); ++i) {
    for (WireIndex w = first_reader_[queue[i]]; w.valid(); w = next_reader_[w]) {
      const BlockIndex to = system_.wires[w].to.block;
      if (settled_[to]) continue;
      const Rate rate = seen(to, w);
      if (continuous && rate.kind != Kind::continuous) continue;
      if (!faster(rate, in_.rates[to])) continue;
      in_.rates[to] = rate;
      queue.push_back(to);
    }
  }
}

void Rates::report_unequal(BlockIndex b) {
  const SystemBlock& block = system_.blocks[b];
  std::vector<Note> notes;
  std::vector<Rate> told;
  for (const SystemBlock::Port& port : block.ports) {
    const Rate rate = seen(b, port.wire);
    if (rate.kind != Kind::periodic ||
        std::any_of(told.begin(), told.end(), [&](const Rate& r) { return same(r, rate); }))
      continue;
    told.push_back(rate);
    const Wire& wire = system_.wires[port.wire];
    notes.push_back({wire.where, port_name(in_, wire.to) + " is driven by " + port_name(in_, wire.from) + " at " +
                                     time_text(rate.period)});
  }
  if (told.size() < 2) return;
  in_.diagnostics.error("sample-time-missing", block.where,
                        in_quotes(block.path) + " keeps a state and its inputs come at different sample times",
                        "say at which it steps: sample_time=\"" + time_text(in_.rates[b].period) + "\"",
                        std::move(notes));
}

void Rates::finish(BlockIndex b) {
  SystemBlock& block = system_.blocks[b];
  if (in_.blocks[b].plan == nullptr) return;
  Rate& rate = in_.rates[b];
  if (!settled_[b]) {
    if (rate.kind == Kind::unknown) rate = periodic(system_.period);
    if (character(b).stateful && rate.kind == Kind::periodic) report_unequal(b);
  }
  block.continuous = rate.kind == Kind::continuous;
  block.divider = 1;
  if (rate.kind != Kind::periodic) return;
  const Rational ticks = rate.period / system_.base;
  if (ticks.denominator() == 1) block.divider = ticks.numerator(); // else reported with its sample time
}

} // namespace

void find_rates(Inference& inference) { Rates(inference).run(); }

} // namespace hilda::compile::inference
