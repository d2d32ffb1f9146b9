# SPDX-License-Identifier: BSD-3-Clause
# ccache in front of the compiler, where it is installed.
find_program(CCACHE_PROGRAM ccache)
if(CCACHE_PROGRAM AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  set(cached_compiler "${PROJECT_SOURCE_DIR}/cmake/cached_compiler.sh" ${CCACHE_PROGRAM} "${PROJECT_SOURCE_DIR}")
  set(CMAKE_C_COMPILER_LAUNCHER ${cached_compiler})
  set(CMAKE_CXX_COMPILER_LAUNCHER ${cached_compiler})
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    add_compile_options($<$<COMPILE_LANGUAGE:CXX>:-fpch-preprocess>)
  elseif(CMAKE_CXX_COMPILER_ID MATCHES "Clang")
    # A precompiled header out of the cache is older than the headers that it holds, and is still right.
    add_compile_options("$<$<COMPILE_LANGUAGE:CXX>:SHELL:-Xclang -fno-pch-timestamp>")
  endif()
endif()
