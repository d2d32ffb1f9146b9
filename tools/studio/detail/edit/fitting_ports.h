// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "tools/modules.h"
#include "tools/studio/detail/clients/session.h"

#include <functional>
#include <string>

namespace hilda::studio {

/// The fault of a wire from one port to another; empty: nothing.
using PortTrial = std::function<std::string(const std::string& from, const std::string& to)>;

/// Of every port that could be the other end of a wire at `port`: `[{"name","fits","why"}]`. A wire is tried as if it
/// were drawn, so types, units, shapes and rates count as far as they are known. `fits` is null where there was no time
/// left to try.
/// @param elements  of elements_json
Json fitting_ports(const Json& elements, const std::string& port, const PortTrial& trial, std::string& error);

} // namespace hilda::studio
