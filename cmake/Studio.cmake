# SPDX-License-Identifier: BSD-3-Clause
# The library hilda_studio: the server behind `hilda studio` and `hilda run --serve`, and its page.
hilda_module(tools/studio USES engine/session engine/authoring tools/graphics)
file(GLOB_RECURSE studio_sources CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/tools/studio/*.cpp")

include(Page)
set(studio_page "${PROJECT_BINARY_DIR}/generated/studio_assets.cpp")
hilda_studio_assets("${studio_page}" "${PROJECT_BINARY_DIR}/studio_page")

add_library(hilda_studio STATIC ${studio_sources} "${studio_page}")
target_link_libraries(hilda_studio PUBLIC hilda_pictures hilda_engine nlohmann_json::nlohmann_json)
hilda_compile_small(hilda_studio)
hilda_compile_by_folder(hilda_studio ${studio_sources})
target_precompile_headers(hilda_studio REUSE_FROM hilda_engine_seldom)
target_compile_options(hilda_studio PRIVATE $<$<CXX_COMPILER_ID:GNU>:-Wno-stringop-overread>)
