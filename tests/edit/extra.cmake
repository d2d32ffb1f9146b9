# The tests run the program itself, and load diagrams of standard blocks.
add_dependencies(${test_program} hilda hilda_plugins)
