# SPDX-License-Identifier: BSD-3-Clause
# Every folder of blocks/ and of drivers/ with sources is a plugin of that name. A folder that needs more than Eigen
# says so in its plugin.cmake, which is included after the plugin is defined and may use ${plugin}.
file(GLOB block_sources CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/blocks/*/*.cpp" "${PROJECT_SOURCE_DIR}/blocks/*/*.c"
     "${PROJECT_SOURCE_DIR}/drivers/*/*.cpp" "${PROJECT_SOURCE_DIR}/drivers/*/*.c")
file(GLOB plugin_settings CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/blocks/*/plugin.cmake"
     "${PROJECT_SOURCE_DIR}/drivers/*/plugin.cmake")

set(plugin_folders "")
foreach(source IN LISTS block_sources)
  get_filename_component(folder "${source}" DIRECTORY)
  list(APPEND plugin_folders "${folder}")
endforeach()
list(REMOVE_DUPLICATES plugin_folders)

if(plugin_folders)
  # Eigen and the SDK take most of a block's compile time; all plugins share one precompiled copy of them.
  set(headers_source "${PROJECT_BINARY_DIR}/generated/plugin_headers.cpp")
  file(CONFIGURE OUTPUT "${headers_source}" CONTENT "// Carries the precompiled headers of the plugins.\n")
  add_library(hilda_plugin_headers OBJECT "${headers_source}")
  target_link_libraries(hilda_plugin_headers PRIVATE hilda::sdk Eigen3::Eigen)
  target_precompile_headers(hilda_plugin_headers PRIVATE <Eigen/Dense> <algorithm> <string> <string_view> <type_traits>
                            <utility> <vector> <hilda/frames.h> <hilda/per_element.h>)
  hilda_plugin_compile_options(hilda_plugin_headers)

  add_custom_target(hilda_plugins)
  foreach(folder IN LISTS plugin_folders)
    get_filename_component(plugin "${folder}" NAME)
    file(GLOB sources CONFIGURE_DEPENDS "${folder}/*.cpp" "${folder}/*.c")
    hilda_add_plugin(${plugin} ${sources})
    target_include_directories(${plugin} PRIVATE "${PROJECT_SOURCE_DIR}")
    hilda_compile_by_folder(${plugin} ${sources})
    # Blocks flag what they do (hilda/flags.h), but for those that say otherwise; drivers bring numbers from outside, and
    # the arm's come from libraries and files.
    if(NOT folder MATCHES "/drivers/" AND NOT plugin STREQUAL "arm")
      target_sources(${plugin} PRIVATE "${PROJECT_SOURCE_DIR}/plugins/sdk/raises_flags.cpp")
    endif()
    if(EXISTS "${folder}/plugin.cmake")
      include("${folder}/plugin.cmake")
    endif()
    add_dependencies(hilda_plugins ${plugin})
  endforeach()
endif()
