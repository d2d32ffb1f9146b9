# SPDX-License-Identifier: BSD-3-Clause
# matio (Debian: libmatio-dev), for blocks that play a signal of a MAT file. Where it is not installed hilda is built
# without, and says so if it is asked for. It is not linked: with the HDF5 library behind it it would bring 30
# shared libraries into every start. The one of this name is opened when a MAT file is read.
option(HILDA_MATIO "Read MAT files where libmatio-dev is installed" ON)
find_path(matio_header_DIR matio.h)
find_library(matio_file NAMES libmatio.so)
mark_as_advanced(matio_header_DIR matio_file)

# hilda_use_matio(): for engine/log/detail/recordings/matio.cpp.
function(hilda_use_matio)
  if(NOT HILDA_MATIO OR NOT matio_header_DIR OR NOT matio_file)
    return()
  endif()
  file(REAL_PATH "${matio_file}" library)
  get_filename_component(library "${library}" NAME)
  string(REGEX MATCH "^libmatio\\.so\\.[0-9]+" library "${library}") # "libmatio.so.11" of "libmatio.so.11.0.4"
  if(library)
    set(source "${PROJECT_SOURCE_DIR}/engine/log/detail/recordings/matio.cpp")
    set_source_files_properties("${source}" PROPERTIES COMPILE_DEFINITIONS HILDA_MATIO_LIBRARY="${library}")
    # A compiler that is given its standard folders looks there too early, and no longer finds the next of two stdlib.h.
    if(NOT matio_header_DIR IN_LIST CMAKE_CXX_IMPLICIT_INCLUDE_DIRECTORIES)
      set_source_files_properties("${source}" PROPERTIES INCLUDE_DIRECTORIES "${matio_header_DIR}")
    endif()
  endif()
endfunction()
