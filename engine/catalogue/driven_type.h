// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/catalogue/catalogue.h"
#include "engine/modules.h"

#include <memory>
#include <vector>

namespace hilda::catalogue {

/// A parameter that a wire drives, and the input at which the wire ends.
struct DrivenParameter {
  SlotIndex parameter, input;
};

/// May a wire drive this parameter: a number or a boolean that may change while the diagram runs?
bool may_be_driven(const BlockType& type, const Slot& parameter);

/// A type some parameters of which wires drive: behind its slots it has an input for each, of the parameter's name,
/// shape and unit. The plugin's functions never see these inputs: they lie behind the record that they know.
std::shared_ptr<const BlockType> driven_type(const BlockType& base, const std::vector<SlotIndex>& parameters);

/// Do wires drive some of its parameters? None of a type as its plugin has it: its slots are those of the plugin, and
/// those behind them are inputs that drive parameters.
inline bool has_driven(const BlockType& type) {
  return type.abi != nullptr && type.slots.size() > type.abi->slot_count;
}
/// The parameters that wires drive.
std::vector<DrivenParameter> driven_parameters(const BlockType& type);
bool is_driven(const BlockType& type, SlotIndex parameter);
/// Does a wire to this input drive a parameter?
inline bool drives_parameter(const BlockType& type, SlotIndex input) {
  return has_driven(type) && input.number() >= type.abi->slot_count;
}

} // namespace hilda::catalogue
