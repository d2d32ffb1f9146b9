# SPDX-License-Identifier: BSD-3-Clause
# The diagrams run as in tests/diagrams.
add_dependencies(${test_program} hilda_plugins)
