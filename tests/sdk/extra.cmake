# SPDX-License-Identifier: BSD-3-Clause
# The entry point that every plugin carries, in a program of its own.
target_sources(${test_program} PRIVATE "${PROJECT_SOURCE_DIR}/plugins/sdk/entry.cpp"
                                       "${PROJECT_SOURCE_DIR}/plugins/sdk/raises_flags.cpp")
target_compile_definitions(${test_program} PRIVATE HILDA_PLUGIN_NAME="tests_sdk" HILDA_PLUGIN_VERSION="1.2.3")
