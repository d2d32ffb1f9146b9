# The tests run the program, as those of the command line do, and look at what it draws.
target_sources(${test_program} PRIVATE "${PROJECT_SOURCE_DIR}/tests/cli/program.cpp")
target_link_libraries(${test_program} PRIVATE hilda_pictures)
add_dependencies(${test_program} hilda hilda_plugins)

# The program as it is built where there is no npm: its page differs, and nothing else.
set(page_source "${PROJECT_BINARY_DIR}/generated/page_assets_without_npm.cpp")
hilda_page_assets("${page_source}" "${PROJECT_BINARY_DIR}/page_without_npm" ${CMAKE_COMMAND} -E env PATH=/nowhere)
get_target_property(program_libraries hilda LINK_LIBRARIES)
get_target_property(program_options hilda LINK_OPTIONS)
add_executable(hilda_without_npm $<TARGET_OBJECTS:hilda> "${page_source}")
target_link_libraries(hilda_without_npm PRIVATE ${program_libraries})
target_link_options(hilda_without_npm PRIVATE ${program_options})
add_dependencies(${test_program} hilda_without_npm)
