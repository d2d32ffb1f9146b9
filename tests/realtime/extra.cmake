# SPDX-License-Identifier: BSD-3-Clause
# The trap library, and the program that offends on purpose. The sanitizers replace malloc themselves and suffer no
# second one, so their builds go without; the tests then skip.
if(NOT HILDA_SANITIZE)
  # The kernel's names of system calls, from the compiler's own headers.
  execute_process(COMMAND ${CMAKE_C_COMPILER} -dM -E -include sys/syscall.h -x c /dev/null
                  OUTPUT_VARIABLE system_call_macros COMMAND_ERROR_IS_FATAL ANY)
  string(REGEX MATCHALL "#define SYS_[a-z0-9_]+ " system_calls "${system_call_macros}")
  list(TRANSFORM system_calls REPLACE "#define SYS_([a-z0-9_]+) " "{SYS_\\1, \"\\1\"},\n")
  list(JOIN system_calls "" system_calls)
  file(CONFIGURE OUTPUT "${CMAKE_CURRENT_BINARY_DIR}/realtime/system_call_names.inc" CONTENT "${system_calls}")

  file(GLOB trap_sources CONFIGURE_DEPENDS "${folder}/trap/*.cpp")
  add_library(hilda_trap MODULE ${trap_sources})
  target_include_directories(hilda_trap PRIVATE "${CMAKE_CURRENT_BINARY_DIR}/realtime")
  target_link_libraries(hilda_trap PRIVATE ${CMAKE_DL_LIBS})
  set_target_properties(hilda_trap PROPERTIES LIBRARY_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/tests/realtime")

  add_executable(offend "${folder}/offend/offend.cpp" "${PROJECT_SOURCE_DIR}/engine/run/detail/loop/loop_trap.cpp")
  target_include_directories(offend PRIVATE "${PROJECT_SOURCE_DIR}")
  target_link_libraries(offend PRIVATE Threads::Threads ${CMAKE_DL_LIBS})
  # The optimiser would drop an allocation that nothing reads.
  target_compile_options(offend PRIVATE -O0 -fno-builtin)
  set_target_properties(offend PROPERTIES RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/tests/realtime")

  add_dependencies(${test_program} hilda_trap offend)
endif()

hilda_add_plugin(misbehaving "${folder}/misbehaving/misbehave.cpp")
set_target_properties(misbehaving PROPERTIES LIBRARY_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/tests/realtime/plugins")
add_dependencies(${test_program} misbehaving)

hilda_add_plugin(unsafe "${folder}/unsafe/unsafe.c")
set_target_properties(unsafe PROPERTIES LIBRARY_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/tests/realtime/plugins")
add_dependencies(${test_program} unsafe)

# A device that paces a loop, and a block that keeps it from its time.
file(GLOB device_sources CONFIGURE_DEPENDS "${folder}/devices/*.cpp")
hilda_add_plugin(devices ${device_sources})
set_target_properties(devices PROPERTIES LIBRARY_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/tests/realtime/plugins")
add_dependencies(${test_program} devices hilda hilda_plugins)
# A device of 4 ms on its own thread, of which so many cycles have to be answered.
foreach(test WithoutArmHoldsTheDeviceWhereItIsAndSaysSo ArmedBeginsWhereTheDeviceStandsAndEndsAtRest SaysWhatTheLoopDid
             StopsByTheRampWhenTheOperatorWantsIt DryRunDoesAllButSend)
  list(APPEND alone PacedRun.${test})
endforeach()
