// SPDX-License-Identifier: BSD-3-Clause
#include "engine/catalogue/signal_parts.h"
#include "engine/compile/detail/infer/explain.h"
#include "engine/compile/detail/infer/inference.h"

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

namespace hilda::compile::inference {
namespace {

constexpr std::size_t most_notes = 4;

/// A conflict that waits for others of the same cause.
struct Found {
  bool units = false;
  WireIndex wire;
  std::vector<Note> notes;
  std::vector<WireIndex> also; ///< other wires on which the same value does not fit
};

class Conflicts {
public:
  explicit Conflicts(Inference& inference) : in_(inference) {}

  void run() {
    for (const WireIndex w : in_.wires.indices())
      if (in_.wires[w].active && in_.wires[w].resolved) check_wire(w);
    for (const Found& found : found_) report(found);
    check_equations(in_.shapes, false);
    check_equations(in_.units, true);
  }

private:
  void check_wire(WireIndex w);
  void add(WireIndex w, bool units);
  /// The places that a value comes from, as block and slot or as a wire.
  using Cause = std::vector<std::pair<int, int>>;
  Cause cause_of(const Evidence& sources) const;
  void report(const Found& found);
  void report_misfit(const Found& found, std::vector<Note> notes);
  std::string unit_help(const SignalType& from, const SignalType& to, const Wire& wire) const;
  std::string shape_help(const SignalType& from, const SignalType& to, const Wire& wire) const;
  std::string wire_end(WireIndex w) const;
  template <class System> void check_equations(const System& system, bool units);
  template <class System>
  void report_equation(const System& system, const typename System::Equation& equation, bool units);
  std::string value_text(int value, bool unit) const {
    return unit ? in_.unit_pool.unit(value).text() : std::to_string(value);
  }

