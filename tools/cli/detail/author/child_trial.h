// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "tools/modules.h"

#include <functional>
#include <string>

namespace hilda::cli {

/// How a piece of work in its own process came out.
struct ChildTrial {
  std::string told;  ///< what it printed, up to its end
  std::string fault; ///< empty where it came to its end; else "crashes in update: Segmentation fault" or the like
};

/// Does the work in its own process, which may crash, hang or end: tell() takes texts for `told`. Phases that
/// plugins/sdk/hilda/testing/calls.h announces are named in `fault`; so is the phase of loading that
/// engine/plugin/running_code.h knows. Where it takes longer than 2 s, `name` and the phase are reported on
/// stderr, and again each time that has doubled.
ChildTrial in_child(const std::string& name,
                    const std::function<void(const std::function<void(const std::string&)>& tell)>& work,
                    double time_limit);

} // namespace hilda::cli
