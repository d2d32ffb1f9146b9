# SPDX-License-Identifier: BSD-3-Clause
# Pages are built into the program, so that they need no other file; what they take from others comes from npm, or is left out
# (bundle_page.cmake).
set(HILDA_NPM_SECONDS 90 CACHE STRING "How long npm may take to install what a page takes from others")

# hilda_page_bundle(SOURCE FOLDER OUTPUTS FILES WITHOUT [COMMAND...]): the rule for OUTPUTS in FOLDER, bundled from FILES of
# SOURCE, the first of which begins the script, with npm's packages; WITHOUT says what hilda cannot do where that fails.
# COMMAND is put before the bundling.
function(hilda_page_bundle source folder outputs files without)
  list(TRANSFORM outputs PREPEND "${folder}/")
  list(JOIN files "," list)
  list(TRANSFORM files PREPEND "${source}/")
  add_custom_command(
    OUTPUT ${outputs}
    COMMAND ${ARGN} ${CMAKE_COMMAND} -DSOURCE=${source} -DFILES=${list} -DOUTPUT=${folder} -DSECONDS=${HILDA_NPM_SECONDS}
            "-DWITHOUT=${without}" -P "${PROJECT_SOURCE_DIR}/cmake/bundle_page.cmake"
    DEPENDS ${files} "${PROJECT_SOURCE_DIR}/cmake/bundle_page.cmake" "${PROJECT_SOURCE_DIR}/cmake/bundle.mjs"
    COMMENT "Bundling what a page takes from npm"
    VERBATIM)
endfunction()

# hilda_embed(OUTPUT HEADER SPACE FILES...): the rule for OUTPUT, a C++ source with `SPACE::page_asset(name)` of HEADER, which
# gives the text of each file.
function(hilda_embed output header space)
  list(JOIN ARGN "," list)
  add_custom_command(
    OUTPUT "${output}"
    COMMAND ${CMAKE_COMMAND} -DFILES=${list} -DOUTPUT=${output} -DHEADER=${header} -DSPACE=${space} -P
            "${PROJECT_SOURCE_DIR}/cmake/embed_files.cmake"
    DEPENDS ${ARGN} "${PROJECT_SOURCE_DIR}/cmake/embed_files.cmake"
    VERBATIM)
endfunction()

# hilda_page_assets(SOURCE FOLDER [COMMAND...]): the rules for SOURCE, a C++ file with the text of the pages of a run and of a
# study, and for FOLDER, where npm's packages are bundled. COMMAND is put before the bundling.
function(hilda_page_assets source folder)
  set(page "${PROJECT_SOURCE_DIR}/tools/graphics/detail/report/page")
  set(bundle plots.js plots.css licences.txt lacking.txt)
  hilda_page_bundle("${page}" "${folder}" "${bundle}" "plots.mjs;package.json;package-lock.json"
                    "hilda report will draw still plots" ${ARGN})
  list(TRANSFORM bundle PREPEND "${folder}/")
  set(files page.html moving.html still.html page.css elements.js tables.js signals.js panels.js chosen.js page.js)
  list(TRANSFORM files PREPEND "${page}/")
  foreach(file study.html study.css study.js)
    list(APPEND files "${PROJECT_SOURCE_DIR}/tools/graphics/detail/study/page/${file}")
  endforeach()
  hilda_embed("${source}" tools/graphics/page.h hilda::graphics::report ${files} ${bundle})
endfunction()

# hilda_studio_assets(SOURCE FOLDER [COMMAND...]): likewise for the page of `hilda studio`.
function(hilda_studio_assets source folder)
  set(page "${PROJECT_SOURCE_DIR}/tools/studio/page")
  file(GLOB files RELATIVE "${page}" CONFIGURE_DEPENDS "${page}/*.ts" "${page}/*.css" "${page}/*/*.ts" "${page}/*/*.css")
  set(bundle studio.js studio.css licences.txt lacking.txt)
  list(REMOVE_ITEM files studio.ts)
  hilda_page_bundle("${page}" "${folder}" "${bundle}" "studio.ts;${files};package.json;package-lock.json"
                    "hilda studio will have no page" ${ARGN})
  list(TRANSFORM bundle PREPEND "${folder}/")
  hilda_embed("${source}" tools/studio/detail/desks/page.h hilda::studio "${page}/index.html" "${page}/lacking.html" "${page}/icon.svg"
              ${bundle})
endfunction()
