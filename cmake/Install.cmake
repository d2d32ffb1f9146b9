# cmake --install build --prefix P: a hilda that finds what belongs to it relative to its own place.
#
#   bin/hilda                   the program
#   lib/hilda/libhilda.so       all of it but main, which Python's module uses too
#   lib/hilda/plugins           the standard plugins
#   lib/cmake/hilda             find_package(hilda)
#   include/hilda               ABI, SDK and test kit
#   share/hilda/diagrams        ready diagrams, their rigs and libraries
#   share/hilda/template        what hilda new-plugin copies
#   share/doc/hilda             documentation
include(CMakePackageConfigHelpers)

# What debuggers want is nine tenths of a file: it stays in the build folder.
option(HILDA_INSTALL_DEBUG "Install with debug information" OFF)
function(hilda_strip_installed file)
  if(HILDA_INSTALL_DEBUG)
    return()
  endif()
  install(CODE "set(file \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/${file}\")
  if(EXISTS \"\${file}\")
    execute_process(COMMAND \"${CMAKE_STRIP}\" --strip-unneeded \"\${file}\")
  endif()")
endfunction()

# The package serves from the build folder as well: there its files lead back to the sources.
set(package_dir lib/cmake/hilda)
write_basic_package_version_file("${PROJECT_BINARY_DIR}/${package_dir}/hildaConfigVersion.cmake"
                                 COMPATIBILITY SameMajorVersion)
file(CONFIGURE OUTPUT "${PROJECT_BINARY_DIR}/${package_dir}/HildaPlugin.cmake"
     CONTENT "set(HILDA_MATH_ARCHIVE \"${HILDA_MATH_ARCHIVE}\")\ninclude(\"${PROJECT_SOURCE_DIR}/cmake/HildaPlugin.cmake\")\n")
configure_file(cmake/hildaConfig.cmake "${package_dir}/hildaConfig.cmake" COPYONLY)

if(TARGET hilda)
  install(TARGETS hilda hilda_library RUNTIME DESTINATION bin LIBRARY DESTINATION lib/hilda)
  install(TARGETS hilda_fmu LIBRARY DESTINATION lib/hilda/fmu)
  hilda_strip_installed(lib/hilda/fmu/libhilda_fmu.so)
  hilda_strip_installed(bin/hilda)
  hilda_strip_installed(lib/hilda/libhilda.so)
endif()
foreach(folder IN LISTS plugin_folders)
  get_filename_component(plugin "${folder}" NAME)
  install(TARGETS ${plugin} LIBRARY DESTINATION lib/hilda/plugins)
  hilda_strip_installed(lib/hilda/plugins/${plugin}.so)
endforeach()
install(FILES cmake/HildaPlugin.cmake cmake/LinkMathematics.cmake cmake/hildaConfig.cmake plugins/sdk/entry.cpp
              "${PROJECT_BINARY_DIR}/${package_dir}/hildaConfigVersion.cmake" DESTINATION ${package_dir})
install(DIRECTORY plugins/abi/hilda plugins/sdk/hilda DESTINATION include FILES_MATCHING PATTERN "*.h")

# Plugins built elsewhere get the same functions; with the words that musl's licence asks for.
if(EXISTS "${HILDA_MATH_ARCHIVE}")
  install(FILES "${HILDA_MATH_ARCHIVE}" "${HILDA_MATH_ARCHIVE}.exports" DESTINATION lib/hilda)
  install(FILES /usr/share/doc/musl-dev/copyright DESTINATION share/doc/hilda RENAME musl-copyright.txt OPTIONAL)
endif()
if(hilda_cvode)
  install(FILES /usr/share/doc/libsundials-dev/copyright DESTINATION share/doc/hilda RENAME sundials-copyright.txt OPTIONAL)
endif()
# What the page of a run holds of others.
install(FILES "${PROJECT_BINARY_DIR}/page/licences.txt" DESTINATION share/doc/hilda RENAME page-licences.txt OPTIONAL)

# Folders and files that are copied as they are; a new one is a line here.
install(DIRECTORY diagrams plugins/template DESTINATION share/hilda)
install(DIRECTORY docs/ DESTINATION share/doc/hilda FILES_MATCHING PATTERN "*.md" PATTERN "*.svg" PATTERN "*.png"
        PATTERN "results" EXCLUDE)
install(FILES README.md CHANGELOG.md LICENSE THIRD_PARTY.md SECURITY.md DESTINATION share/doc/hilda)
if(TARGET hilda AND TARGET hilda_plugins)
  file(MAKE_DIRECTORY "${PROJECT_BINARY_DIR}/share/hilda")
  set(schemas "${PROJECT_BINARY_DIR}/share/hilda/diagram.rng" "${PROJECT_BINARY_DIR}/share/hilda/diagram.xsd")
  add_custom_command(
    OUTPUT ${schemas}
    COMMAND ${CMAKE_COMMAND} -E env --unset=HILDA_PLUGIN_PATH $<TARGET_FILE:hilda> schema -o diagram.rng
    COMMAND ${CMAKE_COMMAND} -E env --unset=HILDA_PLUGIN_PATH $<TARGET_FILE:hilda> schema --xsd -o diagram.xsd
    WORKING_DIRECTORY "${PROJECT_BINARY_DIR}/share/hilda"
    DEPENDS hilda hilda_plugins
    VERBATIM)
  add_custom_target(hilda_schema ALL DEPENDS ${schemas})
endif()
foreach(kind rng xsd)
  # `hilda schema` writes them into the build folder.
  install(FILES "${PROJECT_BINARY_DIR}/share/hilda/diagram.${kind}" DESTINATION share/hilda OPTIONAL)
endforeach()

# The component engine, for programs that embed it; nobody else needs its 300 headers and the library, which is
# installed without what debuggers want: cmake --install build --component engine --prefix P.
set(engine_component COMPONENT engine EXCLUDE_FROM_ALL)
install(TARGETS hilda_engine ARCHIVE DESTINATION lib/hilda ${engine_component})
install(CODE "execute_process(COMMAND \"${CMAKE_STRIP}\" --strip-debug
                                \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/lib/hilda/libhilda_engine.a\")" ${engine_component})
install(DIRECTORY engine DESTINATION include/hilda-engine ${engine_component} FILES_MATCHING PATTERN "*.h")
if(hilda_cvode)
  install(FILES "${sundials_cvode_LIBRARY}" DESTINATION lib/hilda ${engine_component})
endif()
install(FILES cmake/HildaEngine.cmake cmake/Dependencies.cmake DESTINATION ${package_dir} ${engine_component})
