# SPDX-License-Identifier: BSD-3-Clause
# Builds for arm64 (AArch64 with glibc, such as Jetson and Raspberry Pi 4 and 5 with 64 bits) on another Debian 12:
#
#     tools/arm64.sh root
#     cmake -S . -B build-arm64 -G Ninja --toolchain cmake/aarch64-linux-gnu.cmake
#
# HILDA_ARM64_ROOT, in the environment or as a setting, is a folder with Debian's arm64 packages, build-arm64/root by default.
# The build runs its own program (help pages, schemas) by qemu-aarch64 (Debian: qemu-user).
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR aarch64)
if(NOT HILDA_ARM64_ROOT)
  if(DEFINED ENV{HILDA_ARM64_ROOT})
    set(HILDA_ARM64_ROOT "$ENV{HILDA_ARM64_ROOT}")
  else()
    get_filename_component(HILDA_ARM64_ROOT "${CMAKE_CURRENT_LIST_DIR}/../build-arm64/root" ABSOLUTE)
  endif()
endif()
if(NOT EXISTS "${HILDA_ARM64_ROOT}/usr/lib/aarch64-linux-gnu")
  message(FATAL_ERROR "There are no arm64 packages in ${HILDA_ARM64_ROOT}: run 'tools/arm64.sh root ${HILDA_ARM64_ROOT}'")
endif()
set(HILDA_ARM64_ROOT "${HILDA_ARM64_ROOT}" CACHE PATH "Debian's arm64 packages, as tools/arm64.sh unpacks them")
if(EXISTS "${HILDA_ARM64_ROOT}/musl/src/math")
  set(HILDA_MUSL_SOURCE "${HILDA_ARM64_ROOT}/musl" CACHE PATH "musl's source: the same bits as on x86-64")
endif()
# The interpreter cannot be asked for these: it belongs to this system.
file(GLOB python_headers "${HILDA_ARM64_ROOT}/usr/include/python3.*")
if(python_headers)
  set(Python_INCLUDE_DIR "${python_headers}" CACHE PATH "Headers of the Python that the module is built for")
  string(REGEX REPLACE "^.*/python3\\." "" python_minor "${python_headers}")
  set(HILDA_PYTHON_SUFFIX ".cpython-3${python_minor}-aarch64-linux-gnu.so" CACHE STRING "The end of the module's name")
endif()
list(APPEND CMAKE_TRY_COMPILE_PLATFORM_VARIABLES HILDA_ARM64_ROOT)

set(CMAKE_SYSROOT "${HILDA_ARM64_ROOT}")
set(CMAKE_C_COMPILER aarch64-linux-gnu-gcc)
set(CMAKE_CXX_COMPILER aarch64-linux-gnu-g++)
set(CMAKE_LIBRARY_ARCHITECTURE aarch64-linux-gnu)
set(HILDA_LD aarch64-linux-gnu-ld.bfd CACHE STRING "The linker of binutils")
set(CMAKE_CROSSCOMPILING_EMULATOR qemu-aarch64 -L "${HILDA_ARM64_ROOT}")

set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE ONLY)
