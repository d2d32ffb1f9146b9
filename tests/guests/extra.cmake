# SPDX-License-Identifier: BSD-3-Clause
# A plugin that takes what belongs to the process, and the axis of the realtime tests, which it rides on.
hilda_add_plugin(taking "${folder}/taking/taking.cpp" "${folder}/taking/talks.cpp"
                 "${folder}/taking/overruns.cpp")
set_target_properties(taking PROPERTIES LIBRARY_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/tests/guests/plugins")
add_dependencies(${test_program} taking devices hilda)
# One whose table points to nowhere, in a separate folder.
hilda_add_plugin(dangling "${folder}/dangling/dangling.c")
set_target_properties(dangling PROPERTIES LIBRARY_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/tests/guests/dangling")
add_dependencies(${test_program} dangling)
# One that was built with a sanitizer, by gcc: the program loads its runtime first.
execute_process(COMMAND "${CMAKE_C_COMPILER}" -print-file-name=libasan.so OUTPUT_VARIABLE asan OUTPUT_STRIP_TRAILING_WHITESPACE)
if(CMAKE_C_COMPILER_ID STREQUAL "GNU" AND IS_ABSOLUTE "${asan}" AND NOT HILDA_SANITIZE)
  hilda_add_plugin(sanitized "${folder}/sanitized/sanitized.c")
  target_compile_options(sanitized PRIVATE -fsanitize=address -Wno-use-after-free)
  target_link_options(sanitized PRIVATE -fsanitize=address -Wl,-z,undefs)
  set_target_properties(sanitized PROPERTIES LIBRARY_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/tests/guests/sanitized")
  add_dependencies(${test_program} sanitized)
  target_compile_definitions(${test_program} PRIVATE HILDA_ASAN="${asan}")
endif()
# One whose assignments do not fit, without Eigen's own assertions, as authors build theirs.
hilda_add_plugin(shapes "${folder}/shapes/shapes.cpp")
set_target_properties(shapes PROPERTIES DISABLE_PRECOMPILE_HEADERS ON)
target_compile_definitions(shapes PRIVATE NDEBUG)
set_target_properties(shapes PROPERTIES LIBRARY_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/tests/guests/plugins")
add_dependencies(${test_program} shapes)
# One whose ports have parts, as the studio lists them, too.
target_link_libraries(${test_program} PRIVATE hilda_studio)
hilda_add_plugin(parted "${folder}/parted/parted.cpp")
set_target_properties(parted PROPERTIES LIBRARY_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/tests/guests/plugins")
add_dependencies(${test_program} parted)
