# SPDX-License-Identifier: BSD-3-Clause
# The protocol is tested by itself, in the objects that the plugin is made of; the blocks through the plugin.
target_sources(${test_program} PRIVATE $<TARGET_OBJECTS:ati_netft>)
add_dependencies(${test_program} ati_netft sources math sinks kinematics)
target_compile_definitions(${test_program} PRIVATE GOLDEN_PACKETS="tests/drivers_ati/golden")
target_compile_definitions(${test_program} PRIVATE HILDA_WIRED_PLUGIN="ati_netft")
# The loop trap of tests/realtime watches what the blocks' loop functions do.
if(NOT HILDA_SANITIZE)
  add_dependencies(${test_program} hilda hilda_trap)
endif()
