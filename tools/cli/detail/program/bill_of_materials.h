// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "tools/modules.h"

namespace hilda::cli {

/// Prints the list of all that this program is built from (SPDX, JSON), as the build has written it; returns an Exit.
int print_bill_of_materials();

} // namespace hilda::cli
