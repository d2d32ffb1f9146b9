# SPDX-License-Identifier: BSD-3-Clause
# The library hilda_engine, and the modules that it consists of.
include(Cvode)
include(Matio)

hilda_module(engine/base)
hilda_module(engine/quantity USES engine/base)
hilda_module(engine/catalogue USES engine/quantity)
hilda_module(engine/diagram USES engine/catalogue)
hilda_module(engine/log USES engine/diagram)
hilda_module(engine/plugin USES engine/diagram)
hilda_module(engine/compile USES engine/plugin engine/log)
hilda_module(engine/run USES engine/compile)
hilda_module(engine/session USES engine/run engine/log)
hilda_module(engine/analysis USES engine/run)
hilda_module(engine/study USES engine/session engine/log)
hilda_module(engine/authoring USES engine/compile)

# Parts in which no time is spent, however large a diagram, a model or a log is.
set(seldom_parts analysis/detail/audit analysis/detail/identify base/detail/diagnostics base/detail/files
                 catalogue/detail/types catalogue/detail/scripts compile/detail/check session/detail/profile
                 session/detail/machine session/detail/replay session/detail/summary log/detail/recordings authoring
                 study)

file(GLOB_RECURSE engine_sources CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/engine/*.cpp")
if(NOT hilda_cvode)
  list(REMOVE_ITEM engine_sources "${PROJECT_SOURCE_DIR}/engine/run/detail/solve/cvode/multistep.cpp"
                                  "${PROJECT_SOURCE_DIR}/engine/run/detail/solve/cvode/newton_matrix.cpp")
endif()
list(JOIN seldom_parts "|" seldom)
set(seldom_sources ${engine_sources})
list(FILTER seldom_sources INCLUDE REGEX "/engine/(${seldom})/")
list(FILTER engine_sources EXCLUDE REGEX "/engine/(${seldom})/")

add_library(hilda_engine_seldom OBJECT ${seldom_sources})
hilda_compile_small(hilda_engine_seldom)
add_library(hilda_engine STATIC ${engine_sources} $<TARGET_OBJECTS:hilda_engine_seldom>)
hilda_drop_unused(hilda_engine)
# Memory of a thread's own is there from the thread's beginning, also in libhilda.so: handlers of signals use it.
target_compile_options(hilda_engine PRIVATE -ftls-model=initial-exec)
# The standard library's headers and fmt's are half of what a file of the engine takes to compile.
set(hilda_common_headers <algorithm> <array> <cmath> <cstdint> <filesystem> <fstream> <functional> <map> <memory> <optional>
                         <set> <sstream> <string> <string_view> <unordered_map> <utility> <variant> <vector> <fmt/format.h>)
foreach(target hilda_engine hilda_engine_seldom)
  # plugins/sdk is here for the declarations that both sides share; the engine never includes a block.
  target_include_directories(${target} PUBLIC "${PROJECT_SOURCE_DIR}" "${PROJECT_SOURCE_DIR}/plugins/abi"
                                              "${PROJECT_SOURCE_DIR}/plugins/sdk")
  target_link_libraries(${target} PUBLIC hilda::exported_mathematics ${hilda_engine_libraries})
  target_precompile_headers(${target} PRIVATE ${hilda_common_headers})
  # With them precompiled g++ 12 sees an overread in the concatenation of strings that is not there (its bug 105329).
  target_compile_options(${target} PRIVATE $<$<CXX_COMPILER_ID:GNU>:-Wno-stringop-overread>)
  add_dependencies(${target} hilda_modules)
endforeach()
hilda_use_cvode(hilda_engine)
hilda_use_matio()
hilda_compile_by_folder(hilda_engine ${engine_sources})
hilda_compile_by_folder(hilda_engine_seldom ${seldom_sources})
if(EXISTS "${HILDA_MATH_ARCHIVE}")
  set(of_musl HILDA_MUSL)
  if(hilda_musl_fused)
    list(APPEND of_musl HILDA_MUSL_FUSED)
  endif()
  set_source_files_properties("${PROJECT_SOURCE_DIR}/engine/plugin/detail/running/arithmetic.cpp" PROPERTIES COMPILE_DEFINITIONS "${of_musl}")
endif()
# What plugins know of the program that loads them.
set_source_files_properties("${PROJECT_SOURCE_DIR}/engine/plugin/detail/library/library.cpp" PROPERTIES COMPILE_DEFINITIONS
                            HILDA_VERSION="${PROJECT_VERSION}")