  Inference& in_;
  std::vector<Found> found_;
  std::map<std::pair<bool, Cause>, std::size_t> by_cause_;
  std::size_t budget_ = 2'000'000;
};

void Conflicts::check_wire(WireIndex w) {
  const PortRef& to = in_.system.wires[w].to;
  const Inference::WireState& state = in_.wires[w];
  const auto differ = [](const auto& system, const Inference& in, const auto& a, const auto& b) {
    return in.known(system, a) && in.known(system, b) && !(in.value(system, a) == in.value(system, b));
  };
  // A wrench into a plain vector of another length: the shape says it all.
  if (differ(in_.shapes, in_, state.rows, in_.rows(to.block, to.slot, to.item)) ||
      differ(in_.shapes, in_, state.cols, in_.cols(to.block, to.slot, to.item)))
    add(w, false);
  else if (state.units && differ(in_.units, in_, state.unit, in_.unit(to.block, to.slot)))
    add(w, true);
}

/// Where parameters gave the value, alone or with others: what does not fit on several wires is then reported once.
Conflicts::Cause Conflicts::cause_of(const Evidence& sources) const {
  Cause cause;
  if (sources.shortened) return cause;
  bool parameters = false;
  for (const int label : sources.labels) {
    if (label >= 0) {
      cause.emplace_back(-1, label);
      continue;
    }
    const Origin& origin = in_.origins[Inference::at(~label)];
    const bool of_block = origin.kind != Origin::Kind::declaration && origin.kind != Origin::Kind::wire;
    parameters = parameters || of_block;
    cause.emplace_back(of_block ? origin.block.signed_number() : -2, of_block ? origin.slot.signed_number() : label);
  }
  std::sort(cause.begin(), cause.end());
  return parameters ? cause : Cause();
}

void Conflicts::add(WireIndex w, bool units) {
  const Wire& wire = in_.system.wires[w];
  const PortRef& to = wire.to;
  const Inference::WireState& state = in_.wires[w];
  Found found{units, w, {}, {}};
  std::optional<std::size_t> earlier;
  const auto look = [&](const auto& system, const auto& place) {
    if (place.variable < 0) return;
    const Evidence sources = evidence_of(system, place.variable, most_notes, budget_);
    for (Note& note : notes_on(in_, sources, units, w)) found.notes.push_back(std::move(note));
    Cause cause = cause_of(sources);
    if (cause.empty() || earlier) return;
    const auto [known, fresh] = by_cause_.try_emplace({units, std::move(cause)}, found_.size());
    if (!fresh && known->second < found_.size()) earlier = known->second;
  };
  if (units) {
    look(in_.units, state.unit);
    look(in_.units, in_.unit(to.block, to.slot));
  } else {
    look(in_.shapes, state.rows);
    look(in_.shapes, in_.rows(to.block, to.slot, to.item));
    if (found.notes.empty()) {
      look(in_.shapes, state.cols);
      look(in_.shapes, in_.cols(to.block, to.slot, to.item));
    }
  }
  in_.blocks[to.block].tainted = in_.blocks[wire.from.block].tainted = true;
  if (earlier)
    found_[*earlier].also.push_back(w);
  else
    found_.push_back(std::move(found));
}

/// "'a.y.force' (3 [N], 1 ms)": the part that the wire takes.
std::string Conflicts::wire_end(WireIndex w) const {
  const PortRef& from = in_.system.wires[w].from;
  return port_name(in_, from) + " (" + describe(in_.wire_type(w)) + ", " +
         rate_text(in_.system, in_.system.blocks[from.block]) + ")";
}

void Conflicts::report(const Found& found) {
  const Wire& wire = in_.system.wires[found.wire];
  std::vector<Note> notes;
  const auto add_note = [&](Note note) { add_notes(notes, {std::move(note)}); };
  add_notes(notes, found.notes);
  const SystemBlock &from = in_.system.blocks[wire.from.block], &to = in_.system.blocks[wire.to.block];
  add_note({from.where, in_quotes(from.path) + " is here"});
  add_note({to.where, in_quotes(to.path) + " is here"});
  for (const Location& via : wire.via) add_note({via, "the wire passes here"});
  for (std::size_t i = 0; i < found.also.size() && i < most_notes; ++i) {
    const Wire& other = in_.system.wires[found.also[i]];
    add_note({other.where, "nor does " + wire_end(found.also[i]) + " fit " + end_text(in_, other.to)});
  }
  if (found.also.size() > most_notes)
    add_note({{}, "and " + std::to_string(found.also.size() - most_notes) + " wires more"});
  report_misfit(found, std::move(notes));
}

std::string Conflicts::shape_help(const SignalType& from, const SignalType& to, const Wire& wire) const {
  const std::string part = part_that_is(from, to);
  const std::string source = port_name(in_, wire.from);
  if (!part.empty()) return "connect its part " + source.substr(0, source.size() - 1) + "." + part + "'";
  if (from.rows == to.cols && from.cols == to.rows)
    return "rows and columns are exchanged: write a row with ';' behind it";
  if (from.rows == 1 && from.cols == 1)
    return "one number is not spread over a vector: put signals together with routing/Mux";
  if (to.rows == 1 && to.cols == 1 && from.cols == 1)
    return "take one element: " + source.substr(0, source.size() - 1) + "[0]', or a norm with math/Norm";
  return "take elements with routing/Select or put signals together with routing/Mux";
}

std::string Conflicts::unit_help(const SignalType& from, const SignalType& to, const Wire& wire) const {
  const std::string part = part_that_is(from, to);
  const std::string source = port_name(in_, wire.from);
  if (!part.empty()) return "connect its part " + source.substr(0, source.size() - 1) + "." + part + "'";
  const Unit ratio = *to.unit / *from.unit;
  for (const Unit::Base pseudo : {Unit::Base::wrench, Unit::Base::twist, Unit::Base::pose})
    if (!ratio.power(pseudo).zero())
      return "connect a signal of the expected kind, or convert with a block of kinematics/";
  const Unit angle(Unit::Base::angle);
  if (ratio == angle || ratio == Unit() / angle)
    return "an angle counts as a unit (rad): mend the unit where it comes from, or put a math/Gain with a value in " +
           ratio.text() + " between them";
  return "mend the unit where it comes from, or put a math/Gain with a value in " + ratio.text() + " between them";
}

void Conflicts::report_misfit(const Found& found, std::vector<Note> notes) {
  const Wire& wire = in_.system.wires[found.wire];
  const SignalType from = in_.wire_type(found.wire), to = in_.type(wire.to.block, wire.to.slot, wire.to.item);
  const std::string ends = wire_end(found.wire) + " does not fit " + end_text(in_, wire.to);
  if (found.units)
    in_.diagnostics.error("wire-unit", wire.where, ends + ": the units differ", unit_help(from, to, wire),
                          std::move(notes));
  else
    in_.diagnostics.error("wire-shape", wire.where, ends + ": the shapes differ", shape_help(from, to, wire),
                          std::move(notes));
}

template <class System> void Conflicts::check_equations(const System& system, bool units) {
  for (const auto& equation : system.equations())
    if (system.violated(equation)) report_equation(system, equation, units);
}

template <class System>
void Conflicts::report_equation(const System& system, const typename System::Equation& equation, bool units) {
  const Origin& origin = in_.origins[Inference::at(~equation.label)];
  Inference::BlockState& state = in_.blocks[origin.block];
  if (std::exchange(state.tainted, true)) return;
  const SystemBlock& block = in_.system.blocks[origin.block];
  const Slot& slot = in_.slot(origin.block, origin.slot);
  std::vector<Note> notes;
  for (const LinearTerm& term : system.terms(equation)) {
    if (!system.known(term.variable) || notes.size() >= most_notes) continue;
    const Evidence sources = evidence_of(system, term.variable, 2, budget_);
    add_notes(notes, notes_on(in_, sources, units));
  }
  const int result = system.terms(equation)[0].variable;
  const std::string text = units ? slot.unit_text : slot.shape_text;
  const std::string is =
      system.known(result) ? " and is " + value_text(system.value(result), units) + " by its wires" : "";
  const std::string what = std::string(role_name(slot.role)) + " " + in_quotes(slot.name) + " of " +
                           in_quotes(block.path) + " is declared as " + in_quotes(text) + is;
  if (units)
    in_.diagnostics.error("block-units", block.where, "the " + what + ": the units around it do not go together",
                          "look at the gains and products of the loop that it is in: their units must cancel",
                          std::move(notes));
  else
    in_.diagnostics.error("block-shapes", block.where, "the " + what + ": the shapes around it do not go together",
                          "look at the sizes of the signals that the block joins or splits", std::move(notes));
}

} // namespace

void report_conflicts(Inference& inference) { Conflicts(inference).run(); }

} // namespace hilda::compile::inference
