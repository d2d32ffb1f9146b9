# The library hilda_engine: every room of engine/.
file(GLOB_RECURSE engine_sources CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/engine/*.cpp")
include(Cvode)
include(Matio)
if(NOT hilda_cvode)
  list(REMOVE_ITEM engine_sources "${PROJECT_SOURCE_DIR}/engine/solve/cvode/multistep.cpp"
                                  "${PROJECT_SOURCE_DIR}/engine/solve/cvode/newton_matrix.cpp")
endif()

if(engine_sources)
  add_library(hilda_engine STATIC ${engine_sources})
  set(engine_scope PUBLIC)
else()
  add_library(hilda_engine INTERFACE)
  set(engine_scope INTERFACE)
endif()
# plugins/sdk is here for the declarations that both sides share; the engine never includes a block.
target_include_directories(hilda_engine ${engine_scope} "${PROJECT_SOURCE_DIR}" "${PROJECT_SOURCE_DIR}/plugins/abi"
                                        "${PROJECT_SOURCE_DIR}/plugins/sdk")
target_link_libraries(hilda_engine ${engine_scope} hilda::exported_mathematics ${hilda_engine_libraries})
hilda_use_cvode(hilda_engine)
hilda_use_matio()
if(EXISTS "${HILDA_MATH_ARCHIVE}")
  set_source_files_properties("${PROJECT_SOURCE_DIR}/engine/loop/arithmetic.cpp" PROPERTIES COMPILE_DEFINITIONS HILDA_MUSL)
endif()
# The standard library's headers and fmt's are half of what a file of the engine takes to compile.
set(hilda_common_headers <algorithm> <array> <cmath> <cstdint> <filesystem> <fstream> <functional> <map> <memory> <optional>
                         <set> <sstream> <string> <string_view> <unordered_map> <utility> <variant> <vector> <fmt/format.h>)
target_precompile_headers(hilda_engine PRIVATE ${hilda_common_headers})
hilda_compile_by_folder(hilda_engine ${engine_sources})
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  # With them precompiled g++ 12 sees an overread in the concatenation of strings that is not there (its bug 105329).
  target_compile_options(hilda_engine PRIVATE -Wno-stringop-overread)
endif()
# What plugins are told of the program that loads them.
set_source_files_properties("${PROJECT_SOURCE_DIR}/engine/host/library.cpp" PROPERTIES COMPILE_DEFINITIONS
                            HILDA_VERSION="${PROJECT_VERSION}")
