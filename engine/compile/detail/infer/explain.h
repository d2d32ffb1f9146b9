// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/compile/detail/infer/inference.h"
#include "engine/modules.h"

#include <vector>

namespace hilda::compile::inference {

/// Where a value comes from: labels of wires (from or to something fixed) and of origins (see Inference).
struct Evidence {
  std::vector<int> labels;
  bool shortened = false;
};

/// Follows the causes of an unknown's value back to where it was given. At most `most` places; the work of all calls
/// together is bounded by `budget`, which is spent.
template <class Algebra>
Evidence evidence_of(const LinearSystem<Algebra>& system, int variable, std::size_t most, std::size_t& budget) {
  using Cause = typename LinearSystem<Algebra>::Cause;
  Evidence result;
  std::vector<int> open{variable};
  std::vector<int> seen;
  while (!open.empty() && budget > 0 && result.labels.size() < most) {
    --budget;
    const int v = open.back();
    open.pop_back();
    const Cause cause = system.cause(v);
    if (cause.kind == Cause::Kind::given) {
      result.labels.push_back(cause.index);
    } else if (cause.kind == Cause::Kind::tie) {
      const auto& tie = system.ties()[Inference::at(cause.index)];
      open.push_back(tie.from == v ? tie.to : tie.from);
    } else if (cause.kind == Cause::Kind::equation) {
      const auto& equation = system.equations()[Inference::at(cause.index)];
      const std::size_t before = open.size();
      for (const LinearTerm& term : system.terms(equation))
        if (term.variable != v && system.known(term.variable)) open.push_back(term.variable);
      // What an equation joins may join again further back; a value found by elimination may even rest on itself.
      constexpr std::size_t most_joined = 64;
      seen.push_back(v);
      if (seen.size() > most_joined) open.resize(before);
    }
  }
  result.shortened = !open.empty();
  return result;
}

/// The places as notes; the wire `but_for` is left out.
std::vector<Note> notes_on(const Inference& inference, const Evidence& sources, bool units, WireIndex but_for = {});

/// Adds those that are not there yet.
void add_notes(std::vector<Note>& to, std::vector<Note> notes);

/// The places of the parameters that a value's text names.
std::vector<Note> notes_through(const Inference&, const ParameterValue&);

/// The unit of a value that has one, as its author wrote it where that is in SI: "N m" and not "J".
std::string unit_as_written(const Value& value);
/// A unit that the parameters among these sources ask for: as one of their authors wrote it, or as it is read back.
std::string unit_as_asked(const Inference& inference, const Evidence& sources, const Unit& unit);
/// "'rig.sensor.wrench' (wrench, 1 ms)"
std::string end_text(const Inference& inference, const PortRef& ref);
/// "'rig.sensor.u[2]'"
std::string port_name(const Inference& inference, const PortRef& ref);

} // namespace hilda::compile::inference
