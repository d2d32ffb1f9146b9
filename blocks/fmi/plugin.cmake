# SPDX-License-Identifier: BSD-3-Clause
# It reads FMUs as `hilda import-fmu` does.
target_sources(${plugin} PRIVATE "${PROJECT_SOURCE_DIR}/tools/fmi/detail/foreign/model.cpp"
                                 "${PROJECT_SOURCE_DIR}/tools/fmi/detail/foreign/unpacked.cpp")
target_link_libraries(${plugin} PRIVATE tinyxml2::tinyxml2 deflate::deflate ${CMAKE_DL_LIBS})
