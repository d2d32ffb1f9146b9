// SPDX-License-Identifier: BSD-3-Clause
#include "engine/base/budget.h"
#include "engine/catalogue/driven_type.h"
#include "engine/compile/detail/infer/explain.h"
#include "engine/compile/detail/infer/inference.h"
#include "engine/compile/detail/infer/parameter_fit.h"

#include <limits>
#include <map>
#include <tuple>
#include <utility>

namespace hilda::compile::inference {
namespace {

/// What does not fit. A named parameter that several blocks use and none of which takes it is one mistake: reported at
/// the first of them, with the others as notes.
class Refusals {
public:
  explicit Refusals(Inference& inference) : in_(inference) {}

  void add(BlockIndex block, const ParameterValue& parameter, const Error& error, std::vector<Note> notes) {
    const std::vector<Location> origins = in_.system.parameters.origins(*parameter.text, parameter.scope);
    const SystemBlock& at = in_.system.blocks[block];
    const Slot& slot = in_.slot(block, parameter.slot);
    if (!origins.empty()) {
      const auto [place, fresh] =
          by_origin_.try_emplace({origins.back().file, origins.back().line, error.code + error.what}, refused_.size());
      if (!fresh)
        return note_another(refused_[place->second], {parameter.where, "nor does " + in_quotes(slot.name) + " of " +
                                                                           in_quotes(at.path) + " take it"});
    }
    refused_.push_back({.where = parameter.where,
                        .code = error.code,
                        .what = refusal_text(at, slot, error),
                        .help = error.help,
                        .notes = std::move(notes)});
  }
  void report() {
    for (Refused& each : refused_) {
      if (each.more > most) each.notes.push_back({{}, "and " + std::to_string(each.more - most) + " more"});
      in_.diagnostics.error(each.code.c_str(), each.where, std::move(each.what), std::move(each.help),
                            std::move(each.notes));
    }
  }

private:
  static constexpr std::size_t most = 3;
  struct Refused {
    Location where;
    std::string code, what, help;
    std::vector<Note> notes;
    std::size_t more = 0;
  };
  static void note_another(Refused& first, Note note) {
    if (++first.more <= most) first.notes.push_back(std::move(note));
  }

  Inference& in_;
  std::vector<Refused> refused_;
  std::map<std::tuple<const std::string*, int, std::string>, std::size_t> by_origin_; ///< looked up only, never walked
};

class Fitter {
public:
  Fitter(Inference& inference, Refusals& refusals, BlockIndex block, std::size_t& budget)
      : in_(inference), refusals_(refusals), block_(block), budget_(budget) {}

  void fit_one(ParameterValue& parameter) {
    working_at(parameter.where);
    const Slot& slot = in_.slot(block_, parameter.slot);
    const SignalType type = in_.type(block_, parameter.slot, -1);
    const bool shaped = slot.element < HILDA_TEXT && parameter.value.kind != Value::Kind::text;
    if (shaped && (type.rows < 0 || type.cols < 0)) return; // reported as such
    const Place unit = in_.unit(block_, parameter.slot);
    const Shared<WrittenUnit>& known = type.unit ? in_.unit_pool.written(in_.value(in_.units, unit)) : no_unit_;
    if (is_driven(*in_.system.blocks[block_].type, parameter.slot))
      fit_driven(parameter.value, slot, type, known, driver_of(slot));
    else if (const std::optional<Error> why = fit_parameter(parameter.value, slot, type, known))
      refuse(parameter, *why);
  }

private:
  /// What drives a parameter: "gain.y".
  std::string driver_of(const Slot& parameter) const {
    const SystemBlock& block = in_.system.blocks[block_];
    for (const SystemBlock::Port& port : block.ports)
      if (drives_parameter(*block.type, port.slot) && in_.slot(block_, port.slot).name == parameter.name &&
          port.wire.valid() && in_.system.wires[port.wire].from.block.valid())
        return port_name(in_, in_.system.wires[port.wire].from);
    return "a wire";
  }

  void refuse(const ParameterValue& parameter, const Error& error) {
    Inference::BlockState& state = in_.blocks[block_];
    // a text that is not a value at all is not the wires' fault
    const bool wires_said_so = state.tainted && error.code == "value-shape" && !parameter.value.problem() &&
                               !in_.slot(block_, parameter.slot).shape.fixed();
    state.tainted = true;
    if (error.already_reported() || wires_said_so) return;
    std::vector<Note> notes = notes_on(parameter);
    if (error.code == "value-shape") add_notes(notes, why_this_shape(parameter));
    refusals_.add(block_, parameter, error, std::move(notes));
  }

  /// What asks for the shape where the slot leaves it open.
  std::vector<Note> why_this_shape(const ParameterValue& parameter) {
    constexpr std::size_t most = 3;
    const Place rows = in_.rows(block_, parameter.slot, -1);
    if (rows.variable < 0) return {};
    return inference::notes_on(in_, evidence_of(in_.shapes, rows.variable, most, budget_), false);
  }

  std::vector<Note> notes_on(const ParameterValue& parameter) const {
    const SystemBlock& block = in_.system.blocks[block_];
    std::vector<Note> notes = notes_through(in_, parameter);
    notes.push_back({block.where, "the block is of type " + block.type->name});
    return notes;
  }

  Inference& in_;
  Refusals& refusals_;
  BlockIndex block_;
  std::size_t& budget_;
  const Shared<WrittenUnit> no_unit_;
};

} // namespace

void fit_parameters(Inference& in, bool fixed) {
  std::size_t budget = 1'000'000; // of steps back to where shapes come from, for all messages together
  Refusals refusals(in);
  for (const BlockIndex b : in.blocks.indices()) {
    if (in.blocks[b].plan == nullptr) continue;
    Fitter fitter(in, refusals, b, budget);
    for (ParameterValue& parameter : in.system.blocks[b].parameters)
      if (parameter.slot.valid() && in.blocks[b].plan->slots[parameter.slot].open != fixed) fitter.fit_one(parameter);
  }
  refusals.report();
}

} // namespace hilda::compile::inference
