# The diagrams are made of the standard plugins.
add_dependencies(${test_program} hilda_plugins)
