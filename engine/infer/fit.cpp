#include "engine/diagnostics/budget.h"
#include "engine/infer/explain.h"
#include "engine/infer/inference.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace hilda::inference {
namespace {

class Fitter {
public:
  Fitter(Inference& inference, int block, std::size_t& budget) : in_(inference), block_(block), budget_(budget) {}

  void fit_one(ParameterValue& parameter) {
    working_at(parameter.where);
    const Slot& slot = in_.slot(block_, parameter.slot);
    if (slot.element == HILDA_CHOICE) return fit_choice(parameter, slot);
    const std::optional<Wanted> wanted = wanted_for(parameter, slot);
    if (!wanted) return;
    spread(parameter.value, slot, wanted->extent);
    Outcome<Shaped> shaped = fit(parameter.value, *wanted);
    if (!shaped) return refuse(parameter, shaped.complaint());
    if (!in_range(parameter, slot, *shaped)) return;
    take(parameter, slot, std::move(*shaped));
  }

private:
  void fit_choice(ParameterValue& parameter, const Slot& slot) {
    const auto found = std::find(slot.choices.begin(), slot.choices.end(), parameter.value.text);
    if (found != slot.choices.end()) {
      parameter.value.numbers = {static_cast<double>(found - slot.choices.begin())};
      return;
    }
    std::string words;
    for (const std::string& choice : slot.choices) words += (words.empty() ? "" : ", ") + choice;
    const std::string meant = nearest(parameter.value.text, slot.choices);
    in_.diagnostics.error("parameter-choice", parameter.where,
                          "parameter " + name(parameter) + ": " + in_quotes(parameter.value.text) +
                              " is none of its words",
                          (meant.empty() ? "" : "did you mean " + in_quotes(meant) + "? ") +
                              "It takes one of: " + words + (slot.doc.empty() ? "" : "; it is: " + slot.doc),
                          notes_on(parameter));
    in_.blocks[Inference::at(block_)].tainted = true;
  }

  std::optional<Wanted> wanted_for(const ParameterValue& parameter, const Slot& slot) const {
    Wanted wanted;
    wanted.element = slot.element == HILDA_U8                                 ? Wanted::Element::boolean
                     : slot.element == HILDA_F64                              ? Wanted::Element::real
                     : slot.element == HILDA_I64 || slot.element == HILDA_U64 ? Wanted::Element::integer
                                                                              : Wanted::Element::text;
    if (wanted.element == Wanted::Element::text) return wanted;
    wanted.extent = Extent::any();
    if (parameter.value.kind == Value::Kind::text) return wanted; // refused, whatever the shape
    const Place<Fraction> rows = in_.rows(block_, parameter.slot, -1), cols = in_.cols(block_, parameter.slot, -1);
    if (!in_.known(in_.shapes, rows) || !in_.known(in_.shapes, cols)) return std::nullopt; // reported as such
    wanted.extent = extent(slot, parameter.value, static_cast<int>(in_.value(in_.shapes, rows).numerator()),
                           static_cast<int>(in_.value(in_.shapes, cols).numerator()));
    wanted.rotational = slot.is(HILDA_ROTATIONAL);
    wanted.unit_text = slot.unit_text;
    // A unit that depends on others has been compared with them already.
    if (slot.unit.fixed()) wanted.unit = slot.declared;
    return wanted;
  }

  /// One number is what a scalar takes; written as a matrix it may stand where the slot asks for one.
  static Extent extent(const Slot& slot, const Value& value, int rows, int cols) {
    const bool matrix = slot.shape.whole.empty() && !(slot.shape.cols.fixed() && slot.shape.cols.constant == 1);
    if (matrix || cols != 1 || value.extent.rank == 2) return Extent::matrix(rows, cols);
    if (rows == 1 && value.extent.rank == 0) return Extent::scalar();
    return Extent::vector(rows);
  }

  /// Zero is the same in every shape; so is what the type's author gives by default and an open limit.
  static void spread(Value& value, const Slot& slot, const Extent& wanted) {
    if (value.kind == Value::Kind::text || value.extent.rank != 0 || value.numbers.size() != 1) return;
    const std::int64_t count = std::int64_t{wanted.rows} * wanted.cols;
    const double number = value.numbers[0];
    const bool square = wanted.rank == 2 && wanted.rows == wanted.cols;
    const bool any_shape = fits_everything(number) || (slot.initial && *slot.initial == value.text && !square);
    if (!any_shape || slot.shape.fixed() || count <= 1 || count > largest_signal) return;
    value.numbers.assign(static_cast<std::size_t>(count), number);
    value.bases.clear();
    value.extent = wanted;
  }

