# SPDX-License-Identifier: BSD-3-Clause
# The tests run the program itself, and load diagrams of standard blocks.
add_dependencies(${test_program} hilda hilda_plugins)
