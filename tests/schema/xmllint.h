// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "tests/cli/program.h"

#include <set>
#include <string>
#include <vector>

namespace hilda::test {

/// Which of these files a schema accepts, as xmllint of libxml2 judges.
/// @param schema  file of the workplace; .rng or .xsd
std::set<std::string> accepted(const Workplace& place, const std::string& schema,
                               const std::vector<std::string>& files);

} // namespace hilda::test
