# SPDX-License-Identifier: BSD-3-Clause
# find_package(hilda): the functions hilda_add_plugin and hilda_add_plugin_tests, the targets hilda::sdk (blocks),
# hilda::testing (tests of blocks), hilda::embed (programs in C, hilda/embed.h) and hilda::program. Everything is found next to this file, wherever it was moved to.
# find_package(hilda COMPONENTS engine): also hilda::engine, for programs that run diagrams themselves.
include("${CMAKE_CURRENT_LIST_DIR}/HildaPlugin.cmake")

# Where /lib is a link to /usr/lib the prefix is /usr.
file(REAL_PATH "${CMAKE_CURRENT_LIST_DIR}/../../.." hilda_prefix)
set(HILDA_PROGRAM "${hilda_prefix}/bin/hilda")
if(NOT TARGET hilda::program)
  add_executable(hilda::program IMPORTED GLOBAL)
  set_target_properties(hilda::program PROPERTIES IMPORTED_LOCATION "${HILDA_PROGRAM}")
endif()
if(NOT TARGET hilda::embed)
  add_library(hilda::embed SHARED IMPORTED GLOBAL)
  set_target_properties(hilda::embed PROPERTIES IMPORTED_LOCATION "${hilda_prefix}/lib/hilda/libhilda.so"
                                                INTERFACE_INCLUDE_DIRECTORIES "${HILDA_ABI_INCLUDE_DIR}")
endif()
set(HILDA_PLUGINS "${hilda_prefix}/lib/hilda/plugins")

if("engine" IN_LIST hilda_FIND_COMPONENTS)
  if(EXISTS "${CMAKE_CURRENT_LIST_DIR}/HildaEngine.cmake")
    include("${CMAKE_CURRENT_LIST_DIR}/HildaEngine.cmake")
    set(hilda_engine_FOUND TRUE)
  else()
    set(hilda_FOUND FALSE)
    set(hilda_NOT_FOUND_MESSAGE "the engine is not installed beside it: cmake --install BUILD --component engine")
  endif()
endif()
