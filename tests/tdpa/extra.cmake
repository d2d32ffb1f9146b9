# SPDX-License-Identifier: BSD-3-Clause
# Blocks that are wrong on purpose: each must fail the rule that it breaks.
file(GLOB mutant_sources CONFIGURE_DEPENDS "${folder}/mutants/*.cpp")
hilda_add_plugin(mutants ${mutant_sources})
set_target_properties(mutants PROPERTIES LIBRARY_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/tests/tdpa/plugins")
add_dependencies(${test_program} mutants hilda_plugins)
