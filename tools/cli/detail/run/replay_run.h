// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "tools/cli/detail/run/run.h"
#include "tools/modules.h"

namespace hilda::cli {

/// `hilda run [DIAGRAM] --mode replay LOG`: feeds a log back; an Exit.
int replay_log(const RunArguments& arguments);

} // namespace hilda::cli
