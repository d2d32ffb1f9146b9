# SPDX-License-Identifier: BSD-3-Clause
# The library hilda_version: version and git revision of this build, for tools/cli/version.h. The revision is looked up
# at every build; the file changes, and the program is linked again, only when the revision does.
set(version_source "${PROJECT_BINARY_DIR}/generated/version.cpp")
add_custom_target(
  hilda_revision
  COMMAND ${CMAKE_COMMAND} -DSOURCE_DIR=${PROJECT_SOURCE_DIR} -DVERSION=${PROJECT_VERSION} -DOUTPUT=${version_source} -P
          ${PROJECT_SOURCE_DIR}/cmake/write_version.cmake
  BYPRODUCTS "${version_source}"
  COMMENT "")
add_library(hilda_version STATIC "${version_source}")
target_include_directories(hilda_version PRIVATE "${PROJECT_SOURCE_DIR}")
add_dependencies(hilda_version hilda_revision)
