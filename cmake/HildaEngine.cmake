# SPDX-License-Identifier: BSD-3-Clause
# The target hilda::engine: the engine as a static library with its headers (include "engine/..."), and what it needs.
include("${CMAKE_CURRENT_LIST_DIR}/Dependencies.cmake")

if(NOT TARGET hilda::engine)
  add_library(hilda::engine STATIC IMPORTED GLOBAL)
  set_target_properties(hilda::engine PROPERTIES IMPORTED_LOCATION "${hilda_prefix}/lib/hilda/libhilda_engine.a")
  target_include_directories(hilda::engine INTERFACE "${hilda_prefix}/include/hilda-engine" "${hilda_prefix}/include")
  target_compile_features(hilda::engine INTERFACE cxx_std_20)
  target_link_libraries(hilda::engine INTERFACE hilda::exported_mathematics ${hilda_engine_libraries})
  if(EXISTS "${hilda_prefix}/lib/hilda/libsundials_cvode.a") # of an engine that was built with it
    target_link_libraries(hilda::engine INTERFACE "${hilda_prefix}/lib/hilda/libsundials_cvode.a")
  endif()
endif()
