// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/base/error.h"
#include "engine/diagram/system.h"
#include "engine/modules.h"

#include <optional>
#include <string>

namespace hilda::compile {

/// Brings the value of a block's parameter into what its record takes: the shape and unit of the slot, SI, column by
/// column, within the slot's range; a choice as its number. The content of the value's text stays.
/// `type` is that of the slot as inferred, as far as it is known; `unit` is its unit, with the text for people.
/// Errors, after which nothing may be made of the value: parameter-choice, parameter-range and those of fit.
std::optional<Error> fit_parameter(Value& value, const Slot& slot, const SignalType& type,
                                   const Shared<WrittenUnit>& unit);

/// The same of one that a wire drives, which `driver` names: the default, or what is there without one, in the
/// shape that the wire has. It is in the record until the block runs first.
void fit_driven(Value& value, const Slot& slot, const SignalType& type, const Shared<WrittenUnit>& unit,
                const std::string& driver);

/// Of a value for a diagram whose units are settled: is it written in that of its slot? None: it is, or fits every
/// unit. Error: parameter-units.
std::optional<Error> check_unit(const Value& value, const BlockType& type, SlotIndex slot, const SignalType& settled);

/// "parameter 'gain' of 'g': the fault"
std::string refusal_text(const SystemBlock& block, const Slot& slot, const Error& why);

/// Zero and infinity are the same in every shape and unit.
bool fits_everything(double number);

} // namespace hilda::compile
