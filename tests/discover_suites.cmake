# SPDX-License-Identifier: BSD-3-Clause
# Included by ctest, with program, prefix, by_case and timeout set: an entry of ctest for each suite of a GoogleTest program.
#
# A process starts once for a suite, not once for a case. The suites of by_case, whose cases may be skipped, have an entry
# for each case; a case that is skipped in another suite is a failure, as no one would see it.
if(NOT EXISTS "${program}")
  add_test("${prefix}NOT_BUILT" "${prefix}NOT_BUILT")
  return()
endif()
execute_process(COMMAND "${program}" --gtest_list_tests OUTPUT_VARIABLE listed RESULT_VARIABLE failed TIMEOUT 60)
if(failed)
  message(FATAL_ERROR "${program} --gtest_list_tests: ${failed}\n${listed}")
endif()
# A value that a case is called with may hold what a list of cmake's is parted by.
string(REPLACE ";" " " listed "${listed}")
string(REPLACE "[" " " listed "${listed}")
string(REPLACE "]" " " listed "${listed}")
string(REPLACE "\n" ";" listed "${listed}")

set(suite "")
foreach(line IN LISTS listed)
  if(line MATCHES "^([A-Za-z0-9_/]+)\\.")
    set(suite "${CMAKE_MATCH_1}")
    string(REGEX REPLACE "^[^/]+/([A-Za-z_])" "\\1" plain "${suite}") # of a parameterised suite
    string(REGEX REPLACE "/[0-9]+$" "" plain "${plain}") # of a typed one
    list(FIND by_case "${plain}" found)
    if(found EQUAL -1)
      add_test("${prefix}${suite}" "${program}" "--gtest_filter=${suite}.*")
      set_tests_properties("${prefix}${suite}" PROPERTIES TIMEOUT ${timeout} FAIL_REGULAR_EXPRESSION "\\[  SKIPPED \\]")
    endif()
  elseif(line MATCHES "^  ([^ ]+)" AND NOT found EQUAL -1)
    set(case "${suite}.${CMAKE_MATCH_1}")
    add_test("${prefix}${case}" "${program}" "--gtest_filter=${case}")
    set_tests_properties("${prefix}${case}" PROPERTIES TIMEOUT ${timeout} SKIP_REGULAR_EXPRESSION "\\[  SKIPPED \\]")
  endif()
endforeach()
