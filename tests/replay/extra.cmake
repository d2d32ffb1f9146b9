# SPDX-License-Identifier: BSD-3-Clause
# They run the program as the tests of the command line do, on the devices of the realtime tests.
add_dependencies(${test_program} hilda hilda_plugins devices)
