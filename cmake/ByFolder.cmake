# SPDX-License-Identifier: BSD-3-Clause
# hilda_compile_by_folder(target sources...): with HILDA_BY_FOLDER, the sources of a folder are compiled as one.
#
# The headers take most of a first build; so a folder reads them once. No two things of an unnamed namespace in a folder
# may share a name.
function(hilda_compile_by_folder target)
  if(NOT HILDA_BY_FOLDER)
    return()
  endif()
  foreach(source IN LISTS ARGN)
    get_filename_component(folder "${source}" DIRECTORY)
    file(RELATIVE_PATH folder "${PROJECT_SOURCE_DIR}" "${folder}")
    string(REPLACE "/" "_" folder "${folder}")
    set_source_files_properties("${source}" PROPERTIES UNITY_GROUP "${folder}")
  endforeach()
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
  # A local name may be that of a thing of another file.
  target_compile_options(${target} PRIVATE $<$<COMPILE_LANGUAGE:CXX>:-Wno-shadow> $<$<COMPILE_LANG_AND_ID:CXX,GNU>:-Wshadow=local>)
endfunction()

# hilda_compile_in_batches(target size): with HILDA_BY_FOLDER, its sources are compiled as many at a time. For tests: they
# share what templates of GoogleTest they use, and a batch is small enough for two processors and for a change of one file.
function(hilda_compile_in_batches target size)
  if(NOT HILDA_BY_FOLDER)
    return()
  endif()
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE BATCH UNITY_BUILD_BATCH_SIZE ${size})
  target_compile_options(${target} PRIVATE $<$<COMPILE_LANGUAGE:CXX>:-Wno-shadow> $<$<COMPILE_LANG_AND_ID:CXX,GNU>:-Wshadow=local>)
endfunction()

# hilda_optimise(target sources...): tests whose own computation takes most of their time, such as an independent integrator.
# The rest of the tests is compiled without optimisation, for a shorter build. The linker takes a template's function from
# the first object that has it, so these come first: as options of the link, for batches come before all other sources.
function(hilda_optimise target)
  if(HILDA_SANITIZE)
    return()
  endif()
  get_target_property(sources ${target} SOURCES)
  list(REMOVE_ITEM sources ${ARGN})
  set_target_properties(${target} PROPERTIES SOURCES "${sources}")
  set(optimised ${target}_optimised)
  add_library(${optimised} OBJECT ${ARGN})
  get_target_property(libraries ${target} LINK_LIBRARIES)
  target_link_libraries(${optimised} PRIVATE ${libraries})
  set_target_properties(${optimised} PROPERTIES POSITION_INDEPENDENT_CODE OFF)
  target_compile_options(${optimised} PRIVATE -fPIE -O2)
  target_link_options(${target} BEFORE PRIVATE $<TARGET_OBJECTS:${optimised}>)
  set_property(TARGET ${target} APPEND PROPERTY LINK_DEPENDS $<TARGET_OBJECTS:${optimised}>)
  add_dependencies(${target} ${optimised})
endfunction()
