// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "tools/modules.h"

#include <string>
#include <vector>

namespace hilda::studio {

/// Every value of `key` in a target such as "/logs?name=a%20b", decoded.
std::vector<std::string> values_in(const std::string& target, const std::string& key);

/// A number of "/logs/7" behind "/logs/"; -1: there is none.
int number_behind(const std::string& path, const std::string& begin);

} // namespace hilda::studio
