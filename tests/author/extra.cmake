# SPDX-License-Identifier: BSD-3-Clause
# Plugins that lie, each in one way, in build/tests/author/plugins.
set(author_plugins "${PROJECT_BINARY_DIR}/tests/author/plugins")
file(GLOB liars CONFIGURE_DEPENDS "${folder}/liars/*.c")
foreach(source IN LISTS liars)
  get_filename_component(lie "${source}" NAME_WE)
  set(plugin liar_${lie})
  hilda_add_plugin(${plugin} "${source}")
  target_link_libraries(${plugin} PRIVATE m)
  target_compile_definitions(${plugin} PRIVATE LIAR_NAME="${plugin}")
  set_target_properties(${plugin} PROPERTIES LIBRARY_OUTPUT_DIRECTORY "${author_plugins}")
  add_dependencies(${test_program} ${plugin})
endforeach()

target_link_libraries(${test_program} PRIVATE hilda::testing)
target_compile_definitions(${test_program} PRIVATE HILDA_CXX="${CMAKE_CXX_COMPILER}"
                                                   HILDA_EIGEN="$<TARGET_PROPERTY:Eigen3::Eigen,INTERFACE_INCLUDE_DIRECTORIES>")
find_program(HILDA_OTHER_COMPILER clang++)
if(HILDA_OTHER_COMPILER)
  target_compile_definitions(${test_program} PRIVATE HILDA_OTHER_COMPILER="${HILDA_OTHER_COMPILER}")
endif()
add_dependencies(${test_program} hilda hilda_plugins)
# The first test of the workshop builds seven plugins with Eigen, half a minute of one core; the others wait for it.
set(test_timeout 900)
