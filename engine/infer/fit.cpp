#include "engine/catalogue/driven_type.h"
#include "engine/diagnostics/budget.h"
#include "engine/infer/explain.h"
#include "engine/infer/inference.h"
#include "engine/infer/parameter_fit.h"

#include <limits>
#include <utility>

namespace hilda::inference {
namespace {

class Fitter {
public:
  Fitter(Inference& inference, BlockIndex block, std::size_t& budget)
      : in_(inference), block_(block), budget_(budget) {}

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
    else if (const std::optional<Complaint> why = fit_parameter(parameter.value, slot, type, known))
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

  void refuse(const ParameterValue& parameter, const Complaint& complaint) {
    Inference::BlockState& state = in_.blocks[block_];
    // a text that is not a value at all is not the wires' fault
    const bool wires_said_so = state.tainted && complaint.code == "value-shape" && !parameter.value.problem() &&
                               !in_.slot(block_, parameter.slot).shape.fixed();
    state.tainted = true;
    if (complaint.already_reported() || wires_said_so) return;
    std::vector<Note> notes = notes_on(parameter);
    if (complaint.code == "value-shape") add_notes(notes, why_this_shape(parameter));
    in_.diagnostics.error(complaint.code.c_str(), parameter.where,
                          refusal_text(in_.system.blocks[block_], in_.slot(block_, parameter.slot), complaint),
                          complaint.help, std::move(notes));
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
  BlockIndex block_;
  std::size_t& budget_;
  const Shared<WrittenUnit> no_unit_;
};

} // namespace

void fit_parameters(Inference& in, bool fixed) {
  std::size_t budget = 1'000'000; // of steps back to where shapes come from, for all messages together
  for (const BlockIndex b : in.blocks.indices()) {
    if (in.blocks[b].plan == nullptr) continue;
    Fitter fitter(in, b, budget);
    for (ParameterValue& parameter : in.system.blocks[b].parameters)
      if (parameter.slot.valid() && in.blocks[b].plan->slots[parameter.slot].open != fixed) fitter.fit_one(parameter);
  }
}

} // namespace hilda::inference
