# SPDX-License-Identifier: BSD-3-Clause
# The tests run the program, as those of the command line do, and hold what it writes against xmllint (libxml2-utils).
add_dependencies(${test_program} hilda hilda_plugins)
if(TARGET faulty)
  add_dependencies(${test_program} faulty)
endif()

# Two builds of one plugin.
foreach(build first second)
  hilda_add_plugin(watched_${build} "${folder}/watched/watched.cpp")
  set_property(TARGET watched_${build} PROPERTY COMPILE_DEFINITIONS EIGEN_UNALIGNED_VECTORIZE=0 HILDA_PLUGIN_NAME="watched"
                                                $<IF:$<STREQUAL:${build},first>,WATCHED_BUILD=1,WATCHED_BUILD=2>)
  set_target_properties(watched_${build} PROPERTIES LIBRARY_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/tests/schema/${build}"
                                                    OUTPUT_NAME watched)
  add_dependencies(${test_program} watched_${build})
endforeach()
