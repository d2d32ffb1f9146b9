// SPDX-License-Identifier: BSD-3-Clause
#include "engine/compile/detail/infer/explain.h"
#include "engine/compile/detail/infer/inference.h"
#include "engine/compile/detail/infer/parameter_fit.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

namespace hilda::compile::inference {
namespace {

/// The unit that a value is written in. A bare number has that of its slot where its wires carry numbers without one:
/// for "@gain" none, for "@c s/@e" s (but see tell_unit); zeroes and infinities have
/// any unit.
std::optional<Unit> unit_written(const Value& value, const Slot& slot) {
  if (value.unit()) return value.unit();
  for (std::size_t i = 0; i < value.numbers.size(); ++i)
    if (value.kind == Value::Kind::number && value.basis_of(i) == Value::Basis::bare &&
        !fits_everything(value.numbers[i]))
      return slot.unit.constant.unit;
  return std::nullopt;
}

/// V, Ohm, H: complete as written. V s and N m/A, of motors, may lack their rad.
bool electrical(const Unit& unit) {
  using Base = Unit::Base;
  static const Unit of_motors =
      Unit(Base::mass) * Unit(Base::length).pow(2) / Unit(Base::time).pow(2) / Unit(Base::current);
  const Unit rest = unit.without_angle();
  return !unit.power(Base::current).zero() && rest != of_motors && rest != Unit() / of_motors;
}

/// N m may be an energy or a torque, kg m2 an inertia, and a calculated 1/s a number of radians: only what it is wired
/// to can tell.
bool ambiguous(const Value& value, const Unit& written) {
  const bool may_turn = !value.reading().energy && !electrical(written) && written.rotational() != written;
  return value.unit() && (value.calculated || may_turn);
}

void give(Inference& in, BlockIndex block, const ParameterValue& parameter, const Unit& unit) {
  const Place place = in.unit(block, parameter.slot);
  const int label = in.origin(Origin::Kind::parameter, block, parameter.slot);
  if (place.variable < 0 || in.units.give(place.variable, in.unit_pool.number(unit), label)) return;
  constexpr std::size_t most = 4;
  std::size_t budget = 10'000;
  const SystemBlock& at = in.system.blocks[block];
  const Evidence evidence = evidence_of(in.units, place.variable, most, budget);
  std::vector<Note> notes = notes_on(in, evidence, true);
  add_notes(notes, notes_through(in, parameter));
  const Unit& wanted = in.unit_pool.unit(in.units.value(place.variable));
  const std::string is = unit == parameter.value.unit() ? unit_as_written(parameter.value) : unit.text();
  const std::string written = unit_as_asked(in, evidence, wanted), asked = written == is ? wanted.text() : written;
  in.diagnostics.error("parameter-units", parameter.where,
                       "parameter " + in_quotes(in.slot(block, parameter.slot).name) + " of " + in_quotes(at.path) +
                           " is in " + (is == asked ? unit.text() : is) + ", but " + asked + " is asked for",
                       "mend one of the two; the type declares the unit as " +
                           in_quotes(in.slot(block, parameter.slot).unit_text),
                       std::move(notes));
  in.blocks[block].tainted = true;
}

} // namespace

void tell_unit(Inference& in, BlockIndex block, const ParameterValue& parameter) {
  const std::optional<Unit> written = unit_written(parameter.value, in.slot(block, parameter.slot));
  if (!written) return;
  const bool rotational = in.slot(block, parameter.slot).is(HILDA_ROTATIONAL);
  // An initial value or a limit without a unit is in that of the input, a gain per second in what the others ask for.
  const bool of_others = !parameter.value.unit() && in.blocks[block].plan->slots[parameter.slot].follows;
  if (of_others || (ambiguous(parameter.value, *written) && (!rotational || parameter.value.calculated)))
    in.ambiguous.push_back({Origin::Kind::parameter, block, parameter.slot});
  else
    give(in, block, parameter, ambiguous(parameter.value, *written) ? written->rotational() : *written);
}

namespace {

using Units = LinearSystem<UnitPool>;

/// How N m and kg m2 are read where nothing else decides: about an axis, or as they are written.
enum class Reading { about_axes, as_written };

/// As `rotational`; but of an inertia that is written with one rad, as rad/(N m s2), one is missing and not two.
Unit about_axis(const Unit& written) {
  using Base = Unit::Base;
  const Exponent angle = written.power(Base::angle);
  const bool one = angle == (written.power(Base::mass) == 1 ? Exponent(-1) : Exponent(1));
  const Unit full = written.rotational();
  return full != written && written.power(Base::time).zero() && one ? full / Unit(Base::angle).pow(angle) : full;
}

Unit read_as(Reading reading, const Value& value, const Unit& written) {
  // of a calculated N m it is not known whether it was written in J
  const bool energy = value.reading().energy || (value.calculated && !written.power(Unit::Base::time).zero());
  // V s/rad of a motor is N m/A, which has its rad
  const bool with_angle = !written.power(Unit::Base::current).zero() && !written.power(Unit::Base::angle).zero();
  const bool whole = with_angle || electrical(written);
  return reading == Reading::about_axes && !energy && !whole ? about_axis(written) : written;
}

/// The unit that an ambiguous value determines; none if what is known already agrees with it.
std::optional<Unit> told_by(const Inference& in, const Units& units, const Origin& origin, Reading reading) {
  const ParameterValue& parameter = *parameter_of(in.system.blocks[origin.block], origin.slot);
  const std::optional<Unit> written = parameter.value.unit();
  const Place place = in.unit(origin.block, origin.slot);
  if (in.known(units, place)) {
    if (!written) return std::nullopt;
    const Unit told = in.unit_pool.unit(in.value(units, place));
    const bool calculated = parameter.value.calculated && told.without_angle() == written->without_angle();
    return told == written->rotational() || told == about_axis(*written) || calculated ? std::nullopt : written;
  }
  return written ? read_as(reading, parameter.value, *written) : in.slot(origin.block, origin.slot).unit.constant.unit;
}

/// Is a unit known that has rad and is neither that of an angle, its rates, nor of a torque, an inertia or a stiffness:
/// m/rad?
bool has_lever_arms(const Inference& in, const Units& units) {
  for (const BlockIndex b : in.blocks.indices()) {
    if (in.blocks[b].plan == nullptr) continue;
    for (const SlotIndex slot : in.system.blocks[b].type->slots.indices()) {
      const Place place = in.unit(b, slot);
      if (!in.known(units, place)) continue;
      const Unit unit = in.unit_pool.unit(in.value(units, place)), rest = unit.without_angle();
      const bool a_rate = rest == Unit(Unit::Base::time).pow(rest.power(Unit::Base::time));
      if (unit != rest && !a_rate && rest.rotational() == rest) return true;
    }
  }
  return false;
}

/// Do all wires and equations go together, as far as units are known?
bool agree(const Inference& in, const Units& units) {
  for (const WireIndex w : in.wires.indices()) {
    const Inference::WireState& state = in.wires[w];
    if (!state.active || !state.resolved || !state.units) continue;
    const PortRef& to = in.system.wires[w].to;
    const Place end = in.unit(to.block, to.slot);
    if (in.known(units, state.unit) && in.known(units, end) && in.value(units, state.unit) != in.value(units, end))
      return false;
  }
  return std::none_of(units.equations().begin(), units.equations().end(),
                      [&units](const Units::Equation& each) { return units.violated(each); });
}

/// Torques, inertias and stiffnesses differ from energies by rad alone, which authors leave out. A diagram whose
/// angles are in rad agrees with itself where they are read about an axis, one whose angles are plain numbers does not.
/// Nor are they about an axis where that alone makes m/rad of a lever arm, N m over N.
Reading reading_that_agrees(Inference& in) {
  const bool any = std::any_of(in.ambiguous.begin(), in.ambiguous.end(), [&in](const Origin& each) {
    const std::optional<Unit> written = parameter_of(in.system.blocks[each.block], each.slot)->value.unit();
    return written && written->rotational() != *written;
  });
  if (!any || !in.pending.empty()) return Reading::as_written;
  Units units = in.units;
  for (const Origin& origin : in.ambiguous) {
    const std::optional<Unit> told = told_by(in, units, origin, Reading::about_axes);
    const Place place = in.unit(origin.block, origin.slot);
    if (told && place.variable >= 0 && !units.give(place.variable, in.unit_pool.number(*told), 0))
      return Reading::as_written;
    units.propagate();
  }
  units.eliminate();
  const bool alone = has_lever_arms(in, units) && !has_lever_arms(in, in.units);
  return agree(in, units) && !alone ? Reading::about_axes : Reading::as_written;
}

} // namespace

void tell_ambiguous_units(Inference& in) {
  const Reading reading = reading_that_agrees(in);
  for (const Origin& origin : in.ambiguous) {
    if (const std::optional<Unit> told = told_by(in, in.units, origin, reading))
      give(in, origin.block, *parameter_of(in.system.blocks[origin.block], origin.slot), *told);
    in.units.propagate();
  }
}

} // namespace hilda::compile::inference

namespace hilda::compile {

std::optional<Error> check_unit(const Value& value, const BlockType& type, SlotIndex slot, const SignalType& settled) {
  const std::optional<Unit> written = inference::unit_written(value, type.slots[slot]);
  if (!settled.unit || !written || type.slots[slot].unit.fixed()) return std::nullopt; // fit compares what is declared
  inference::UnitPool units;
  if (!value.unit() && inference::plan_type(type, units).slots[slot].follows) return std::nullopt;
  const Unit& wanted = *settled.unit;
  const bool same = *written == wanted || (inference::ambiguous(value, *written) && written->rotational() == wanted) ||
                    (value.calculated && written->without_angle() == wanted.without_angle());
  if (same) return std::nullopt;
  const bool alike = written->written_text() == wanted.written_text();
  const auto in = [alike](const Unit& unit) {
    return unit.dimensionless() ? "a bare number" : "in " + (alike ? unit.text() : unit.written_text());
  };
  const std::string asked = wanted.dimensionless() ? in(wanted) : "a value " + in(wanted);
  return make_error("parameter-units", "it is " + in(*written) + ", and " + asked + " is asked for",
                    "write it so; another unit is another diagram");
}

} // namespace hilda::compile
