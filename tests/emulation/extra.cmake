# The diagrams run as in tests/diagrams.
add_dependencies(${test_program} hilda_plugins)
