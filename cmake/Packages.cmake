# SPDX-License-Identifier: BSD-3-Clause
# cpack --config build/CPackConfig.cmake: Debian packages of what is built, into build/packages (tools/packages.sh builds
# and makes them).
#
#   hilda          program  the program, its library, the standard plugins, diagrams, man pages, completions
#   hilda-dev      dev      headers, CMake and pkg-config files, the template of new plugins
#   python3-hilda  python   the Python module
#   hilda-doc      doc      the documentation
set(HILDA_MAINTAINER "The hilda authors <hilda@hilda.invalid>" CACHE STRING "Who answers for the Debian packages")
mark_as_advanced(HILDA_MAINTAINER)
find_program(HILDA_DPKG_SHLIBDEPS dpkg-shlibdeps DOC "Names the packages that binaries need; without it there are no packages")
find_program(HILDA_GZIP gzip DOC "Compresses change logs as Debian asks")
mark_as_advanced(HILDA_DPKG_SHLIBDEPS HILDA_GZIP)
if(NOT HILDA_DPKG_SHLIBDEPS OR NOT HILDA_GZIP)
  return()
endif()

set(package_version "${PROJECT_VERSION}-1")
set(package_files "${PROJECT_BINARY_DIR}/generated/packages")
file(MAKE_DIRECTORY "${package_files}")
# Of the sources, and not of the day on which they were packed.
execute_process(COMMAND git -C "${PROJECT_SOURCE_DIR}" log -1 --format=%cD OUTPUT_VARIABLE package_date
                OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
if(NOT package_date)
  set(package_date "Thu, 01 Jan 2026 00:00:00 +0000")
endif()
file(READ "${PROJECT_SOURCE_DIR}/LICENSE" licence_text)
string(REGEX REPLACE "^.*reserved\n+|^BSD[^\n]*\n+Copyright[^\n]*\n+" "" licence_text "${licence_text}")
string(REGEX REPLACE "\n\n" "\n.\n" licence_text "${licence_text}")
string(REGEX REPLACE "\n$" "" licence_text "${licence_text}")
string(REGEX REPLACE "\n" "\n " licence_text " ${licence_text}")
configure_file(cmake/packages/copyright.in "${package_files}/copyright" @ONLY)
configure_file(cmake/packages/changelog.in "${package_files}/changelog.Debian" @ONLY)
execute_process(COMMAND "${HILDA_GZIP}" -9nf "${package_files}/changelog.Debian")

set(package_names program hilda dev hilda-dev python python3-hilda doc hilda-doc)
set(components program dev doc)
if(TARGET hilda_python)
  list(APPEND components python)
endif()
foreach(component IN LISTS components)
  list(FIND package_names ${component} at)
  math(EXPR at "${at} + 1")
  list(GET package_names ${at} package)
  string(TOUPPER ${component} upper)
  set(CPACK_DEBIAN_${upper}_PACKAGE_NAME ${package})
  # In packages alone: a prefix has LICENSE and CHANGELOG.md.
  install(FILES "${package_files}/copyright" "${package_files}/changelog.Debian.gz" DESTINATION share/doc/${package}
          COMPONENT ${component} EXCLUDE_FROM_ALL)
endforeach()

set(CPACK_GENERATOR DEB)
set(CPACK_COMPONENTS_ALL ${components})
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_COMPONENTS_GROUPING IGNORE)
set(CPACK_PACKAGE_NAME hilda)
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "") # else it would be the first line of each description
set(CPACK_PACKAGE_CONTACT "${HILDA_MAINTAINER}")
set(CPACK_PACKAGE_VERSION "${PROJECT_VERSION}")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_OUTPUT_FILE_PREFIX packages)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_RELEASE 1)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS_PRIVATE_DIRS "${PROJECT_BINARY_DIR}/lib/hilda")
if(HILDA_ARM64_ROOT)
  set(CPACK_DEBIAN_PACKAGE_ARCHITECTURE arm64)
  list(APPEND CPACK_DEBIAN_PACKAGE_SHLIBDEPS_PRIVATE_DIRS "${HILDA_ARM64_ROOT}/usr/lib/aarch64-linux-gnu"
                                                         "${HILDA_ARM64_ROOT}/lib/aarch64-linux-gnu")
endif()
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ
                                                WORLD_EXECUTE)

set(CPACK_DEBIAN_PROGRAM_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PROGRAM_DESCRIPTION "block diagrams in closed loop with robots and force sensors
hilda runs block diagrams: first in simulation, then the same file on a robot.
A diagram is an XML file, a block is a plugin in C++ or C. Units, shapes and
algebraic loops are checked before the first step; the same file gives the
same bits every time.

This package contains the program with its studio (a page in a browser), the
standard blocks, drivers for KUKA RSI and ATI Net F/T, and ready diagrams.")
set(CPACK_DEBIAN_PROGRAM_PACKAGE_RECOMMENDS "fonts-dejavu-core, librsvg2-bin, xdg-utils")
set(CPACK_DEBIAN_PROGRAM_PACKAGE_SUGGESTS "hilda-dev, hilda-doc, python3-hilda")
if(HILDA_MATIO AND matio_file)
  string(APPEND CPACK_DEBIAN_PROGRAM_PACKAGE_RECOMMENDS ", libmatio11")
endif()
set(CPACK_DEBIAN_DEV_PACKAGE_SECTION devel)
set(CPACK_DEBIAN_DEV_DESCRIPTION "headers and build files for plugins of hilda
hilda runs block diagrams in closed loop with robots and force sensors.

This package contains what blocks of your own need: headers of the SDK and of
the binary interface, files for CMake and pkg-config, the mathematical
functions, and the template of `hilda new-plugin`.")
set(CPACK_DEBIAN_DEV_PACKAGE_DEPENDS "hilda (= ${package_version}), libeigen3-dev")
set(CPACK_DEBIAN_DEV_PACKAGE_RECOMMENDS "cmake, g++, libgtest-dev, make")
set(CPACK_DEBIAN_DEV_PACKAGE_SHLIBDEPS OFF)
set(CPACK_DEBIAN_DOC_PACKAGE_SECTION doc)
set(CPACK_DEBIAN_DOC_DESCRIPTION "documentation of hilda
hilda runs block diagrams in closed loop with robots and force sensors.

This package contains the guides, the reference of the file format and of the
plugin boundary, and what has changed.")
set(CPACK_DEBIAN_DOC_PACKAGE_ARCHITECTURE all)
set(CPACK_DEBIAN_DOC_PACKAGE_SHLIBDEPS OFF)
set(CPACK_DEBIAN_PYTHON_PACKAGE_SECTION python)
set(CPACK_DEBIAN_PYTHON_DESCRIPTION "Python module of hilda
hilda runs block diagrams in closed loop with robots and force sensors.

This package contains the module: simulations, logs, studies and diagrams
from Python, with NumPy arrays.")
execute_process(COMMAND "${HILDA_PYTHON}" -c "import sys; print(sys.version_info.minor)" OUTPUT_VARIABLE python_minor
                OUTPUT_STRIP_TRAILING_WHITESPACE)
math(EXPR next_python "${python_minor} + 1")
set(CPACK_DEBIAN_PYTHON_PACKAGE_DEPENDS "hilda (= ${package_version}), python3 (>= 3.${python_minor}), \
python3 (<< 3.${next_python}), python3-numpy")
set(CPACK_DEBIAN_PYTHON_PACKAGE_CONTROL_EXTRA "${PROJECT_SOURCE_DIR}/cmake/packages/postinst"
                                              "${PROJECT_SOURCE_DIR}/cmake/packages/prerm")
include(CPack)
