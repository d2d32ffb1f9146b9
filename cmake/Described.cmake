# SPDX-License-Identifier: BSD-3-Clause
# What the program says of itself, written into the build folder: man pages and completions (its help), schemas, the SBOM.
find_program(HILDA_SCRIPT_PYTHON python3 DOC "The Python that runs tools/help_pages.py and tools/third_party.py")
mark_as_advanced(HILDA_SCRIPT_PYTHON)
set(help_folder "${PROJECT_BINARY_DIR}/help")
set(sbom_file "${PROJECT_BINARY_DIR}/share/hilda/sbom.spdx.json")
file(MAKE_DIRECTORY "${PROJECT_BINARY_DIR}/share/hilda")

if(TARGET hilda AND TARGET hilda_plugins)
  set(schemas "${PROJECT_BINARY_DIR}/share/hilda/diagram.rng" "${PROJECT_BINARY_DIR}/share/hilda/diagram.xsd")
  add_custom_command(
    OUTPUT ${schemas}
    COMMAND ${CMAKE_COMMAND} -E env --unset=HILDA_PLUGIN_PATH XDG_DATA_HOME=${PROJECT_BINARY_DIR} ${run_hilda}
            schema -o diagram.rng
    COMMAND ${CMAKE_COMMAND} -E env --unset=HILDA_PLUGIN_PATH XDG_DATA_HOME=${PROJECT_BINARY_DIR} ${run_hilda}
            schema --xsd -o diagram.xsd
    WORKING_DIRECTORY "${PROJECT_BINARY_DIR}/share/hilda"
    DEPENDS hilda hilda_plugins
    VERBATIM)
  add_custom_target(hilda_schema ALL DEPENDS ${schemas})
endif()

if(TARGET hilda AND TARGET hilda_plugins AND HILDA_SCRIPT_PYTHON AND NOT HILDA_SANITIZE)
  set(script "${PROJECT_SOURCE_DIR}/tools/help_pages.py")
  add_custom_command(
    OUTPUT "${help_folder}/hilda"
    BYPRODUCTS "${help_folder}/_hilda" "${help_folder}/hilda.fish"
    COMMAND "${HILDA_SCRIPT_PYTHON}" "${script}" --hilda ${run_hilda} --output "${help_folder}"
    DEPENDS hilda "${script}"
    VERBATIM)
  set(script "${PROJECT_SOURCE_DIR}/tools/third_party.py")
  set(binaries hilda hilda_plugins)
  if(TARGET hilda_python)
    list(APPEND binaries hilda_python)
  endif()
  add_custom_command(
    OUTPUT "${sbom_file}"
    COMMAND "${HILDA_SCRIPT_PYTHON}" "${script}" --build "${PROJECT_BINARY_DIR}" --sbom "${sbom_file}"
    DEPENDS ${binaries} "${script}"
    VERBATIM)
  # An SBOM names packages: where dpkg is not, there are none.
  find_program(HILDA_DPKG dpkg DOC "Names the packages of the SBOM")
  mark_as_advanced(HILDA_DPKG)
  add_custom_target(hilda_help ALL DEPENDS "${help_folder}/hilda")
  if(HILDA_DPKG)
    add_custom_target(hilda_sbom ALL DEPENDS "${sbom_file}")
  endif()
endif()
