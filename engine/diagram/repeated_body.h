// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/diagram/diagram.h"
#include "engine/modules.h"

#include <memory>
#include <string>

namespace hilda::diagram {

/// What a subsystem with for_each stands for: a diagram with the same ports, in which the body of the subsystem is
/// there `count` times, as each0, each1...; each of them has an element of every input, and the outputs are put
/// together. Parameters go to all; one called `index` is the element's number, unless the subsystem gives it.
std::shared_ptr<const DiagramDecl> repeated_body(const SubsystemDecl& subsystem, const DiagramDecl& body,
                                                 std::size_t count);

/// The first input whose name is one of those that a repeated body takes for itself, or null.
const PortDecl* input_in_the_way(const DiagramDecl& body);

} // namespace hilda::diagram
