target_sources(${test_program} PRIVATE "${PROJECT_SOURCE_DIR}/tests/diagrams/diagram_run.cpp")
# The diagrams are made of the standard plugins; cells and their other ends are runs of the program itself. A block
# that never returns is one of the realtime tests' plugin.
add_dependencies(${test_program} hilda hilda_plugins devices)
