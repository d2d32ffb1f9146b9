# SPDX-License-Identifier: BSD-3-Clause
cmake_minimum_required(VERSION 3.25)
# Fails where a file of the module FOLDER includes a header of a module that it does not use, or one of another's detail/.
# cmake -DROOT=... -DFOLDER=engine/run -DUSES=engine/base,engine/compile -DDECLARED=cmake/Engine.cmake -P check_module.cmake
string(REPLACE "," ";" USES "${USES}")
file(GLOB_RECURSE sources RELATIVE "${ROOT}" "${ROOT}/${FOLDER}/*.h" "${ROOT}/${FOLDER}/*.cpp" "${ROOT}/${FOLDER}/*.c")
set(wrong "")
foreach(source IN LISTS sources)
  file(STRINGS "${ROOT}/${source}" lines REGEX "^#include \"(engine|tools|python)/")
  foreach(line IN LISTS lines)
    string(REGEX REPLACE "^#include \"([^\"]*)\".*" "\\1" header "${line}")
    string(REGEX REPLACE "^(python|[a-z]+/[a-z_]+)/.*" "\\1" module "${header}")
    if(module STREQUAL FOLDER OR header MATCHES "^[a-z]+/modules.h$") # the latter declares namespaces alone
      continue()
    elseif(NOT module IN_LIST USES)
      string(APPEND wrong "${source} includes ${header}: ${FOLDER} does not use ${module} (${DECLARED})\n")
    elseif(header MATCHES "/detail/")
      string(APPEND wrong "${source} includes ${header}, which belongs to ${module} alone: its public headers are those in the folder itself\n")
    endif()
  endforeach()
endforeach()
if(wrong)
  message(FATAL_ERROR "${wrong}")
endif()
