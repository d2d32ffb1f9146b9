// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "tools/fmi/detail/model/variables.h"

namespace hilda::fmi {

/// Writes in each output on which inputs it depends in the same tick: Variable::follows.
void find_dependencies(const Runtime& runtime, std::vector<Variable>& variables);

} // namespace hilda::fmi
