# SPDX-License-Identifier: BSD-3-Clause
# What every file of the project is compiled with.
set(CMAKE_C_STANDARD 11)
set(CMAKE_CXX_STANDARD 20)
set(CMAKE_C_STANDARD_REQUIRED ON)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_C_EXTENSIONS OFF)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
if(HILDA_SANITIZE)
  set(optimisation "-O1 -g1")
else()
  set(optimisation "-O2 -g1")
endif()
set(CMAKE_C_FLAGS_RELWITHDEBINFO "${optimisation}")
set(CMAKE_CXX_FLAGS_RELWITHDEBINFO "${optimisation}")

# A fused multiply-add rounds once where the source rounds twice, so results would depend on the machine.
add_compile_options(-ffp-contract=off)
# Eigen would ask for it by name on arm64.
if(CMAKE_SYSTEM_PROCESSOR STREQUAL "aarch64")
  add_compile_options("$<$<COMPILE_LANGUAGE:CXX>:SHELL:-include ${PROJECT_SOURCE_DIR}/plugins/sdk/hilda/unfused.h>")
endif()
# Where the sources and the build lie is not a part of the result: two builds are equal byte for byte.
# ccache gives the compiler paths relative to the build folder: they are mapped alike.
file(RELATIVE_PATH sources_from_build "${PROJECT_BINARY_DIR}" "${PROJECT_SOURCE_DIR}")
string(REGEX REPLACE "/$" "" sources_from_build "${sources_from_build}")
add_compile_options(-ffile-prefix-map=${PROJECT_SOURCE_DIR}=. -ffile-prefix-map=${PROJECT_BINARY_DIR}=build)
if(sources_from_build)
  add_compile_options(-ffile-prefix-map=${sources_from_build}=.)
endif()

# Position-independent programs whose tables of addresses are read-only once they are linked, with canaries before
# return addresses and checked copies.
include(CheckPIESupported)
check_pie_supported()
add_link_options(-Wl,-z,relro,-z,now)
# What nothing calls is left out.
add_link_options(-Wl,--gc-sections)
add_link_options(-Wl,-z,pack-relative-relocs)
if(NOT HILDA_SANITIZE)
  add_compile_options(-fstack-protector-strong)
  if(CMAKE_BUILD_TYPE MATCHES "^Rel")
    add_compile_options(-U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=2)
  endif()
endif()

add_compile_options(-Wall -Wextra -Wpedantic -Wconversion -Wshadow)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  add_compile_options(-Werror)
  # g++ 12 finds these in its own library and in Eigen once they are inlined (string concatenation, small vectors):
  # what they say is not true there, and clang and the sanitizers look for the same.
  add_compile_options($<$<COMPILE_LANGUAGE:CXX>:-Wno-restrict> $<$<COMPILE_LANGUAGE:CXX>:-Wno-array-bounds>
                      $<$<COMPILE_LANGUAGE:CXX>:-Wno-stringop-overflow> $<$<COMPILE_LANGUAGE:CXX>:-Wno-maybe-uninitialized>)
endif()

if(HILDA_SANITIZE)
  add_compile_options(-fsanitize=${HILDA_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
  add_link_options(-fsanitize=${HILDA_SANITIZE})
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    # With the sanitizers' extra branches these two warn of paths that do not exist.
    add_compile_options(-Wno-maybe-uninitialized -Wno-stringop-overflow)
  endif()
endif()
if(HILDA_FUZZERS)
  add_compile_options(-fsanitize=fuzzer-no-link)
endif()
