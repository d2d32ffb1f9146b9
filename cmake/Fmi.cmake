# SPDX-License-Identifier: BSD-3-Clause
# What `hilda export-fmu` puts into an FMU: tools/fmi, and lib/hilda/fmu/libhilda_fmu.so, which is engine and the functions of
# FMI 2.0 and 3.0 in one library. What it needs is found next to it, also by what it needs in turn: an RPATH, and no RUNPATH.
# It stays loaded as its plugins do, whose code its instances call.
hilda_module(tools/fmi USES engine/session)
file(GLOB fmi_sources CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/tools/fmi/detail/model/*.cpp"
     "${PROJECT_SOURCE_DIR}/tools/fmi/detail/foreign/*.cpp")
add_library(hilda_fmi STATIC ${fmi_sources})
set_target_properties(hilda_fmi PROPERTIES POSITION_INDEPENDENT_CODE ON)
hilda_compile_small(hilda_fmi)
target_link_libraries(hilda_fmi PUBLIC hilda_engine nlohmann_json::nlohmann_json)
target_precompile_headers(hilda_fmi REUSE_FROM hilda_engine_seldom)
target_compile_options(hilda_fmi PRIVATE -ftls-model=initial-exec $<$<CXX_COMPILER_ID:GNU>:-Wno-stringop-overread>)

file(GLOB fmu_sources CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/tools/fmi/detail/library/*.cpp")
add_library(hilda_fmu MODULE ${fmu_sources})
hilda_compile_small(hilda_fmu)
target_link_libraries(hilda_fmu PRIVATE hilda_fmi)
set(fmu_exports "${PROJECT_SOURCE_DIR}/cmake/fmu.exports")
target_link_options(hilda_fmu PRIVATE "-Wl,--version-script=${fmu_exports}" -Wl,-Bsymbolic -Wl,--gc-sections -Wl,--as-needed
                                      -Wl,--disable-new-dtags -Wl,-z,nodelete)
if(NOT HILDA_SANITIZE) # a sanitizer's functions are in the program
  target_link_options(hilda_fmu PRIVATE -Wl,--no-undefined)
endif()
set_target_properties(hilda_fmu PROPERTIES PREFIX lib LIBRARY_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}/lib/hilda/fmu"
                                           BUILD_WITH_INSTALL_RPATH ON INSTALL_RPATH "$ORIGIN" LINK_DEPENDS "${fmu_exports}")
