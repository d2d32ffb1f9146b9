// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

namespace hilda::test {

/// Absolute path of the project's folder, without a slash at its end. cmake/ProjectFolders.cmake defines both
/// functions.
std::string source_folder();

/// Absolute path of the build folder, without a slash at its end.
std::string build_folder();

} // namespace hilda::test
