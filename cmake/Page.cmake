# The page of a run is built into the program, so that it can stand alone; what it takes from others comes from npm, or is
# left out (bundle_page.cmake).
set(HILDA_NPM_SECONDS 90 CACHE STRING "How long npm may take to install what the page of a run takes from others")

# hilda_page_assets(SOURCE FOLDER [COMMAND...]): the rules for SOURCE, a C++ file with the page's text, and for FOLDER, where
# npm's packages are bundled. COMMAND is put before the bundling.
function(hilda_page_assets source folder)
  set(page "${PROJECT_SOURCE_DIR}/tools/report/page")
  set(bundle plots.js plots.css licences.txt lacking.txt)
  list(TRANSFORM bundle PREPEND "${folder}/")
  set(bundled package.json package-lock.json plots.mjs bundle.mjs)
  list(TRANSFORM bundled PREPEND "${page}/")
  add_custom_command(
    OUTPUT ${bundle}
    COMMAND ${ARGN} ${CMAKE_COMMAND} -DSOURCE=${page} -DOUTPUT=${folder} -DSECONDS=${HILDA_NPM_SECONDS} -P
            "${PROJECT_SOURCE_DIR}/cmake/bundle_page.cmake"
    DEPENDS ${bundled} "${PROJECT_SOURCE_DIR}/cmake/bundle_page.cmake"
    COMMENT "Bundling what the page of a run takes from npm"
    VERBATIM)

  set(files page.html moving.html still.html page.css elements.js tables.js signals.js panels.js chosen.js page.js)
  list(TRANSFORM files PREPEND "${page}/")
  foreach(file study.html study.css study.js)
    list(APPEND files "${PROJECT_SOURCE_DIR}/tools/study/page/${file}")
  endforeach()
  list(APPEND files ${bundle})
  list(JOIN files "," list)
  add_custom_command(
    OUTPUT "${source}"
    COMMAND ${CMAKE_COMMAND} -DFILES=${list} -DOUTPUT=${source} -P "${PROJECT_SOURCE_DIR}/cmake/embed_files.cmake"
    DEPENDS ${files} "${PROJECT_SOURCE_DIR}/cmake/embed_files.cmake"
    VERBATIM)
endfunction()
