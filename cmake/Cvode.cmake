# SPDX-License-Identifier: BSD-3-Clause
# CVODE of SUNDIALS (Debian: libsundials-dev), for solver="cvode" and "adams". Where it is not installed hilda is built
# without, and says so if it is asked for. Its static library is linked: a start loads nothing more, and the program
# runs where the package is not.
option(HILDA_CVODE "Build with CVODE where libsundials-dev is installed" ON)
find_path(sundials_INCLUDE_DIR cvode/cvode.h)
find_library(sundials_cvode_LIBRARY NAMES libsundials_cvode.a)
mark_as_advanced(sundials_INCLUDE_DIR sundials_cvode_LIBRARY)
set(hilda_cvode OFF)
if(HILDA_CVODE AND sundials_INCLUDE_DIR AND sundials_cvode_LIBRARY)
  file(STRINGS "${sundials_INCLUDE_DIR}/sundials/sundials_config.h" sundials_version REGEX "define SUNDIALS_VERSION_MAJOR 6")
  if(sundials_version)
    set(hilda_cvode ON)
  else()
    message(WARNING "Built without CVODE: ${sundials_INCLUDE_DIR} is not of SUNDIALS 6")
  endif()
endif()

# hilda_use_cvode(target): for the engine, whose files in engine/run/detail/solve/cvode are left out without it.
function(hilda_use_cvode target)
  if(NOT hilda_cvode)
    return()
  endif()
  add_library(sundials::cvode UNKNOWN IMPORTED GLOBAL)
  set_target_properties(sundials::cvode PROPERTIES IMPORTED_LOCATION "${sundials_cvode_LIBRARY}"
                                                   INTERFACE_INCLUDE_DIRECTORIES "${sundials_INCLUDE_DIR}")
  target_link_libraries(${target} PUBLIC sundials::cvode)
  set_source_files_properties("${PROJECT_SOURCE_DIR}/engine/run/detail/solve/cvode/cvode.cpp" PROPERTIES COMPILE_DEFINITIONS HILDA_CVODE)
endfunction()
