# hilda_compile_by_folder(target sources...): in a build with sanitizers, the sources of a folder are compiled as one.
#
# Such a build is made once and from nothing, and the headers take most of it: a folder at a time takes a quarter.
function(hilda_compile_by_folder target)
  if(NOT HILDA_SANITIZE)
    return()
  endif()
  foreach(source IN LISTS ARGN)
    get_filename_component(folder "${source}" DIRECTORY)
    file(RELATIVE_PATH folder "${PROJECT_SOURCE_DIR}" "${folder}")
    string(REPLACE "/" "_" folder "${folder}")
    set_source_files_properties("${source}" PROPERTIES UNITY_GROUP "${folder}")
  endforeach()
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
endfunction()
