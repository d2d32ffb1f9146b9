# SPDX-License-Identifier: BSD-3-Clause
# The library hilda_project_folders: where sources and build lie, for tests and benchmarks (tests/project_folders.h).
#
# A definition of the compiler's would be part of every command: another clone's would differ, and its cache would miss.
set(folders_source "${PROJECT_BINARY_DIR}/generated/project_folders.cpp")
file(CONFIGURE OUTPUT "${folders_source}" @ONLY CONTENT "#include \"tests/project_folders.h\"

namespace hilda::test {

std::string source_folder() { return \"@PROJECT_SOURCE_DIR@\"; }
std::string build_folder() { return \"@PROJECT_BINARY_DIR@\"; }

} // namespace hilda::test
")
add_library(hilda_project_folders OBJECT EXCLUDE_FROM_ALL "${folders_source}")
target_include_directories(hilda_project_folders PRIVATE "${PROJECT_SOURCE_DIR}")
