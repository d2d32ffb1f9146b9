// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/catalogue/catalogue.h"
#include "engine/modules.h"

#include <string>
#include <string_view>
#include <vector>

namespace hilda::catalogue {

/// A port with named parts: ports of a block whose names begin alike up to a dot, such as `state.position` and
/// `state.velocity`. One wire takes or drives all of them, as a bus.
struct PartedPort {
  std::string name; ///< "state"
  hilda_role role{};
  std::vector<std::string> parts; ///< "position", "velocity", in slot order; one may be a port with parts itself
};

/// Those of a type, in slot order. A name that a port of the type has itself is that port and has no parts. Repeated
/// ports and inputs that drive parameters are parts of nothing.
std::vector<PartedPort> parted_ports(const BlockType& type);

/// The port of this name and role, or null.
const PartedPort* find_parted(const std::vector<PartedPort>& ports, hilda_role role, std::string_view name);

} // namespace hilda::catalogue
