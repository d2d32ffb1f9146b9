# SPDX-License-Identifier: BSD-3-Clause
# Run at build time: writes OUTPUT from VERSION and the git revision of SOURCE_DIR, if that changes anything. A source
# distribution has its revision in a file (python/hilda_build/source_archive.py).
if(EXISTS "${SOURCE_DIR}/revision.txt")
  file(STRINGS "${SOURCE_DIR}/revision.txt" revision LIMIT_COUNT 1)
  string(REGEX REPLACE " .*" "" revision "${revision}")
else()
  execute_process(
    COMMAND git -C "${SOURCE_DIR}" describe --always --dirty --abbrev=12 --exclude=*
    OUTPUT_VARIABLE revision
    OUTPUT_STRIP_TRAILING_WHITESPACE
    ERROR_QUIET)
endif()
if(NOT revision)
  set(revision "unknown")
endif()
set(text "#include \"tools/cli/version.h\"\n\nnamespace hilda::cli {\nconst char* const version = \"${VERSION}\";\n")
string(APPEND text "const char* const revision = \"${revision}\";\n} // namespace hilda::cli\n")
set(previous "")
if(EXISTS "${OUTPUT}")
  file(READ "${OUTPUT}" previous)
endif()
if(NOT text STREQUAL previous)
  file(WRITE "${OUTPUT}" "${text}")
endif()
