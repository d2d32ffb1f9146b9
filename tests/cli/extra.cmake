# SPDX-License-Identifier: BSD-3-Clause
# The tests run the program itself, on blocks of the standard library and on some that break the rules on purpose.
hilda_add_plugin(faulty "${folder}/faulty/faulty.cpp")
set_target_properties(faulty PROPERTIES LIBRARY_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/tests/cli/plugins")
add_dependencies(${test_program} hilda hilda_plugins faulty)
# Apart, so that lists of blocks stay short: loaded with --plugins.
hilda_add_plugin(ways "${folder}/ways/ways.cpp")
set_target_properties(ways PROPERTIES LIBRARY_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/tests/cli/ways_plugins")
add_dependencies(${test_program} ways)
# The progress of a run, whose times the test gives.
target_sources(${test_program} PRIVATE "${PROJECT_SOURCE_DIR}/tools/cli/detail/program/terminal.cpp")
