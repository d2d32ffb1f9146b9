# SPDX-License-Identifier: BSD-3-Clause
# The program: bin/hilda is tools/cli/main.cpp alone; it opens lib/hilda/libhilda.so, which Python's module uses too.
hilda_module(tools/cli USES engine/study engine/analysis engine/authoring tools/graphics tools/studio tools/fmi)
hilda_module(tools/embed USES tools/cli)
file(GLOB_RECURSE cli_sources CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/tools/cli/*.cpp" "${PROJECT_SOURCE_DIR}/tools/embed/*.cpp")
list(REMOVE_ITEM cli_sources "${PROJECT_SOURCE_DIR}/tools/cli/main.cpp" "${PROJECT_SOURCE_DIR}/tools/cli/compiled_head.cpp")
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
  set(edit "${edit_LIBRARY}")
  set_source_files_properties(tools/cli/detail/console/console.cpp PROPERTIES COMPILE_DEFINITIONS HILDA_LIBEDIT)
  # Named once more, the compiler's own folder is in another place of its order, and clang finds no stdlib.h.
  if(NOT edit_INCLUDE_DIR IN_LIST CMAKE_CXX_IMPLICIT_INCLUDE_DIRECTORIES)
    set_source_files_properties(tools/cli/detail/console/console.cpp PROPERTIES INCLUDE_DIRECTORIES "${edit_INCLUDE_DIR}")
  endif()
endif()

# Code in a compiled program is packed where the head, which needs no library, can have LZ4 in itself.
find_library(HILDA_LZ4_ARCHIVE NAMES liblz4.a)
mark_as_advanced(HILDA_LZ4_ARCHIVE)
if(HILDA_LZ4_ARCHIVE)
  set_source_files_properties(tools/cli/compiled_head.cpp tools/cli/detail/compiled/program_file.cpp
                              PROPERTIES COMPILE_DEFINITIONS HILDA_PACKED_PARTS)
endif()

# What `hilda compile` puts into a program: the same objects, of which the linker keeps what a program's commands need. The
# libraries are those that these need; with those of the engine's other parts a program would be 1 MB larger.
add_library(hilda_program MODULE $<TARGET_OBJECTS:hilda_library>)
set(archives hilda_studio hilda_pictures hilda_fmi hilda_engine hilda_version)
foreach(archive IN LISTS archives)
  target_link_libraries(hilda_program PRIVATE $<TARGET_FILE:${archive}>)
endforeach()
target_link_libraries(hilda_program PRIVATE ${edit} hilda::exported_mathematics tinyxml2::tinyxml2 udunits2::udunits2 muparser::muparser
                                            fmt::fmt deflate::deflate lz4::lz4 $<TARGET_NAME_IF_EXISTS:sundials::cvode> ${CMAKE_DL_LIBS})
add_dependencies(hilda_program ${archives})
set(program_exports "${PROJECT_SOURCE_DIR}/cmake/program.exports")
target_link_options(hilda_program PRIVATE "-Wl,--version-script=${program_exports}" -Wl,-Bsymbolic -Wl,--gc-sections -Wl,--as-needed)
if(NOT HILDA_SANITIZE) # a sanitizer's functions are in the program
  target_link_options(hilda_program PRIVATE -Wl,--no-undefined)
endif()
set_target_properties(hilda_program PROPERTIES PREFIX lib LIBRARY_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}/lib/hilda/program"
                                               LINKER_LANGUAGE CXX LINK_DEPENDS "${program_exports}")

# The beginning of a program that has the C library in itself needs none.
get_filename_component(musl_folder "${HILDA_MUSL_LIBC}" DIRECTORY)
if(HILDA_MUSL_LIBC AND EXISTS "${musl_folder}/crt1.o" AND NOT HILDA_SANITIZE)
  add_executable(hilda_launcher tools/cli/launcher/launcher.c)
  target_compile_options(hilda_launcher PRIVATE -Os -fno-pie "SHELL:-U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=0" -fno-stack-protector -fno-asynchronous-unwind-tables)
  target_link_options(hilda_launcher PRIVATE -static -no-pie -nostdlib "${musl_folder}/crt1.o")
  target_link_libraries(hilda_launcher PRIVATE "${HILDA_MUSL_LIBC}" gcc)
  set_target_properties(hilda_launcher PROPERTIES OUTPUT_NAME launcher POSITION_INDEPENDENT_CODE OFF
                                                  RUNTIME_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}/lib/hilda/program")
  set(program_launcher hilda_launcher)
endif()

add_executable(hilda tools/cli/main.cpp tools/cli/compiled_head.cpp tools/cli/program_parts.cpp)
target_include_directories(hilda PRIVATE "${PROJECT_SOURCE_DIR}")
target_compile_definitions(hilda PRIVATE HILDA_LIBRARY="libhilda.so.$<TARGET_PROPERTY:hilda_library,SOVERSION>")
if(HILDA_LZ4_ARCHIVE)
  target_link_libraries(hilda PRIVATE "${HILDA_LZ4_ARCHIVE}")
  target_link_options(hilda PRIVATE -Wl,--exclude-libs,liblz4.a)
endif()
target_link_libraries(hilda PRIVATE hilda::exported_mathematics ${CMAKE_DL_LIBS})
target_link_options(hilda PRIVATE -Wl,--export-dynamic-symbol=_exit -Wl,--export-dynamic-symbol=_Exit
                           -Wl,--export-dynamic-symbol=__asan_default_options)
# It is opened and not linked; a check whether the program is newer means both.
add_dependencies(hilda hilda_library hilda_fmu hilda_program ${program_launcher})
set_target_properties(hilda PROPERTIES LINK_DEPENDS "$<TARGET_FILE:hilda_library>")

# The program as a command; one for another processor is emulated.
set(run_hilda $<TARGET_FILE:hilda>)
if(CMAKE_CROSSCOMPILING_EMULATOR)
  list(JOIN CMAKE_CROSSCOMPILING_EMULATOR "' '" emulator)
  set(run_hilda "${PROJECT_BINARY_DIR}/generated/emulated_hilda")
  file(CONFIGURE OUTPUT "${run_hilda}" CONTENT "#!/bin/sh\nexec '${emulator}' '${PROJECT_BINARY_DIR}/bin/hilda' \"$@\"\n")
  file(CHMOD "${run_hilda}" PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE)
endif()
