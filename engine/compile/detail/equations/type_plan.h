// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/catalogue/catalogue.h"
#include "engine/compile/detail/equations/fraction.h"
#include "engine/compile/detail/equations/unit_pool.h"
#include "engine/modules.h"
#include "engine/quantity/exponent.h"

#include <string>
#include <vector>

namespace hilda::compile::inference {

/// A dimension or unit of a slot: fixed, an unknown of the block, or an unknown of each item of a repeated port.
struct PlanTerm {
  enum class Where { fixed, block, item } where = Where::fixed;
  int value = 0;  ///< fixed: the dimension, or the unit's number
  int index = -1; ///< which unknown
};

/// result = constant + sum(factor * unknown), one for the block or one an item.
template <class Value> struct PlanEquation {
  struct Term {
    int index;
    bool item = false; ///< an unknown of the item
    bool sum = false;  ///< over all items
    Exponent factor;
  };
  SlotIndex slot{}; ///< where it is
  bool item = false;
  int result = -1;
  Value constant{};
  std::vector<Term> terms;
};

/// What a block type's shapes and units say, with numbers in the place of names. Made once a type.
struct TypePlan {
  struct SlotPlan {
    PlanTerm rows, cols, unit;
    bool open = false;    ///< a parameter whose value determines shapes or units
    bool follows = false; ///< a parameter whose bare number is in the unit that follows: "@u" of an input, "@c s/@e"
  };
  const BlockType* type = nullptr;
  Indexed<SlotIndex, SlotPlan> slots;
  std::vector<std::string> dimensions;      ///< names of the block's unknown dimensions
  std::vector<std::string> item_dimensions; ///< names of each item's
  std::vector<std::string> unit_names;
  std::vector<PlanEquation<Fraction>> shape_equations;
  std::vector<PlanEquation<int>> unit_equations;
  /// Integer parameters that are dimensions.
  struct Given {
    SlotIndex slot{};
    int dimension;
  };
  std::vector<Given> given;
  std::vector<SlotIndex> open_parameters;
  std::vector<SlotIndex> ports;
  SlotIndex items_of{}; ///< the repeated one whose items have their own dimensions
  /// A dimension of the block by its name; -1: it has none such.
  int dimension(const std::string& name) const;
  bool repeats = false; ///< has repeated ports
};

TypePlan plan_type(const BlockType& type, UnitPool& units);

} // namespace hilda::compile::inference
