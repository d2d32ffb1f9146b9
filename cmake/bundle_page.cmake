# Makes what the page of a run takes from npm: OUTPUT/plots.js, plots.css and licences.txt, from SOURCE/package-lock.json.
# Packages come out of npm's cache where it has them. This never fails: where npm or its packages are not to be had, or
# not within SECONDS, the files are empty, lacking.txt says why, and the page shows still plots.
set(files plots.js plots.css licences.txt)
set(work "${OUTPUT}/work")

# Leaves empty files and one line to who builds; what a program said stays in a file.
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
  message("hilda report will draw still plots: when hilda was built, ${why}${more}. To try again, remove ${OUTPUT} and build.")
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
foreach(file package.json package-lock.json plots.mjs bundle.mjs)
  file(COPY "${SOURCE}/${file}" DESTINATION "${work}")
endforeach()
# Scripts of packages do not run; the lock file's hashes decide what is taken.
run_within_limits("the installation of the page's packages by npm" "${npm}" ci --ignore-scripts --no-audit --no-fund
                  --no-update-notifier --prefer-offline --fetch-retries=0 --fetch-timeout=15000 --loglevel=error)
if(status EQUAL 0)
  run_within_limits("the bundling of the page's packages" "${node}" bundle.mjs "${OUTPUT}")
endif()
if(status EQUAL 0)
  file(WRITE "${OUTPUT}/lacking.txt" "")
endif()
file(REMOVE_RECURSE "${work}")
