# SPDX-License-Identifier: BSD-3-Clause
# The library hilda_pictures: what draws diagrams, plots logs and writes the page of a run.
hilda_module(tools/graphics USES engine/run engine/log engine/study)
file(GLOB_RECURSE picture_sources CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/tools/graphics/*.cpp")

include(Page)
set(page_source "${PROJECT_BINARY_DIR}/generated/page_assets.cpp")
hilda_page_assets("${page_source}" "${PROJECT_BINARY_DIR}/page")

add_library(hilda_pictures STATIC ${picture_sources} "${page_source}")
target_link_libraries(hilda_pictures PUBLIC hilda_engine)
hilda_compile_small(hilda_pictures)
# Places of symbols and ways of wires take most of a drawing's time.
set(layout_folder "${PROJECT_SOURCE_DIR}/tools/graphics/detail/draw/layout")
hilda_compile_fast("${layout_folder}/placement.cpp" "${layout_folder}/routing.cpp")
hilda_compile_by_folder(hilda_pictures ${picture_sources})
target_precompile_headers(hilda_pictures REUSE_FROM hilda_engine_seldom)
target_compile_options(hilda_pictures PRIVATE $<$<CXX_COMPILER_ID:GNU>:-Wno-stringop-overread>)
