// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/diagram/diagram.h"
#include "tools/modules.h"

#include <functional>
#include <string>

namespace hilda::cli {

/// What a diagram or rig file offers to those who use it, as it is written: parameters, ports, limits of motion and the
/// quality that it asks of measurements, each with its sentence.
/// @param title  how a title is set
std::string diagram_text(const DiagramDecl& diagram, const std::function<std::string(const std::string&)>& title);

} // namespace hilda::cli
