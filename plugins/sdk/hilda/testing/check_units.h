// SPDX-License-Identifier: BSD-3-Clause
#ifndef HILDA_TESTING_CHECK_UNITS_H
#define HILDA_TESTING_CHECK_UNITS_H

// Units are more than labels: measured in other units, the same signals must give the same outputs.

#include <hilda/testing/finding.h>

namespace hilda::testing::detail {

/// Another system of units: how many of the new unit go into the old one, for each base unit and variable.
class OtherUnits {
public:
  explicit OtherUnits(std::uint64_t seed) : seed_(seed) {}

  /// Powers of two, so that scaled numbers round alike. Angles stay: sines know no other unit than the radian.
  double of_base(const std::string& base) const {
    if (base == "rad") return 1;
    std::uint64_t h = mixed(seed_);
    for (const char c : base) h = mixed(h ^ static_cast<unsigned char>(c));
    static constexpr double factors[] = {0.25, 0.5, 2, 4};
    return factors[h % 4];
  }
  double of(const UnitPowers& unit) const {
    double factor = 1;
    for (const auto& [base, power] : unit.powers) factor *= std::pow(of_base(base), power);
    return factor;
  }
  /// Of one element of a slot; none where its unit cannot be read here.
  std::optional<double> of(const hilda_slot& slot, std::int64_t element) const {
    if (slot.element != HILDA_F64 && slot.element != HILDA_I64 && slot.element != HILDA_U64) return 1.0;
    const std::optional<UnitPowers> unit = read_unit(unit_text(slot, element));
    return unit ? std::optional(of(*unit)) : std::nullopt;
  }

private:
  static const char* unit_text(const hilda_slot& slot, std::int64_t element) {
    switch (slot.kind) {
    case HILDA_WRENCH: return element < 3 ? "N" : "N m";
    case HILDA_TWIST: return element < 3 ? "m/s" : "rad/s";
    case HILDA_POSE: return element < 3 ? "m" : "1";
    case HILDA_QUATERNION: return "1";
    default: return slot.unit != nullptr ? slot.unit : "";
    }
  }
  std::uint64_t seed_;
};

/// The subject with everything measured in other units. None where a unit cannot be read here.
inline std::optional<Subject> measured(const Subject& subject, const Bench& like, const OtherUnits& units) {
  Subject other = subject;
  other.setup.period *= units.of_base("s");
  for (const Piece& piece : like.pieces()) {
    const hilda_slot& slot = *piece.slot;
    for (std::int64_t i = 0; i < piece.shape.count(); ++i)
      if (!units.of(slot, i)) return std::nullopt;
    if (piece.ring != nullptr) continue;
    other.setup.exact_shapes[{slot.role, piece.name()}] = piece.shape;
    if (slot.role != HILDA_PARAMETER) continue;
    Value value = Record::read(piece);
    if (slot.element == HILDA_F64)
      for (std::size_t i = 0; i < value.numbers.size(); ++i)
        value.numbers[i] *= *units.of(slot, static_cast<std::int64_t>(i));
    other.setup.parameters[slot.name] = value;
  }
  other.stimulus = [stimulus = subject.stimulus, units](const Piece& input, std::int64_t tick,
                                                        std::vector<double>& numbers) {
    stimulus(input, tick, numbers);
    if (input.slot->element != HILDA_F64) return;
    for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] *= *units.of(*input.slot, static_cast<std::int64_t>(i));
  };
  return other;
}

