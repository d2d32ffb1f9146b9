// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/modules.h"

#include <hilda/descriptors.h>

namespace hilda::plugin {

/// "hilda.descriptors/1", for plugins.
const hilda_descriptors_1& descriptors_ability();

} // namespace hilda::plugin
