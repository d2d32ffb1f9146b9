# SPDX-License-Identifier: BSD-3-Clause
# hilda_docs builds the documentation as a site, build/docs/site/index.html, where mkdocs is installed; installed if built,
# in the package hilda-doc, where `hilda docs` finds it.
find_program(HILDA_MKDOCS mkdocs)
find_package(Python3 COMPONENTS Interpreter)
if(HILDA_MKDOCS AND Python3_FOUND AND TARGET hilda)
  add_custom_target(hilda_docs COMMAND ${Python3_EXECUTABLE} "${PROJECT_SOURCE_DIR}/tools/docs/build_site.py"
                                       "${PROJECT_BINARY_DIR}" --hilda ${run_hilda} VERBATIM)
  add_dependencies(hilda_docs hilda)
  if(TARGET hilda_plugins)
    add_dependencies(hilda_docs hilda_plugins)
  endif()
  install(DIRECTORY "${PROJECT_BINARY_DIR}/docs/site" DESTINATION share/doc/hilda COMPONENT doc OPTIONAL)
else()
  message(STATUS "No site of the documentation: mkdocs is not installed")
endif()
