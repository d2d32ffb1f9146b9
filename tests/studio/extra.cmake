# The server, in this program and as `hilda run --serve` and `hilda studio`; Node is a client that nobody here wrote.
target_sources(${test_program} PRIVATE "${PROJECT_SOURCE_DIR}/tests/cli/program.cpp"
                                       "${PROJECT_SOURCE_DIR}/tests/hardware/process.cpp")
target_link_libraries(${test_program} PRIVATE hilda_studio)
add_dependencies(${test_program} hilda hilda_plugins)
# Signals that docs/results/live.py measures by.
hilda_add_plugin(wall_stair "${folder}/plugins/wall_stair.cpp")
set_target_properties(wall_stair PROPERTIES LIBRARY_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/tests/studio/plugins")
add_dependencies(${test_program} wall_stair)
