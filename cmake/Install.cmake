# SPDX-License-Identifier: BSD-3-Clause
# cmake --install build --prefix P: a hilda that finds what belongs to it relative to its own place.
#
#   bin/hilda                   the program
#   lib/hilda/libhilda.so.1     all of it but main, which Python's module uses too, and programs in C (hilda/embed.h)
#   lib/hilda/plugins           the standard plugins
#   lib/cmake/hilda             find_package(hilda)
#   include/hilda               ABI, SDK and test kit
#   share/hilda/diagrams        ready diagrams, their rigs and libraries
#   share/hilda/template        what hilda new-plugin copies
#   share/doc/hilda             documentation
#   share/man, share/bash-completion, share/zsh, share/fish, share/applications, share/mime, share/icons, share/pkgconfig
#
# The components program, dev, python and doc are the Debian packages (Packages.cmake); without --component all are installed.
# The target uninstall removes what was installed.
include(CMakePackageConfigHelpers)

# What debuggers want is nine tenths of a file: it stays in the build folder.
option(HILDA_INSTALL_DEBUG "Install with debug information" OFF)
function(hilda_strip_installed file component)
  if(HILDA_INSTALL_DEBUG)
    return()
  endif()
  install(CODE "set(file \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/${file}\")
  if(EXISTS \"\${file}\")
    execute_process(COMMAND \"${CMAKE_STRIP}\" --strip-unneeded \"\${file}\")
  endif()" COMPONENT ${component})
endfunction()

# The package serves from the build folder as well: there its files lead back to the sources.
set(package_dir lib/cmake/hilda)
write_basic_package_version_file("${PROJECT_BINARY_DIR}/${package_dir}/hildaConfigVersion.cmake"
                                 COMPATIBILITY SameMajorVersion)
file(CONFIGURE OUTPUT "${PROJECT_BINARY_DIR}/${package_dir}/HildaPlugin.cmake"
     CONTENT "set(HILDA_MATH_ARCHIVE \"${HILDA_MATH_ARCHIVE}\")\ninclude(\"${PROJECT_SOURCE_DIR}/cmake/HildaPlugin.cmake\")\n")
configure_file(cmake/hildaConfig.cmake "${package_dir}/hildaConfig.cmake" COPYONLY)

if(TARGET hilda)
  install(TARGETS hilda hilda_library
          RUNTIME DESTINATION bin COMPONENT program
          LIBRARY DESTINATION lib/hilda COMPONENT program NAMELINK_COMPONENT dev)
  hilda_strip_installed(bin/hilda program)
  get_target_property(soversion hilda_library SOVERSION)
  hilda_strip_installed(lib/hilda/libhilda.so.${soversion} program)
  install(TARGETS hilda_program ${program_launcher}
          LIBRARY DESTINATION lib/hilda/program COMPONENT program
          RUNTIME DESTINATION lib/hilda/program COMPONENT program)
  hilda_strip_installed(lib/hilda/program/libhilda_program.so program)
  hilda_strip_installed(lib/hilda/program/launcher program)
  install(TARGETS hilda_fmu LIBRARY DESTINATION lib/hilda/fmu COMPONENT program)
  hilda_strip_installed(lib/hilda/fmu/libhilda_fmu.so program)
endif()
foreach(folder IN LISTS plugin_folders)
  get_filename_component(plugin "${folder}" NAME)
  install(TARGETS ${plugin} LIBRARY DESTINATION lib/hilda/plugins COMPONENT program)
  hilda_strip_installed(lib/hilda/plugins/${plugin}.so program)
endforeach()
install(FILES cmake/HildaPlugin.cmake cmake/LinkMathematics.cmake cmake/hildaConfig.cmake plugins/sdk/entry.cpp
              "${PROJECT_BINARY_DIR}/${package_dir}/hildaConfigVersion.cmake" DESTINATION ${package_dir} COMPONENT dev)
install(DIRECTORY plugins/abi/hilda plugins/sdk/hilda DESTINATION include COMPONENT dev FILES_MATCHING PATTERN "*.h")

# Plugins built elsewhere get the same functions; with the words that musl's licence asks for.
if(EXISTS "${HILDA_MATH_ARCHIVE}")
  install(FILES "${HILDA_MATH_ARCHIVE}" "${HILDA_MATH_ARCHIVE}.exports" DESTINATION lib/hilda COMPONENT dev)
  install(FILES /usr/share/doc/musl-dev/copyright DESTINATION share/doc/hilda COMPONENT program RENAME musl-copyright.txt
          OPTIONAL)
endif()
if(hilda_cvode)
  install(FILES /usr/share/doc/libsundials-dev/copyright DESTINATION share/doc/hilda COMPONENT program
          RENAME sundials-copyright.txt OPTIONAL)
endif()
# What the page of a run holds of others.
install(FILES "${PROJECT_BINARY_DIR}/page/licences.txt" DESTINATION share/doc/hilda COMPONENT program
        RENAME page-licences.txt OPTIONAL)

# Folders and files that are copied as they are; a new one is a line here.
install(DIRECTORY diagrams DESTINATION share/hilda COMPONENT program)
install(DIRECTORY plugins/template DESTINATION share/hilda COMPONENT dev)
install(DIRECTORY docs/ DESTINATION share/doc/hilda COMPONENT doc FILES_MATCHING PATTERN "*.md" PATTERN "*.svg" PATTERN "*.png"
        PATTERN "results" EXCLUDE)
install(FILES README.md CHANGELOG.md SECURITY.md DESTINATION share/doc/hilda COMPONENT doc)
install(FILES THIRD_PARTY.md DESTINATION share/doc/hilda COMPONENT program)
install(FILES LICENSE DESTINATION share/doc/hilda COMPONENT licence) # in packages: the file copyright

# What the program says of itself, where it is built (Described.cmake).
foreach(kind diagram.rng diagram.xsd sbom.spdx.json)
  install(FILES "${PROJECT_BINARY_DIR}/share/hilda/${kind}" DESTINATION share/hilda COMPONENT program OPTIONAL)
endforeach()
install(DIRECTORY "${PROJECT_BINARY_DIR}/help/man1" DESTINATION share/man COMPONENT program OPTIONAL)
install(FILES "${PROJECT_BINARY_DIR}/help/hilda" DESTINATION share/bash-completion/completions COMPONENT program OPTIONAL)
install(FILES "${PROJECT_BINARY_DIR}/help/_hilda" DESTINATION share/zsh/vendor-completions COMPONENT program OPTIONAL)
install(FILES "${PROJECT_BINARY_DIR}/help/hilda.fish" DESTINATION share/fish/vendor_completions.d COMPONENT program OPTIONAL)

if(program_launcher)
  install(FILES cmake/packages/lintian-overrides DESTINATION share/lintian/overrides COMPONENT program RENAME hilda)
endif()

# A double click on a diagram opens the studio.
install(FILES cmake/packages/hilda-studio.desktop DESTINATION share/applications COMPONENT program)
install(FILES cmake/packages/hilda-diagram.xml DESTINATION share/mime/packages COMPONENT program)
install(FILES tools/studio/page/icon.svg DESTINATION share/icons/hicolor/scalable/apps COMPONENT program RENAME hilda.svg)
foreach(name hilda hilda-embed)
  configure_file(cmake/packages/${name}.pc.in "${PROJECT_BINARY_DIR}/generated/${name}.pc" @ONLY)
  install(FILES "${PROJECT_BINARY_DIR}/generated/${name}.pc" DESTINATION share/pkgconfig COMPONENT dev)
endforeach()

configure_file(cmake/Uninstall.cmake "${PROJECT_BINARY_DIR}/Uninstall.cmake" COPYONLY)
add_custom_target(uninstall COMMAND ${CMAKE_COMMAND} -P "${PROJECT_BINARY_DIR}/Uninstall.cmake")

# The component engine, for programs that embed it; no other program needs its 300 headers and the library, which is
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
