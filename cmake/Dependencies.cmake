# SPDX-License-Identifier: BSD-3-Clause
# Libraries of the engine and the program; the reason for each is in docs/dependencies.md.
find_package(Threads REQUIRED)
find_package(Boost 1.74 REQUIRED)
find_package(Eigen3 3.4 REQUIRED NO_MODULE)
find_package(fmt REQUIRED)
find_package(tinyxml2 REQUIRED)
find_package(CLI11 REQUIRED)
find_package(nlohmann_json REQUIRED)
find_package(ZLIB REQUIRED)

# hilda_find_library(TARGET HEADER LIBRARY): for libraries whose packages carry no CMake description.
function(hilda_find_library target header library)
  find_path(${library}_INCLUDE_DIR ${header} REQUIRED)
  find_library(${library}_LIBRARY ${library} REQUIRED)
  mark_as_advanced(${library}_INCLUDE_DIR ${library}_LIBRARY)
  add_library(${target} UNKNOWN IMPORTED GLOBAL)
  set_target_properties(${target} PROPERTIES IMPORTED_LOCATION "${${library}_LIBRARY}"
                                             INTERFACE_INCLUDE_DIRECTORIES "${${library}_INCLUDE_DIR}")
endfunction()
hilda_find_library(udunits2::udunits2 udunits2.h udunits2)
hilda_find_library(muparser::muparser muParser.h muparser)
hilda_find_library(deflate::deflate libdeflate.h deflate)
hilda_find_library(lz4::lz4 lz4frame.h lz4)
hilda_find_library(sqlite3::sqlite3 sqlite3.h sqlite3)
hilda_find_library(nlopt::nlopt nlopt.h nlopt)

set(hilda_engine_libraries tinyxml2::tinyxml2 udunits2::udunits2 muparser::muparser fmt::fmt
    nlohmann_json::nlohmann_json Eigen3::Eigen Boost::headers ZLIB::ZLIB deflate::deflate lz4::lz4 sqlite3::sqlite3 nlopt::nlopt Threads::Threads ${CMAKE_DL_LIBS})