/// Why numbers may depend on units that no slot declares; empty where they may not.
inline std::string undeclared(const Type& type) {
  bool any = false; // "1" throughout is as good as nothing
  for (const hilda_slot& slot : type.slots())
    any =
        any || slot.kind != HILDA_PLAIN ||
        (slot.element == HILDA_F64 && slot.unit != nullptr && *slot.unit != '\0' && std::string_view(slot.unit) != "1");
  if (!any) return "it declares no unit but 1: its numbers may be of several";
  for (const hilda_slot& slot : type.slots()) {
    if (slot.element == HILDA_TEXT || slot.element == HILDA_PATH)
      return "the numbers in " + quoted(slot.name) + " have units of their own";
    const bool real = slot.element == HILDA_F64 && slot.kind == HILDA_PLAIN && slot.role != HILDA_WORK;
    if (real && (slot.unit == nullptr || *slot.unit == '\0'))
      return quoted(slot.name) + " declares no unit, not even 1: it may hold SI numbers of several units";
  }
  return {};
}

/// Does its unit name a variable that no input and no parameter has? Then it is whatever the wires say.
inline bool of_free_unit(const hilda_slot& output, const Type& type) {
  const std::optional<UnitPowers> unit = read_unit(output.unit != nullptr ? output.unit : "");
  for (const auto& [name, power] : unit ? unit->powers : std::map<std::string, double>{}) {
    if (name[0] != '@') continue;
    bool free = true;
    for (const hilda_slot& slot : type.slots()) {
      if (slot.role != HILDA_INPUT && slot.role != HILDA_PARAMETER) continue;
      const std::optional<UnitPowers> other = read_unit(slot.unit != nullptr ? slot.unit : "");
      free = free && !(other && other->powers.count(name) > 0);
    }
    if (free) return true;
  }
  return false;
}

/// The first output that is not what its unit says; empty where all are. `peaks` grows with the largest value so far.
inline std::string unscaled(const Bench& ours, const Bench& theirs, const OtherUnits& units,
                            std::map<std::string, double>& peaks) {
  for (std::size_t p = 0; p < ours.pieces().size(); ++p) {
    const Piece& piece = ours.pieces()[p];
    if (piece.slot->role != HILDA_OUTPUT || of_free_unit(*piece.slot, ours.type())) continue;
    const Value here = Record::read(piece), there = Record::read(theirs.pieces()[p]);
    for (std::size_t i = 0; i < here.numbers.size(); ++i) {
      const double expected = here.numbers[i], got = there.numbers[i] / *units.of(*piece.slot, static_cast<int>(i));
      double& peak = peaks[piece.name()];
      if (std::isfinite(expected)) peak = std::max(peak, std::abs(expected));
      const bool same = expected == got || (std::isnan(expected) && std::isnan(got));
      if (!same && !(std::abs(expected - got) <= 1e-6 * peak)) return piece.name();
    }
  }
  return {};
}

inline Outcome check_units(const Subject& subject) {
  bool any = false;
  for (const hilda_slot& slot : subject.type->slots())
    any = any || (slot.role == HILDA_OUTPUT && !of_free_unit(slot, *subject.type));
  if (!any) return not_applicable("it has no outputs, or of a unit that the wires decide");
  for (const std::uint64_t seed : {1u, 2u, 3u}) {
    const OtherUnits units(seed);
    Bench ours(*subject.type, subject.setup);
    const std::optional<Subject> other = measured(subject, ours, units);
    if (!other) return not_applicable("a unit is not known to hilda/testing.h");
    std::map<std::string, double> peaks;
    Bench theirs(*subject.type, other->setup);
    for (std::int64_t tick = 0; tick < subject.ticks && ours.verdict() == HILDA_GO; ++tick) {
      drive(ours, subject.stimulus), drive(theirs, other->stimulus);
      ours.compute(), theirs.compute();
      const std::string name = unscaled(ours, theirs, units, peaks);
      if (!name.empty() && !undeclared(*subject.type).empty()) return not_applicable(undeclared(*subject.type));
      if (!name.empty())
        return failed("measured in other units, the output " + quoted(name) + " is another one" + at_tick(ours) +
                      ": its unit, or that of an input or parameter, is not what is computed");
      ours.advance(), theirs.advance();
    }
  }
  return passed();
}

} // namespace hilda::testing::detail

#endif
