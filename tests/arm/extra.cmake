# SPDX-License-Identifier: BSD-3-Clause
# The diagrams run as in tests/diagrams; tables and model are looked at by themselves,
# as the objects that the plugin is made of.
add_dependencies(${test_program} hilda_plugins)
target_sources(${test_program} PRIVATE $<TARGET_OBJECTS:arm>)
if(MUJOCO_INCLUDE_DIR AND MUJOCO_LIBRARY)
  target_compile_definitions(${test_program} PRIVATE HILDA_HAS_MUJOCO)
  target_include_directories(${test_program} SYSTEM PRIVATE "${MUJOCO_INCLUDE_DIR}")
  target_link_libraries(${test_program} PRIVATE "${MUJOCO_LIBRARY}")
endif()
