# SPDX-License-Identifier: BSD-3-Clause
# The diagrams are made of the standard plugins.
add_dependencies(${test_program} hilda_plugins)
hilda_optimise(${test_program} "${folder}/ideal_run_reference_test.cpp" "${folder}/one_axis.cpp" "${folder}/undelayed_plant_test.cpp")
