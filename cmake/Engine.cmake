# The library hilda_engine: engine/ and the plugin loader.
set(engine_globs plugins/host/*.cpp)
foreach(part files model xml check plan run run/realtime run/replay observe identify)
  list(APPEND engine_globs engine/${part}/*.cpp)
endforeach()
list(TRANSFORM engine_globs PREPEND "${PROJECT_SOURCE_DIR}/")
file(GLOB engine_sources CONFIGURE_DEPENDS ${engine_globs})

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
if(EXISTS "${HILDA_MATH_ARCHIVE}")
  set_source_files_properties("${PROJECT_SOURCE_DIR}/engine/run/arithmetic.cpp" PROPERTIES COMPILE_DEFINITIONS HILDA_MUSL)
endif()
# What plugins are told of the program that loads them.
set_source_files_properties("${PROJECT_SOURCE_DIR}/plugins/host/library.cpp" PROPERTIES COMPILE_DEFINITIONS
                            HILDA_VERSION="${PROJECT_VERSION}")
