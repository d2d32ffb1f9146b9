// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/modules.h"
#include "engine/plugin/running_code.h"

namespace hilda::plugin {

/// The loop is about to go: when this returns no one looks at it any more. To be called by the destructor of the class
/// that answers, first of all: once the parts of the object go, an answer would be made of what is gone, and behind
/// them there is no one to answer (a pure virtual function), which is too late for ~RunningLoop.
void forget_loop(const RunningLoop& loop);

} // namespace hilda::plugin
