# They run the program as the tests of the command line do.
target_sources(${test_program} PRIVATE "${PROJECT_SOURCE_DIR}/tests/cli/program.cpp")
add_dependencies(${test_program} hilda hilda_plugins)
