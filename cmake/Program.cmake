# SPDX-License-Identifier: BSD-3-Clause
# The program: bin/hilda is tools/cli/main.cpp alone; it opens lib/hilda/libhilda.so, which Python's module uses too.
hilda_module(tools/cli USES engine/study engine/analysis engine/authoring tools/graphics tools/studio tools/fmi)
hilda_module(tools/embed USES tools/cli)
file(GLOB_RECURSE cli_sources CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/tools/cli/*.cpp" "${PROJECT_SOURCE_DIR}/tools/embed/*.cpp")
list(REMOVE_ITEM cli_sources "${PROJECT_SOURCE_DIR}/tools/cli/main.cpp")
include(Version)

add_library(hilda_library SHARED ${cli_sources})
target_link_libraries(hilda_library PRIVATE hilda_studio hilda_pictures hilda_fmi hilda_engine hilda_version CLI11::CLI11
                                            nlohmann_json::nlohmann_json)
hilda_compile_small(hilda_library)
hilda_compile_by_folder(hilda_library ${cli_sources})
target_precompile_headers(hilda_library REUSE_FROM hilda_engine_seldom)
target_compile_options(hilda_library PRIVATE $<$<CXX_COMPILER_ID:GNU>:-Wno-stringop-overread>)
file(STRINGS "${PROJECT_SOURCE_DIR}/plugins/abi/hilda/embed.h" embed_major REGEX "define HILDA_SIM_MAJOR")
string(REGEX REPLACE "[^0-9]" "" embed_major "${embed_major}")
set(library_exports "${PROJECT_SOURCE_DIR}/cmake/hilda.exports")
target_link_options(hilda_library PRIVATE "-Wl,--version-script=${library_exports}" -Wl,-Bsymbolic)
# The soname is the promise of the C API to programs that embed hilda, plugins/abi/hilda/embed.h (docs/embedding.md).
set_target_properties(hilda_library PROPERTIES OUTPUT_NAME hilda SOVERSION ${embed_major} LIBRARY_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}/lib/hilda"
                                               LINK_DEPENDS "${library_exports}"
                                               # the module may need files of the engine that no command does
                                               LINK_LIBRARY_OVERRIDE "WHOLE_ARCHIVE,hilda_engine")
# The prompt of `hilda run --console`; without it the console reads plain lines.
find_library(edit_LIBRARY edit)
find_path(edit_INCLUDE_DIR editline/readline.h)
mark_as_advanced(edit_LIBRARY edit_INCLUDE_DIR)
if(edit_LIBRARY AND edit_INCLUDE_DIR)
  target_link_libraries(hilda_library PRIVATE "${edit_LIBRARY}")
  set_source_files_properties(tools/cli/detail/console/console.cpp PROPERTIES COMPILE_DEFINITIONS HILDA_LIBEDIT)
  # Named once more, the compiler's own folder is in another place of its order, and clang finds no stdlib.h.
  if(NOT edit_INCLUDE_DIR IN_LIST CMAKE_CXX_IMPLICIT_INCLUDE_DIRECTORIES)
    set_source_files_properties(tools/cli/detail/console/console.cpp PROPERTIES INCLUDE_DIRECTORIES "${edit_INCLUDE_DIR}")
  endif()
endif()

add_executable(hilda tools/cli/main.cpp)
target_include_directories(hilda PRIVATE "${PROJECT_SOURCE_DIR}")
target_compile_definitions(hilda PRIVATE HILDA_LIBRARY="libhilda.so.$<TARGET_PROPERTY:hilda_library,SOVERSION>")
target_link_libraries(hilda PRIVATE hilda::exported_mathematics ${CMAKE_DL_LIBS})
target_link_options(hilda PRIVATE -Wl,--export-dynamic-symbol=_exit -Wl,--export-dynamic-symbol=_Exit
                           -Wl,--export-dynamic-symbol=__asan_default_options)
# It is opened and not linked; a check whether the program is newer means both.
add_dependencies(hilda hilda_library hilda_fmu)
set_target_properties(hilda PROPERTIES LINK_DEPENDS "$<TARGET_FILE:hilda_library>")
