# SPDX-License-Identifier: BSD-3-Clause
# Plugins for these tests, good and bad, in build/tests/abi/plugins.
set(abi_plugins "${PROJECT_BINARY_DIR}/tests/abi/plugins")

# A shared library of one source, without what hilda_add_plugin does for plugins.
function(bare_library name source)
  add_library(${name} MODULE "${folder}/plugins/${source}")
  target_link_libraries(${name} PRIVATE hilda::sdk)
  set_target_properties(${name} PROPERTIES PREFIX "" SUFFIX ".so" LIBRARY_OUTPUT_DIRECTORY "${abi_plugins}")
  add_dependencies(${test_program} ${name})
endfunction()

# A plugin as any author would make it.
function(good_plugin name source)
  hilda_add_plugin(${name} "${folder}/plugins/${source}")
  set_target_properties(${name} PROPERTIES LIBRARY_OUTPUT_DIRECTORY "${abi_plugins}")
  add_dependencies(${test_program} ${name})
endfunction()

bare_library(no_entry no_entry.c)
bare_library(no_table no_table.c)
bare_library(malformed malformed.c)
bare_library(unresolved unresolved.c)
bare_library(throwing_entry throwing_entry.cpp)
bare_library(throwing_static throwing_static.cpp)
bare_library(memoryless_static throwing_static.cpp)
target_compile_definitions(memoryless_static PRIVATE WITHOUT_MEMORY)
bare_library(fast_math no_table.c)
target_link_options(fast_math PRIVATE -ffast-math)
bare_library(unguarded unguarded.cpp)
bare_library(odd_blocks unguarded.cpp)
target_compile_definitions(odd_blocks PRIVATE WITH_ODD_BLOCKS)
bare_library(rounding_entry rounding_entry.c)
target_link_libraries(rounding_entry PRIVATE m)
bare_library(twin_one twin.c)
target_compile_definitions(twin_one PRIVATE TWIN_NAME="twin_one" TWIN_FACTOR=1.0)
bare_library(twin_two twin.c)
target_compile_definitions(twin_two PRIVATE TWIN_NAME="twin_two" TWIN_FACTOR=2.0)
# Plugins that find libfactor.so.1 by their own search paths: of version 1, of version 2, and a copy of version 1.
foreach(version 1 2)
  add_library(factor_${version} SHARED "${folder}/plugins/factor.c")
  target_compile_definitions(factor_${version} PRIVATE FACTOR=${version}.0)
  set_target_properties(factor_${version} PROPERTIES OUTPUT_NAME factor SOVERSION 1
                        LIBRARY_OUTPUT_DIRECTORY "${abi_plugins}/factor_${version}")
  bare_library(needs_factor_${version} twin.c)
  target_compile_definitions(needs_factor_${version} PRIVATE TWIN_NAME="needs_factor_${version}" TWIN_LIBRARY)
  target_link_libraries(needs_factor_${version} PRIVATE factor_${version})
endforeach()
good_plugin(lag lag.c)
target_link_libraries(lag PRIVATE m)
good_plugin(parts parts.c)
good_plugin(scale_gcc scale.cpp)
good_plugin(throwing throwing.cpp)
# The sources of the frozen binaries, built now: both must give the same bits.
foreach(source frozen_c.c frozen_cpp.cpp frozen_attach.c)
  get_filename_component(name "${source}" NAME_WE)
  hilda_add_plugin(${name} "${folder}/frozen/sources/${source}")
  # they were written before the boundary's tables grew, as a stranger's are
  target_compile_options(${name} PRIVATE -Wno-missing-field-initializers)
  target_link_libraries(${name} PRIVATE m)
  set_target_properties(${name} PROPERTIES LIBRARY_OUTPUT_DIRECTORY "${abi_plugins}/frozen")
  add_dependencies(${test_program} ${name})
endforeach()
# The sanitizers' own libraries must be there where an instrumented library leaves its symbols open.
if(HILDA_SANITIZE)
  target_compile_options(unresolved PRIVATE -fno-sanitize=all)
endif()

# The same plugin by another compiler with other flags. Where clang++ is missing its test says so and is skipped.
find_program(HILDA_OTHER_COMPILER clang++)
if(HILDA_OTHER_COMPILER AND NOT HILDA_SANITIZE)
  function(clang_plugin name)
    set(library "${abi_plugins}/${name}.so")
    add_custom_command(
      OUTPUT "${library}"
      COMMAND "${CMAKE_COMMAND}" -E make_directory "${abi_plugins}"
      COMMAND "${HILDA_OTHER_COMPILER}" -std=c++20 -shared -fPIC -fvisibility=hidden ${ARGN}
              "-DHILDA_PLUGIN_NAME=\"${name}\"" "-I${HILDA_ABI_INCLUDE_DIR}" "-I${HILDA_SDK_INCLUDE_DIR}" -isystem
              "$<JOIN:$<TARGET_PROPERTY:Eigen3::Eigen,INTERFACE_INCLUDE_DIRECTORIES>,;-isystem;>"
              "${folder}/plugins/scale.cpp" "${HILDA_PLUGIN_ENTRY}" -o "${library}"
      DEPENDS "${folder}/plugins/scale.cpp" "${HILDA_PLUGIN_ENTRY}" "${HILDA_ABI_INCLUDE_DIR}/hilda/abi.h"
              "${HILDA_SDK_INCLUDE_DIR}/hilda/plugin.h" "${HILDA_SDK_INCLUDE_DIR}/hilda/thunks.h"
              "${HILDA_SDK_INCLUDE_DIR}/hilda/slots.h"
      COMMAND_EXPAND_LISTS VERBATIM)
    add_custom_target(${name}_plugin DEPENDS "${library}")
    add_dependencies(${test_program} ${name}_plugin)
  endfunction()
  clang_plugin(scale_clang_debug -O0 -g)
  clang_plugin(scale_clang_native -O3 -march=native)
  target_compile_definitions(${test_program} PRIVATE HILDA_HAS_OTHER_COMPILER)
endif()

target_compile_definitions(${test_program} PRIVATE HILDA_NM="${CMAKE_NM}")
foreach(needed hilda sources math routing)
  if(TARGET ${needed})
    add_dependencies(${test_program} ${needed})
  endif()
endforeach()
