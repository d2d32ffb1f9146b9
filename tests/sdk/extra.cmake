# SPDX-License-Identifier: BSD-3-Clause
# The entry point that every plugin carries, in a separate program.
target_sources(${test_program} PRIVATE "${PROJECT_SOURCE_DIR}/plugins/sdk/entry.cpp"
                                       "${PROJECT_SOURCE_DIR}/plugins/sdk/raises_flags.cpp")
target_compile_definitions(${test_program} PRIVATE HILDA_PLUGIN_NAME="tests_sdk" HILDA_PLUGIN_VERSION="1.2.3")

# What does not compile, and what does with another standard library: compiled by the tests.
set(sdk_compile -std=c++20 -Wall -Wextra -I${HILDA_ABI_INCLUDE_DIR} -I${HILDA_SDK_INCLUDE_DIR} -I${PROJECT_SOURCE_DIR}
                -isystem $<TARGET_PROPERTY:Eigen3::Eigen,INTERFACE_INCLUDE_DIRECTORIES>)
if(NOT HILDA_SANITIZE)
  add_test(NAME sdk.mistakes COMMAND "${HILDA_SCRIPT_PYTHON}" ${folder}/mistakes.py ${folder}/compiled/mistakes.cpp
                                     ${CMAKE_CXX_COMPILER} ${sdk_compile} COMMAND_EXPAND_LISTS)
  # The examples of docs/sdk.md as a plugin.
  set(guide_source "${PROJECT_BINARY_DIR}/generated/guide.cpp")
  add_custom_command(OUTPUT "${guide_source}"
                     COMMAND "${HILDA_SCRIPT_PYTHON}" ${folder}/guide.py --source ${PROJECT_SOURCE_DIR} "${guide_source}"
                     DEPENDS ${folder}/guide.py ${PROJECT_SOURCE_DIR}/docs/sdk.md VERBATIM)
  hilda_add_plugin(guide "${guide_source}")
  target_compile_options(guide PRIVATE -Wall -Wextra -Werror -O0 -g0)
  set_target_properties(guide PROPERTIES DISABLE_PRECOMPILE_HEADERS ON LIBRARY_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/tests/sdk/guide")
  add_dependencies(${test_program} guide hilda hilda_plugins)
  add_test(NAME sdk.guide COMMAND "${HILDA_SCRIPT_PYTHON}" ${folder}/guide.py ${PROJECT_SOURCE_DIR} $<TARGET_FILE:hilda>
                                  $<TARGET_FILE_DIR:guide>)
  find_program(HILDA_CLANG clang++)
  find_path(HILDA_LIBCXX __config PATHS /usr/lib/llvm-14/include/c++/v1 /usr/include/c++/v1 NO_DEFAULT_PATH)
  if(HILDA_CLANG AND NOT CMAKE_CXX_COMPILER_ID MATCHES "Clang")
    add_test(NAME sdk.mistakes_clang COMMAND "${HILDA_SCRIPT_PYTHON}" ${folder}/mistakes.py ${folder}/compiled/mistakes.cpp
                                             ${HILDA_CLANG} ${sdk_compile} COMMAND_EXPAND_LISTS)
  endif()
  if(HILDA_CLANG AND HILDA_LIBCXX)
    add_test(NAME sdk.libcxx COMMAND ${HILDA_CLANG} -stdlib=libc++ -DHILDA_PLUGIN_NAME="libcxx" ${sdk_compile} -fsyntax-only
                                     ${folder}/compiled/other_library.cpp COMMAND_EXPAND_LISTS)
  endif()
endif()
