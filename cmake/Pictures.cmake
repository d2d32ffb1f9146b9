# The library hilda_pictures: what draws diagrams, plots logs and writes the page of a run.
set(picture_globs "")
foreach(part svg plot draw report)
  list(APPEND picture_globs "${PROJECT_SOURCE_DIR}/tools/${part}/*.cpp")
endforeach()
file(GLOB picture_sources CONFIGURE_DEPENDS ${picture_globs})
add_library(hilda_pictures STATIC ${picture_sources})
target_link_libraries(hilda_pictures PUBLIC hilda_engine)
