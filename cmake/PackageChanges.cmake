# SPDX-License-Identifier: BSD-3-Clause
# Packages that are installed or removed after the first configuration are noticed by the next build.
#
# CMake runs again when a package manager's record is newer than the build files: some seconds once an installation. What
# an earlier run found and is no longer there is looked for again; CMake itself keeps a path that it has found for ever.
if(NOT DEFINED hilda_package_records)
  set(hilda_package_records /var/lib/dpkg/status /usr/local/lib /usr/local/include)
endif()
foreach(record IN LISTS hilda_package_records)
  if(EXISTS "${record}")
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${record}")
  endif()
endforeach()

get_cmake_property(known CACHE_VARIABLES)
foreach(name IN LISTS known)
  get_property(text CACHE ${name} PROPERTY HELPSTRING)
  # As find_path, find_file, find_library and find_program describe theirs, and the two of hilda's own that say more.
  if(NOT text MATCHES "^Path to a (file|library|program)" AND NOT name MATCHES "^(HILDA_MUSL_LIBC|HILDA_LD)$")
    continue()
  endif()
  if(IS_ABSOLUTE "${${name}}" AND NOT EXISTS "${${name}}")
    message(STATUS "${${name}} is gone: ${name} is looked for again")
    unset(${name} CACHE)
  endif()
endforeach()
