# SPDX-License-Identifier: BSD-3-Clause
# The library hilda_pictures: what draws diagrams, plots logs and writes the page of a run.
set(picture_globs "")
foreach(part svg plot draw draw/sketch draw/layout report study)
  list(APPEND picture_globs "${PROJECT_SOURCE_DIR}/tools/${part}/*.cpp")
endforeach()
file(GLOB picture_sources CONFIGURE_DEPENDS ${picture_globs})

include(Page)
set(page_source "${PROJECT_BINARY_DIR}/generated/page_assets.cpp")
hilda_page_assets("${page_source}" "${PROJECT_BINARY_DIR}/page")

add_library(hilda_pictures STATIC ${picture_sources} "${page_source}")
target_link_libraries(hilda_pictures PUBLIC hilda_engine)
hilda_compile_small(hilda_pictures)
hilda_compile_by_folder(hilda_pictures ${picture_sources})
target_precompile_headers(hilda_pictures REUSE_FROM hilda_engine_seldom)
target_compile_options(hilda_pictures PRIVATE $<$<CXX_COMPILER_ID:GNU>:-Wno-stringop-overread>)
