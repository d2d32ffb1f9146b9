# SPDX-License-Identifier: BSD-3-Clause
# lib/hilda/languages/python.so: serves blocks in Python, for the program and for the module. It is not linked with an
# interpreter: Python has one, and hilda opens the one that python.txt names when a diagram needs it.
file(GLOB block_type_sources CONFIGURE_DEPENDS "block_types/*.cpp")
file(GLOB translation_files CONFIGURE_DEPENDS "${CMAKE_CURRENT_SOURCE_DIR}/block_types/translation/*.py")
set(block_source "${PROJECT_BINARY_DIR}/generated/block_source.cpp")
hilda_embed("${block_source}" "python/block_types/block_source.h" "hilda::python_blocks"
            "${CMAKE_CURRENT_SOURCE_DIR}/hilda/block.py" "${CMAKE_CURRENT_SOURCE_DIR}/block_types/program.py"
            ${translation_files})
execute_process(COMMAND "${HILDA_PYTHON}" -c "import sysconfig; print(sysconfig.get_config_var('INSTSONAME'))"
                OUTPUT_VARIABLE python_library OUTPUT_STRIP_TRAILING_WHITESPACE)

add_library(hilda_python_blocks MODULE ${block_type_sources} "${block_source}")
target_link_libraries(hilda_python_blocks PRIVATE Python::Module)
target_include_directories(hilda_python_blocks PRIVATE "${PROJECT_SOURCE_DIR}" "${PROJECT_SOURCE_DIR}/plugins/abi")
target_compile_features(hilda_python_blocks PRIVATE cxx_std_20)
target_compile_definitions(hilda_python_blocks PRIVATE HILDA_PYTHON_PROGRAM="${HILDA_PYTHON}")
target_link_options(hilda_python_blocks PRIVATE -Wl,-z,relro,-z,now
                    "-Wl,--version-script=${CMAKE_CURRENT_SOURCE_DIR}/block_types/python.exports")
set(language_folder "${PROJECT_BINARY_DIR}/lib/hilda/languages")
set_target_properties(hilda_python_blocks PROPERTIES PREFIX "" SUFFIX ".so" OUTPUT_NAME python LIBRARY_OUTPUT_DIRECTORY "${language_folder}"
                                                     CXX_VISIBILITY_PRESET hidden VISIBILITY_INLINES_HIDDEN ON)
file(CONFIGURE OUTPUT "${language_folder}/python.txt" CONTENT "${python_library}\n")
install(TARGETS hilda_python_blocks LIBRARY DESTINATION lib/hilda/languages COMPONENT program OPTIONAL)
hilda_strip_installed(lib/hilda/languages/python.so program)
install(FILES "${language_folder}/python.txt" DESTINATION lib/hilda/languages COMPONENT program)
