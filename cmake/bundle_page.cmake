# SPDX-License-Identifier: BSD-3-Clause
# Makes what a page takes from npm: OUTPUT/NAME.js, NAME.css and licences.txt, from FILES of SOURCE (separated by commas): the
# first begins the script and is NAME's, package-lock.json says which packages. They come out of npm's cache where it has
# them. This never fails: where npm or its packages are not available, or not within SECONDS, the files are empty,
# lacking.txt says why, and who builds reads WITHOUT: what hilda cannot do then.
string(REPLACE "," ";" FILES "${FILES}")
list(GET FILES 0 entry)
get_filename_component(name "${entry}" NAME_WE)
set(files ${name}.js ${name}.css licences.txt)
set(work "${OUTPUT}/work")

# Leaves empty files and one line to who builds; what a program printed stays in a file.
function(go_without why said)
  foreach(file IN LISTS files)
    file(WRITE "${OUTPUT}/${file}" "")
  endforeach()
  file(WRITE "${OUTPUT}/lacking.txt" "${why}")
  set(more "")
  if(said)
    file(WRITE "${OUTPUT}/said.txt" "${said}")
    set(more " (${OUTPUT}/said.txt)")
  endif()
  message("${WITHOUT}: when hilda was built, ${why}${more}. To try again, remove ${OUTPUT} and build.")
endfunction()

function(run_within_limits what)
  execute_process(COMMAND ${ARGN} WORKING_DIRECTORY "${work}" TIMEOUT ${SECONDS} RESULT_VARIABLE status
                  OUTPUT_VARIABLE said ERROR_VARIABLE said)
  if(status MATCHES "timeout")
    go_without("${what} took longer than ${SECONDS} s" "${said}")
  elseif(NOT status EQUAL 0)
    go_without("${what} failed" "${said}")
  endif()
  set(status "${status}" PARENT_SCOPE)
endfunction()

file(REMOVE_RECURSE "${OUTPUT}")
file(MAKE_DIRECTORY "${work}")
find_program(node NAMES node nodejs)
find_program(npm npm)
if(NOT node OR NOT npm)
  go_without("node or npm was not there" "")
  return()
endif()
foreach(file IN LISTS FILES)
  get_filename_component(folder "${file}" DIRECTORY)
  file(COPY "${SOURCE}/${file}" DESTINATION "${work}/${folder}")
endforeach()
file(COPY "${CMAKE_CURRENT_LIST_DIR}/bundle.mjs" DESTINATION "${work}")
# Scripts of packages do not run; the lock file's hashes decide what is taken.
run_within_limits("the installation of the page's packages by npm" "${npm}" ci --ignore-scripts --no-audit --no-fund
                  --no-update-notifier --prefer-offline --fetch-retries=0 --fetch-timeout=15000 --loglevel=error)
if(status EQUAL 0)
  run_within_limits("the bundling of the page's packages" "${node}" bundle.mjs "${OUTPUT}" "${entry}")
endif()
if(status EQUAL 0)
  file(WRITE "${OUTPUT}/lacking.txt" "")
endif()
file(REMOVE_RECURSE "${work}")