  bool in_range(const ParameterValue& parameter, const Slot& slot, const Shaped& shaped) {
    if (slot.element >= HILDA_U8) return true;
    const double least = slot.declared.to_si(slot.minimum), most = slot.declared.to_si(slot.maximum);
    for (const double number : shaped.numbers) {
      const bool above = slot.is(HILDA_ABOVE) ? number > least : number >= least;
      const bool below = slot.is(HILDA_BELOW) ? number < most : number <= most;
      if (above && below) continue;
      in_.diagnostics.error("parameter-range", parameter.where,
                            "parameter " + name(parameter) + " is " + in_quotes(parameter.value.text) +
                                ", but must be " + range_text(slot),
                            "give a value in this range" + (slot.doc.empty() ? "" : "; it is: " + slot.doc),
                            notes_on(parameter));
      in_.blocks[Inference::at(block_)].tainted = true;
      return false;
    }
    if (slot.element == HILDA_U64 &&
        std::any_of(shaped.numbers.begin(), shaped.numbers.end(), [](double n) { return n < 0; })) {
      in_.diagnostics.error("parameter-range", parameter.where,
                            "parameter " + name(parameter) + " is " + in_quotes(parameter.value.text) +
                                ", but must be at least 0",
                            "give a whole number without a sign", notes_on(parameter));
      in_.blocks[Inference::at(block_)].tainted = true;
      return false;
    }
    return true;
  }

  static std::string range_text(const Slot& slot) {
    const std::string unit = slot.unit_text.empty() || !slot.unit.fixed() ? "" : " " + slot.unit_text;
    const bool low = std::isfinite(slot.minimum) || slot.is(HILDA_ABOVE),
               high = std::isfinite(slot.maximum) || slot.is(HILDA_BELOW);
    std::string text;
    if (low) text += (slot.is(HILDA_ABOVE) ? "above " : "at least ") + decimal(slot.minimum) + unit;
    if (low && high) text += " and ";
    if (high) text += (slot.is(HILDA_BELOW) ? "below " : "at most ") + decimal(slot.maximum) + unit;
    return text.empty() ? "a number" : text;
  }

  /// The value as the record takes it: SI, column by column, in the slot's unit.
  void take(ParameterValue& parameter, const Slot& slot, Shaped shaped) const {
    Value& value = parameter.value;
    // "1 kg" is no expression.
    if (slot.is(HILDA_EXPRESSION) && value.kind == Value::Kind::number && value.scalar() &&
        value.with_constants.empty())
      value.with_constants = decimal(value.numbers[0]);
    if (slot.element >= HILDA_TEXT) return;
    value.kind = slot.element == HILDA_U8 ? Value::Kind::boolean : Value::Kind::number;
    value.extent = shaped.extent;
    value.numbers = std::move(shaped.numbers);
    value.bases.clear();
    if (slot.element == HILDA_U8) return;
    const Place<int> place = in_.unit(block_, parameter.slot);
    const bool known = in_.known(in_.units, place);
    const int unit = known ? in_.value(in_.units, place) : shaped.unit ? in_.unit_pool.number(*shaped.unit) : 0;
    value.basis = known || shaped.unit ? Value::Basis::measured : Value::Basis::computed;
    value.reading = UnitReading{};
    value.reading.unit = in_.unit_pool.unit(unit);
    if (value.basis == Value::Basis::measured)
      value.unit_text = in_.unit_pool.text(unit);
    else
      value.unit_text.clear();
  }

  void refuse(const ParameterValue& parameter, const Complaint& complaint) {
    Inference::BlockState& state = in_.blocks[Inference::at(block_)];
    // a text that is no value at all is nobody else's fault
    const bool wires_said_so = state.tainted && complaint.code == "value-shape" && !parameter.value.problem &&
                               !in_.slot(block_, parameter.slot).shape.fixed();
    state.tainted = true;
    if (complaint.already_reported() || wires_said_so) return;
    std::vector<Note> notes = notes_on(parameter);
    if (complaint.code == "value-shape") add_notes(notes, why_this_shape(parameter));
    in_.diagnostics.error(complaint.code.c_str(), parameter.where,
                          "parameter " + name(parameter) + ": " + complaint.what, complaint.help, std::move(notes));
  }

  /// What asks for the shape where the slot leaves it open.
  std::vector<Note> why_this_shape(const ParameterValue& parameter) {
    constexpr std::size_t most = 3;
    const Place<Fraction> rows = in_.rows(block_, parameter.slot, -1);
    if (rows.variable < 0) return {};
    const int nobody = std::numeric_limits<int>::min();
    return inference::notes_on(in_, evidence_of(in_.shapes, rows.variable, most, budget_), false, nobody);
  }

  std::string name(const ParameterValue& parameter) const {
    return in_quotes(in_.slot(block_, parameter.slot).name) + " of " +
           in_quotes(in_.system.blocks[Inference::at(block_)].path);
  }
  std::vector<Note> notes_on(const ParameterValue& parameter) const {
    const SystemBlock& block = in_.system.blocks[Inference::at(block_)];
    std::vector<Note> notes = notes_through(parameter);
    notes.push_back({block.where, "the block is of type " + block.type->name});
    return notes;
  }

  static constexpr std::int64_t largest_signal = std::int64_t{1} << 26;

  Inference& in_;
  int block_;
  std::size_t& budget_;
};

} // namespace

void fit_parameters(Inference& in, bool fixed) {
  std::size_t budget = 1'000'000; // of steps back to where shapes come from, for all messages together
  for (std::size_t b = 0; b < in.blocks.size(); ++b) {
    if (in.blocks[b].plan == nullptr) continue;
    Fitter fitter(in, static_cast<int>(b), budget);
    for (ParameterValue& parameter : in.system.blocks[b].parameters)
      if (parameter.slot >= 0 && in.blocks[b].plan->slots[Inference::at(parameter.slot)].open != fixed)
        fitter.fit_one(parameter);
  }
}

} // namespace hilda::inference
