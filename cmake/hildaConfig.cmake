# find_package(hilda): the functions hilda_add_plugin and hilda_add_plugin_tests, the targets hilda::sdk (blocks),
# hilda::testing (tests of blocks) and hilda::program. Everything is found beside this file, wherever it was moved to.
include("${CMAKE_CURRENT_LIST_DIR}/HildaPlugin.cmake")

get_filename_component(hilda_prefix "${CMAKE_CURRENT_LIST_DIR}/../../.." ABSOLUTE)
set(HILDA_PROGRAM "${hilda_prefix}/bin/hilda")
if(NOT TARGET hilda::program)
  add_executable(hilda::program IMPORTED GLOBAL)
  set_target_properties(hilda::program PROPERTIES IMPORTED_LOCATION "${HILDA_PROGRAM}")
endif()
