# The server, in this program and as `hilda run --serve` and `hilda studio`; Node is a client that nobody here wrote.
target_sources(${test_program} PRIVATE "${PROJECT_SOURCE_DIR}/tests/cli/program.cpp"
                                       "${PROJECT_SOURCE_DIR}/tests/hardware/process.cpp")
target_link_libraries(${test_program} PRIVATE hilda_studio)
add_dependencies(${test_program} hilda hilda_plugins)
