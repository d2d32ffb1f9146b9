# Every live parameter of every plugin is changed; the console is that of the program.
add_dependencies(${test_program} hilda hilda_plugins)
hilda_add_plugin(tunable "${folder}/plugins/tunable.cpp")
set_target_properties(tunable PROPERTIES LIBRARY_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/tests/live/plugins")
add_dependencies(${test_program} tunable)
# Counts what the loop asks `new` for.
target_sources(${test_program} PRIVATE "${PROJECT_SOURCE_DIR}/tests/drivers_kuka/allocations.cpp")
