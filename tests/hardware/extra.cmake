# SPDX-License-Identifier: BSD-3-Clause
# The diagrams are made of the standard plugins; cells and their other ends are runs of the program itself. A block
# that never returns is one of the realtime tests' plugin.
add_dependencies(${test_program} hilda hilda_plugins devices)
# What the programs keep time by, where a test gives them its own time. The sanitizers' own code must not be in it:
# it is loaded before them.
add_library(own_time MODULE "${folder}/clock/preloaded.cpp")
target_include_directories(own_time PRIVATE "${PROJECT_SOURCE_DIR}")
target_link_libraries(own_time PRIVATE ${CMAKE_DL_LIBS})
if(HILDA_SANITIZE)
  target_compile_options(own_time PRIVATE -fno-sanitize=all)
  target_link_options(own_time PRIVATE -fno-sanitize=all)
endif()
set_target_properties(own_time PROPERTIES PREFIX "" LIBRARY_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/tests/hardware")
add_dependencies(${test_program} own_time)
# A person at a console, and a device that is paced by the timer.
foreach(test AChangePassesTheSafetyStageWhichEndsTheRunWhereItAsksTooMuch OnTheWayToRestNothingIsTaken
             WhatIsFixedOrWrongIsRefusedAndTheRunGoesOn ARateOfTheDiagramKeepsAHandFromAskingTooMuch)
  list(APPEND alone LiveHardware.${test})
endforeach()
