# SPDX-License-Identifier: BSD-3-Clause
# hilda_module(FOLDER USES FOLDERS...): FOLDER, such as engine/run, is a module. Its public headers are those in the folder
# itself; all else is in detail/. It may include its own files and the public headers of the modules that it uses, directly
# or through others. The build fails where a file includes more (check_module.cmake). docs/modules.py reads these calls.
add_custom_target(hilda_modules ALL)

function(hilda_module folder)
  cmake_parse_arguments(PARSE_ARGV 1 module "" "" "USES")
  set(uses ${module_USES})
  foreach(used IN LISTS module_USES)
    get_property(further GLOBAL PROPERTY "hilda_uses_${used}")
    get_property(known GLOBAL PROPERTY "hilda_uses_${used}" SET)
    if(NOT known)
      message(FATAL_ERROR "${folder} uses ${used}, which is no module yet: a module is declared after those that it uses")
    endif()
    list(APPEND uses ${further})
  endforeach()
  list(REMOVE_DUPLICATES uses)
  set_property(GLOBAL PROPERTY "hilda_uses_${folder}" "${uses}")
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/${folder}/*.h" "${PROJECT_SOURCE_DIR}/${folder}/*.cpp"
       "${PROJECT_SOURCE_DIR}/${folder}/*.c")
  string(REPLACE "/" "_" name "${folder}")
  string(REPLACE ";" "," uses "${uses}")
  file(RELATIVE_PATH declared "${PROJECT_SOURCE_DIR}" "${CMAKE_CURRENT_LIST_FILE}")
  set(stamp "${PROJECT_BINARY_DIR}/modules/${name}.checked")
  set(script "${PROJECT_SOURCE_DIR}/cmake/check_module.cmake")
  add_custom_command(OUTPUT "${stamp}"
                     COMMAND ${CMAKE_COMMAND} "-DROOT=${PROJECT_SOURCE_DIR}" "-DFOLDER=${folder}" "-DUSES=${uses}"
                             "-DDECLARED=${declared}" -P "${script}"
                     COMMAND ${CMAKE_COMMAND} -E touch "${stamp}"
                     DEPENDS ${sources} "${script}" COMMENT "Includes of ${folder}" VERBATIM)
  add_custom_target(hilda_module_${name} DEPENDS "${stamp}")
  add_dependencies(hilda_modules hilda_module_${name})
endfunction()
