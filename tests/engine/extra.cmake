# SPDX-License-Identifier: BSD-3-Clause
# A plant with its own controller, stepped millions of times: two thirds of the folder's time without optimisation.
hilda_optimise(${test_program} "${folder}/safety_property_test.cpp")
# Blocks that do in a loop what no block of the library does, in build/tests/engine/plugins.
hilda_add_plugin(probes "${folder}/probes/probes.cpp" "${folder}/probes/equations.cpp")
set_target_properties(probes PROPERTIES LIBRARY_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/tests/engine/plugins")
add_dependencies(${test_program} probes)
foreach(needed sources math discrete continuous routing sinks contact dynamics estimation kinematics passivity emulation)
  if(TARGET ${needed})
    add_dependencies(${test_program} ${needed})
  endif()
endforeach()
# Reads the MAT files that the engine writes.
if(NOT TARGET matio::matio)
  hilda_find_library(matio::matio matio.h matio)
endif()
target_link_libraries(${test_program} PRIVATE matio::matio)
