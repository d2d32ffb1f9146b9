// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/catalogue/catalogue.h"
#include "engine/modules.h"

#include <string>
#include <vector>

namespace hilda::compile {

/// The parameters of a type that wires may drive.
std::vector<std::string> drivable_parameters(const BlockType& type);
/// "wires may drive: kp, ki", or that they may drive none.
std::string drivable_text(const BlockType& type);

/// Why no wire may drive the parameter of this name: "is fixed while the diagram runs". Empty: it may, or there is
/// none.
std::string why_not_driven(const BlockType& type, const std::string& parameter);

} // namespace hilda::compile
