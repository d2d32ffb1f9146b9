# SPDX-License-Identifier: BSD-3-Clause
# They run the program as the tests of the command line do, and write MAT files by a library that is not ours.
add_dependencies(${test_program} hilda hilda_plugins)
if(NOT TARGET matio::matio)
  hilda_find_library(matio::matio matio.h matio)
endif()
target_link_libraries(${test_program} PRIVATE matio::matio)
