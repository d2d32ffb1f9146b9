# SPDX-License-Identifier: BSD-3-Clause
# The packets are tested by themselves, the blocks through the plugin; diagrams and packets are read as in drivers_ati.
target_sources(${test_program} PRIVATE $<TARGET_OBJECTS:udp> "${PROJECT_SOURCE_DIR}/tests/drivers_ati/wired_diagram.cpp")
add_dependencies(${test_program} udp sources math sinks kinematics)
target_compile_definitions(${test_program} PRIVATE GOLDEN_PACKETS="tests/drivers_udp/golden" HILDA_WIRED_PLUGIN="udp")
# The loop trap of tests/realtime watches what the blocks' loop functions do.
if(NOT HILDA_SANITIZE)
  add_dependencies(${test_program} hilda hilda_trap)
endif()
