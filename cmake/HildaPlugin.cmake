# SPDX-License-Identifier: BSD-3-Clause
# hilda_add_plugin(NAME sources...): a plugin NAME.so of hilda, from C++ or C sources.
# hilda_add_plugin_tests(NAME [SOURCES files...] [DIAGRAMS files...]): tests of it for ctest.
#
# Used by hilda itself and, through find_package(hilda), by plugins that live elsewhere. The plugin lands in
# lib/hilda/plugins of the build folder, exports its entry point alone and links Eigen and hilda's mathematical functions.

if(EXISTS "${CMAKE_CURRENT_LIST_DIR}/../plugins/sdk")
  get_filename_component(hilda_plugins_dir "${CMAKE_CURRENT_LIST_DIR}/../plugins" ABSOLUTE)
  set(HILDA_ABI_INCLUDE_DIR "${hilda_plugins_dir}/abi")
  set(HILDA_SDK_INCLUDE_DIR "${hilda_plugins_dir}/sdk")
  set(HILDA_PLUGIN_ENTRY "${hilda_plugins_dir}/sdk/entry.cpp")
else()
  file(REAL_PATH "${CMAKE_CURRENT_LIST_DIR}/../../.." hilda_prefix)
  set(HILDA_ABI_INCLUDE_DIR "${hilda_prefix}/include")
  set(HILDA_SDK_INCLUDE_DIR "${hilda_prefix}/include")
  set(HILDA_PLUGIN_ENTRY "${CMAKE_CURRENT_LIST_DIR}/entry.cpp")
  set(HILDA_MATH_ARCHIVE "${hilda_prefix}/lib/hilda/libhilda_math.a")
endif()
include("${CMAKE_CURRENT_LIST_DIR}/LinkMathematics.cmake")

if(NOT TARGET hilda::sdk)
  find_package(Eigen3 3.4 REQUIRED NO_MODULE)
  add_library(hilda_sdk INTERFACE)
  add_library(hilda::sdk ALIAS hilda_sdk)
  target_include_directories(hilda_sdk INTERFACE "${HILDA_ABI_INCLUDE_DIR}" "${HILDA_SDK_INCLUDE_DIR}")
  target_compile_features(hilda_sdk INTERFACE cxx_std_20)
endif()

# For tests of blocks by hilda/testing.h: they need the tables and neither Eigen nor the engine.
if(NOT TARGET hilda::testing)
  add_library(hilda_testing INTERFACE)
  add_library(hilda::testing ALIAS hilda_testing)
  target_include_directories(hilda_testing INTERFACE "${HILDA_ABI_INCLUDE_DIR}" "${HILDA_SDK_INCLUDE_DIR}")
  target_compile_features(hilda_testing INTERFACE cxx_std_20)
  target_link_libraries(hilda_testing INTERFACE ${CMAKE_DL_LIBS})
endif()

# A folder's name in what is compiled, for its path and for its path from the build folder, which is what ccache gives to
# the compiler.
function(hilda_map_folder target folder name)
  file(RELATIVE_PATH from_build "${CMAKE_BINARY_DIR}" "${folder}")
  string(REGEX REPLACE "/$" "" from_build "${from_build}")
  target_compile_options(${target} PRIVATE -ffile-prefix-map=${folder}=${name})
  if(from_build)
    target_compile_options(${target} PRIVATE -ffile-prefix-map=${from_build}=${name})
  endif()
endfunction()

# What decides over a plugin's bits and its exported names. No -march: the same binary gives the same bits everywhere.
function(hilda_plugin_compile_options target)
  set_target_properties(${target} PROPERTIES POSITION_INDEPENDENT_CODE ON)
  target_compile_options(${target} PRIVATE -ffp-contract=off -fvisibility=hidden)
  if(CMAKE_SYSTEM_PROCESSOR STREQUAL "aarch64")
    # Eigen would ask for fused multiply-add by name.
    target_compile_options(${target} PRIVATE "$<$<COMPILE_LANGUAGE:CXX>:SHELL:-include ${HILDA_SDK_INCLUDE_DIR}/hilda/unfused.h>")
  endif()
  target_compile_options(${target} PRIVATE $<$<COMPILE_LANGUAGE:CXX>:-fvisibility-inlines-hidden>)
  # Small fixed-size maths must be inlined whole and kept in registers: Eigen's own packets of unaligned vectors go
  # through memory in pieces that the processor cannot forward. Both leave the results alone but for sums of dot products.
  if(CMAKE_BUILD_TYPE MATCHES "^Rel" AND NOT HILDA_SANITIZE)
    target_compile_options(${target} PRIVATE -O3)
    # GCC 12 sees overlapping copies in std::string's operator+ at this level (its bug 105651).
    target_compile_options(${target} PRIVATE $<$<COMPILE_LANG_AND_ID:CXX,GNU>:-Wno-restrict>)
  endif()
  target_compile_definitions(${target} PRIVATE $<$<COMPILE_LANGUAGE:CXX>:EIGEN_UNALIGNED_VECTORIZE=0>)
  # Canaries where a buffer of bytes lies on the stack. -strong would put one into each function with a small matrix, whose
  # indices are its type's. What it costs: benchmarks/hardening.py.
  if(NOT HILDA_SANITIZE)
    target_compile_options(${target} PRIVATE -fstack-protector)
  endif()
  # Where the sources, the headers and the build lie is not part of the plugin: two builds are equal byte for byte.
  get_filename_component(entry_folder "${HILDA_PLUGIN_ENTRY}" DIRECTORY)
  hilda_map_folder(${target} "${PROJECT_SOURCE_DIR}" .)
  target_compile_options(${target} PRIVATE -ffile-prefix-map=${PROJECT_BINARY_DIR}=build)
  hilda_map_folder(${target} "${HILDA_SDK_INCLUDE_DIR}" sdk)
  hilda_map_folder(${target} "${HILDA_ABI_INCLUDE_DIR}" abi)
  hilda_map_folder(${target} "${entry_folder}" sdk)
  # A unique symbol would keep the plugin in memory for ever and tie it to other plugins' copies.
  target_compile_options(${target} PRIVATE $<$<COMPILE_LANG_AND_ID:CXX,GNU>:-fno-gnu-unique>)
