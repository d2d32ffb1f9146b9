# SPDX-License-Identifier: BSD-3-Clause
# hilda_drop_unused(target): the linker can leave out each function of the target that nothing calls.
# hilda_compile_small(target): that, and for code that runs seldom: it becomes a third smaller, and is compiled sooner.
function(hilda_drop_unused target)
  target_compile_options(${target} PRIVATE -ffunction-sections -fdata-sections)
endfunction()

function(hilda_compile_small target)
  hilda_drop_unused(${target})
  if(CMAKE_BUILD_TYPE MATCHES "^Rel" AND NOT HILDA_SANITIZE)
    target_compile_options(${target} PRIVATE -Os)
  endif()
endfunction()

# hilda_compile_fast(sources...): of such a target, sources that compute for long, such as a search for ways.
function(hilda_compile_fast)
  if(CMAKE_BUILD_TYPE MATCHES "^Rel" AND NOT HILDA_SANITIZE)
    set_source_files_properties(${ARGN} PROPERTIES COMPILE_OPTIONS -O2 SKIP_PRECOMPILE_HEADERS ON SKIP_UNITY_BUILD_INCLUSION ON)
  endif()
endfunction()
