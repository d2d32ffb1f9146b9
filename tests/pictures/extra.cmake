# SPDX-License-Identifier: BSD-3-Clause
# The tests run the program, as those of the command line do, and look at what it draws.
target_link_libraries(${test_program} PRIVATE hilda_pictures)
add_dependencies(${test_program} hilda hilda_plugins)

# The program as it is built where there is no npm: its page differs, and nothing else.
set(prefix "${PROJECT_BINARY_DIR}/without_npm")
set(page_source "${PROJECT_BINARY_DIR}/generated/page_assets_without_npm.cpp")
hilda_page_assets("${page_source}" "${prefix}/page" ${CMAKE_COMMAND} -E env PATH=/nowhere)
get_target_property(library_libraries hilda_library LINK_LIBRARIES)
get_target_property(library_options hilda_library LINK_OPTIONS)
get_target_property(soversion hilda_library SOVERSION)
add_library(hilda_without_npm SHARED $<TARGET_OBJECTS:hilda_library> "${page_source}")
target_include_directories(hilda_without_npm PRIVATE "${PROJECT_SOURCE_DIR}")
target_link_libraries(hilda_without_npm PRIVATE ${library_libraries})
target_link_options(hilda_without_npm PRIVATE ${library_options})
set_target_properties(hilda_without_npm PROPERTIES OUTPUT_NAME hilda SOVERSION ${soversion}
                                                   LIBRARY_OUTPUT_DIRECTORY "${prefix}/lib/hilda")
# The program opens the library that lies next to it.
add_custom_command(TARGET hilda_without_npm POST_BUILD COMMAND ${CMAKE_COMMAND} -E make_directory "${prefix}/bin"
                   COMMAND ${CMAKE_COMMAND} -E copy $<TARGET_FILE:hilda> "${prefix}/bin/hilda" VERBATIM)
add_dependencies(hilda_without_npm hilda)
add_dependencies(${test_program} hilda_without_npm)
