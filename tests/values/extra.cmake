# SPDX-License-Identifier: BSD-3-Clause
add_dependencies(${test_program} hilda_plugins)
target_link_libraries(${test_program} PRIVATE tinyxml2::tinyxml2)
