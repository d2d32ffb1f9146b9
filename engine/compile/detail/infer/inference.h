// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/catalogue/shape_text.h"
#include "engine/catalogue/signal_parts.h"
#include "engine/catalogue/signal_text.h"
#include "engine/compile/detail/equations/linear_system.h"
#include "engine/compile/detail/equations/type_plan.h"
#include "engine/compile/detail/equations/unit_pool.h"
#include "engine/compile/infer.h"
#include "engine/modules.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace hilda::compile::inference {

/// Dimensions as values of a LinearSystem.
struct DimensionAlgebra {
  using Value = Fraction;
  static Fraction add(Fraction sum, Exponent factor, Fraction x) {
    return sum + Fraction(factor.numerator(), factor.denominator()) * x;
  }
  static bool valid(Fraction x) { return x.whole() && x.numerator() >= 0 && x.numerator() <= largest_dimension; }
  static Fraction of(int dimension) { return dimension; }
  static int kept(Fraction x) { return static_cast<int>(x.numerator()); }
};

/// A dimension, or a unit by its number, in its place: an unknown, or fixed.
struct Place {
  int variable = -1;
  int value = 0;
};

/// How often a block runs.
struct Rate {
  enum class Kind { unknown, periodic, continuous } kind = Kind::unknown;
  Rational period;
};

/// The source of an unknown's value where this is not a wire.
struct Origin {
  enum class Kind : std::uint8_t { parameter, callback, assumption, declaration, wire } kind;
  BlockIndex block{};
  SlotIndex slot{};
  int wire = -1; ///< into System::wire_shapes, of a wire that says its shape
  friend bool operator==(const Origin&, const Origin&) = default;
};

/// The state of an inference; its steps are the functions below, in the order in which they run.
struct Inference {
  struct BlockState {
    const TypePlan* plan = nullptr; ///< null: the block has no type
    int dimensions = 0, units = 0;  ///< first unknown of the block
    int items = 0;
    std::uint32_t counts = 0; ///< first of its items_of, of types with repeated ports
    bool miswired = false;    ///< a wire that was meant for one of its ports has been refused
    bool tainted = false;     ///< something about it has been reported: what follows from it is not
  };
  struct WireState {
    bool active = false;   ///< both ends are there
    bool resolved = false; ///< no part, or the part is known: then the next four are the source's
    bool units = true;     ///< has units to compare
    Place rows, cols, unit;
    hilda_kind kind = HILDA_PLAIN;
  };

  Inference(System& s, Diagnostics& d) : system(s), diagnostics(d), shapes(dimension_algebra), units(unit_pool) {}

  System& system;
  Diagnostics& diagnostics;
  std::vector<TypePlan> plans;
  Indexed<BlockIndex, BlockState> blocks;
  Indexed<WireIndex, WireState> wires;
  Indexed<BlockIndex, Rate> rates;
  std::vector<int> item_counts;   ///< see items_of
  std::vector<WireIndex> pending; ///< wires from a part of a signal that is not known yet
  std::vector<Origin> origins;
  std::vector<Origin> ambiguous; ///< parameters whose unit is known when that of their wires is
  std::vector<std::string> remarks;
  DimensionAlgebra dimension_algebra;
  UnitPool unit_pool;
  bool backwards = false;       ///< a value fixed at a destination counts for its source, too
  bool parts_from_back = false; ///< in which order pending parts were tried last
  LinearSystem<DimensionAlgebra> shapes;
  LinearSystem<UnitPool> units;

  static constexpr std::size_t at(int i) { return static_cast<std::size_t>(i); }
  const Slot& slot(BlockIndex block, SlotIndex slot) const { return system.blocks[block].type->slots[slot]; }
  /// Where the number of items of a repeated port is counted.
  std::size_t items_of(BlockIndex block, SlotIndex slot) const { return blocks[block].counts + slot.number(); }

