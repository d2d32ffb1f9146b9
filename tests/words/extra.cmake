# SPDX-License-Identifier: BSD-3-Clause
# They run the program as the tests of the command line do.
add_dependencies(${test_program} hilda hilda_plugins)
