# SPDX-License-Identifier: BSD-3-Clause
# The protocol is looked at by itself, in the objects that the plugin is made of; the blocks run through
# their plugin, one against the other.
target_sources(${test_program} PRIVATE $<TARGET_OBJECTS:kuka_rsi>)
add_dependencies(${test_program} kuka_rsi sources math kinematics)
