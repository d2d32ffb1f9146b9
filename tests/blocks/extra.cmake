# SPDX-License-Identifier: BSD-3-Clause
# The interface of every plugin is looked at.
add_dependencies(${test_program} hilda_plugins)