endfunction()

function(hilda_add_plugin name)
  set(sources ${ARGN})
  set(cxx_sources ${sources})
  list(FILTER cxx_sources INCLUDE REGEX "\\.(cpp|cc|cxx)$")
  if(cxx_sources)
    list(APPEND sources "${HILDA_PLUGIN_ENTRY}")
    list(APPEND cxx_sources "${HILDA_PLUGIN_ENTRY}")
  endif()
  add_library(${name} MODULE ${sources})
  hilda_plugin_compile_options(${name})
  target_link_libraries(${name} PRIVATE hilda::sdk Eigen3::Eigen hilda::mathematics)
  target_compile_definitions(${name} PRIVATE HILDA_PLUGIN_NAME="${name}")
  set_target_properties(${name} PROPERTIES PREFIX "" SUFFIX ".so"
                                           LIBRARY_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}/lib/hilda/plugins")
  # An unresolved name is an error here and not at load; clang's sanitizers leave theirs to the program.
  if(NOT (HILDA_SANITIZE AND CMAKE_CXX_COMPILER_ID MATCHES "Clang"))
    target_link_options(${name} PRIVATE -Wl,--no-undefined)
  endif()
  # Its tables of addresses are read-only once it is loaded.
  target_link_options(${name} PRIVATE -Wl,-z,relro,-z,now)
  # The standard library's templates are visible by its own attribute: only a list of exports keeps them inside.
  set(exports "${CMAKE_CURRENT_BINARY_DIR}/${name}.exports")
  file(CONFIGURE OUTPUT "${exports}" CONTENT "{ global: hilda_plugin_entry; local: *; };\n")
  target_link_options(${name} PRIVATE "-Wl,--version-script=${exports}")
  # CMake cannot share a precompiled C++ header with a target that has C sources as well; and in a build with sanitizers
  # the tests' plugins are compiled with other options than the header.
  if(sources STREQUAL cxx_sources AND TARGET hilda_plugin_headers
     AND NOT (HILDA_SANITIZE AND CMAKE_CURRENT_SOURCE_DIR MATCHES "/tests(/|$)"))
    target_precompile_headers(${name} REUSE_FROM hilda_plugin_headers)
  endif()
endfunction()

# NAME.unit: a GoogleTest program of SOURCES, which knows the plugin's file as HILDA_PLUGIN_FILE. NAME.promises: the
# checks that every block must pass, with the blocks as DIAGRAMS use them. NAME.DIAGRAM: an audited run of each diagram.
function(hilda_add_plugin_tests name)
  cmake_parse_arguments(PARSE_ARGV 1 tests "" "" "SOURCES;DIAGRAMS")
  if(tests_SOURCES)
    find_package(GTest REQUIRED)
    add_executable(${name}_test ${tests_SOURCES})
    target_link_libraries(${name}_test PRIVATE hilda::testing GTest::gtest_main)
    target_compile_definitions(${name}_test PRIVATE HILDA_PLUGIN_FILE="$<TARGET_FILE:${name}>")
    add_dependencies(${name}_test ${name})
    add_test(NAME ${name}.unit COMMAND ${name}_test)
  endif()
  set(diagrams "")
  foreach(diagram IN LISTS tests_DIAGRAMS)
    get_filename_component(file "${diagram}" ABSOLUTE)
    get_filename_component(title "${diagram}" NAME_WE)
    list(APPEND diagrams --diagram "${file}")
    add_test(NAME ${name}.${title} COMMAND hilda::program check --audit --for 1s --plugins $<TARGET_FILE_DIR:${name}> "${file}")
  endforeach()
  add_test(NAME ${name}.promises
           COMMAND hilda::program test-plugin $<TARGET_FILE:${name}> ${diagrams} --plugins $<TARGET_FILE_DIR:${name}>)
endfunction()