  /// Where rows, columns and unit of a slot (of an item) are.
  Place rows(BlockIndex block, SlotIndex slot, int item) const;
  Place cols(BlockIndex block, SlotIndex slot, int item) const;
  Place unit(BlockIndex block, SlotIndex slot) const;
  template <class Algebra> bool known(const LinearSystem<Algebra>& in, Place p) const {
    return p.variable < 0 || in.known(p.variable);
  }
  template <class Algebra> int value(const LinearSystem<Algebra>& in, Place p) const {
    return p.variable < 0 ? p.value : in.value(p.variable);
  }
  /// The type as far as it is known.
  SignalType type(BlockIndex block, SlotIndex slot, int item) const;
  SignalType wire_type(WireIndex wire) const;

  /// Labels: wires by index, origins below zero.
  static int label(WireIndex wire) { return wire.signed_number(); }
  int origin(Origin::Kind kind, BlockIndex block, SlotIndex slot, int wire = -1) {
    const Origin made{.kind = kind, .block = block, .slot = slot, .wire = wire};
    if (origins.empty() || !(origins.back() == made)) origins.push_back(made); // rows and columns come together
    return ~(static_cast<int>(origins.size()) - 1);
  }
};

/// The value given to a parameter slot, or null.
ParameterValue* parameter_of(SystemBlock& block, SlotIndex slot);

/// Plans of all types; ports with repeated ones item by item; which wire drives which input.
void expand_ports(Inference&);
/// A wire, condition or power port names an item of a repeated port that is not there.
void report_missing_item(Inference&, const PortRef& ref, Location where, int free = 0);
/// Inputs that nothing drives.
void report_undriven(Inference&);
/// Sample times of all blocks.
void find_rates(Inference&);
/// Unknowns and equations of all blocks.
void add_unknowns(Inference&);
/// What the values of parameters tell about shapes and units.
void tell_parameters(Inference&);
/// The same for the unit of one; and for those whose unit depends on what they are wired to, when that is known.
void tell_unit(Inference&, BlockIndex block, const ParameterValue&);
void tell_ambiguous_units(Inference&);
/// What `infer` callbacks tell.
void ask_callbacks(Inference&, const InferenceHook&);
/// Wires as ties; then everything that follows from everything.
void unify(Inference&);
/// Where nothing says how many, one number is a scalar; n numbers for a matrix are its diagonal.
void assume_shapes(Inference&);
/// What connects say about the shape of their signals, where nothing else does; whether it is so.
void tell_wire_shapes(Inference&);
void check_wire_shapes(Inference&);
/// Reads "3", "6 6", "scalar", "wrench" as rows and columns; none where it is not a shape.
std::optional<std::pair<std::int64_t, std::int64_t>> dimensions_of(const std::string& shape);
/// Whether it is the shape that a text says.
bool has_shape(const SignalType& type, const std::string& text);
/// A signal without any shape, such as that of a loop whose blocks take every shape, is a scalar; a remark says so.
void assume_scalars(Inference& in);
/// Resolves the parts of signals whose whole is known; true if there was one. `last`: units may stay unknown.
bool resolve_parts(Inference&, bool last = false);
/// A wire's source to its destination, or what is fixed at the destination to the source.
void feed_wire(Inference&, WireIndex wire);
void feed_wire_back(Inference&, WireIndex wire);
/// Writes what was found into the system.
void store_types(Inference&);
/// What does not go together or stays unknown.
void report_conflicts(Inference&);
void report_unknown_shapes(Inference&);
void check_guards(Inference&);
void check_power_ports(Inference&);
/// What ports of subsystems promise of their signals.
void check_promises(Inference&);
/// Which signals `<log>` and `<figure>` name, and whether the log can be made so.
void find_observed(Inference&);
/// A part of a signal that a condition, power port or figure names; none where it is not there or not known (reported).
std::optional<PartType> part_of(Inference&, const PortRef& ref, Location where);
void check_condition(Inference&, const std::string& owner, const PortRef& ref, const char* attribute, Location where);
/// Parameters into SI and their slot's shape: those whose slot has a fixed shape and unit, or the others.
void fit_parameters(Inference&, bool fixed);

} // namespace hilda::compile::inference
