# The tests run the program, as those of the command line do, and look at what it draws.
target_sources(${test_program} PRIVATE "${PROJECT_SOURCE_DIR}/tests/cli/program.cpp")
target_link_libraries(${test_program} PRIVATE hilda_pictures)
add_dependencies(${test_program} hilda hilda_plugins)
