# SPDX-License-Identifier: BSD-3-Clause
# The server, in this program and as `hilda run --serve` and `hilda studio`; Node is a client that is not a part of hilda.
target_link_libraries(${test_program} PRIVATE hilda_studio)
add_dependencies(${test_program} hilda hilda_plugins slow_disk taking)
if(TARGET own_time)
  add_dependencies(${test_program} own_time)
endif()
# wall_stair: signals that docs/results/measurements/live.py measures by. motor and valve: strangers' blocks, whose outputs have limits.
foreach(plugin wall_stair.cpp motor.cpp valve.c)
  get_filename_component(name "${plugin}" NAME_WE)
  hilda_add_plugin(${name} "${folder}/plugins/${plugin}")
  set_target_properties(${name} PROPERTIES LIBRARY_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/tests/studio/plugins")
  add_dependencies(${test_program} ${name})
endforeach()
target_link_libraries(valve PRIVATE m)
