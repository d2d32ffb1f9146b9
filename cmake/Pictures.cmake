# The library hilda_pictures: what draws diagrams, plots logs and writes the page of a run.
set(picture_globs "")
foreach(part svg plot draw draw/sketch draw/layout report)
  list(APPEND picture_globs "${PROJECT_SOURCE_DIR}/tools/${part}/*.cpp")
endforeach()
file(GLOB picture_sources CONFIGURE_DEPENDS ${picture_globs})

# The page's files are built into the program, so that it can stand alone.
set(page_files page.html page.css signals.js panels.js tables.js page.js uPlot.min.css uPlot.iife.min.js)
list(TRANSFORM page_files PREPEND "${PROJECT_SOURCE_DIR}/tools/report/page/")
set(page_source "${PROJECT_BINARY_DIR}/generated/page_assets.cpp")
list(JOIN page_files "," page_list)
add_custom_command(
  OUTPUT "${page_source}"
  COMMAND ${CMAKE_COMMAND} -DFILES=${page_list} -DOUTPUT=${page_source} -P
          "${PROJECT_SOURCE_DIR}/cmake/embed_files.cmake"
  DEPENDS ${page_files} "${PROJECT_SOURCE_DIR}/cmake/embed_files.cmake"
  VERBATIM)

add_library(hilda_pictures STATIC ${picture_sources} "${page_source}")
target_link_libraries(hilda_pictures PUBLIC hilda_engine)
